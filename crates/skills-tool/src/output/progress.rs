//! The progress of an operation: one line of standard error, which the next line replaces.

use crate::output::{fit, one_line};
use crossterm::terminal::{Clear, ClearType};
use crossterm::{cursor, queue, style};
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

/// The line of progress. Without a terminal nothing is written.
pub(crate) struct Progress {
    is_terminal: bool,
    is_drawn: AtomicBool,
}

impl Progress {
    pub(crate) fn new() -> Self {
        Self {
            is_terminal: io::stderr().is_terminal(),
            is_drawn: AtomicBool::new(false),
        }
    }

    /// Returns whether the line is visible.
    pub(crate) fn is_shown(&self) -> bool {
        self.is_terminal
    }

    /// Shows a line in place of the previous line. A line that cannot be written is left out.
    pub(crate) fn show(&self, line: &str) {
        if !self.is_terminal {
            return;
        }
        let size = terminal_size::terminal_size_of(io::stderr());
        // In the last column the cursor would move to the next row.
        let width = size.map(|(width, _)| usize::from(width.0).saturating_sub(1));
        let line = one_line(line);
        let text = style::Print(fit::shortened(&line, width));
        let mut out = io::stderr().lock();
        let _ = queue!(
            out,
            cursor::MoveToColumn(0),
            Clear(ClearType::CurrentLine),
            text
        )
        .and_then(|()| out.flush());
        self.is_drawn.store(true, Ordering::Relaxed);
    }

    /// Removes the line from the terminal.
    pub(crate) fn clear(&self) {
        if self.is_drawn.swap(false, Ordering::Relaxed) {
            let mut out = io::stderr().lock();
            let _ = queue!(out, cursor::MoveToColumn(0), Clear(ClearType::CurrentLine))
                .and_then(|()| out.flush());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
