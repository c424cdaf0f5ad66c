//! Lines of a terminal that are redrawn in place.

use crate::output::screen::Screen;
use crossterm::terminal::{Clear, ClearType};
use crossterm::{cursor, queue};
use std::io::{self, Stdout, Write as _};
use unicode_width::UnicodeWidthStr as _;

/// Lines that are redrawn in place. The terminal must be in raw mode.
pub(crate) struct Panel {
    out: Stdout,
    /// The widths of the drawn lines, without colours.
    drawn: Vec<usize>,
    /// The number of rows of the drawn lines.
    rows: usize,
}

impl Panel {
    pub(crate) fn new() -> Self {
        Self {
            out: io::stdout(),
            drawn: Vec::new(),
            rows: 0,
        }
    }

    /// Draws lines in place of the previous lines. Each line must fit the terminal.
    pub(crate) fn draw(&mut self, lines: &[String]) -> io::Result<()> {
        self.clear()?;
        for line in lines {
            let mut screen = Screen::new(Vec::new());
            screen.write_all(line.as_bytes())?;
            screen.flush()?;
            self.out.write_all(&screen.into_inner())?;
            self.out.write_all(b"\r\n")?;
        }
        self.drawn = lines.iter().map(|line| plain_width(line)).collect();
        self.rows = lines.len();
        self.out.flush()
    }

    /// Counts the rows for a new width of the terminal, at which a line can take several rows.
    pub(crate) fn resized(&mut self, width: usize) {
        let width = width.max(1);
        self.rows = self
            .drawn
            .iter()
            .map(|line| line.div_ceil(width).max(1))
            .sum();
    }

    /// Removes the lines from the terminal.
    pub(crate) fn erase(&mut self) -> io::Result<()> {
        self.clear()?;
        self.out.flush()
    }

    fn clear(&mut self) -> io::Result<()> {
        let rows = u16::try_from(self.rows).unwrap_or(u16::MAX);
        queue!(self.out, cursor::MoveToColumn(0))?;
        if rows > 0 {
            queue!(self.out, cursor::MoveUp(rows))?;
        }
        queue!(self.out, Clear(ClearType::FromCursorDown))?;
        (self.rows, self.drawn) = (0, Vec::new());
        Ok(())
    }
}

/// Clears the terminal below the cursor: the line editor leaves its list there when Ctrl-C ends a line.
pub(crate) fn clear_below() -> io::Result<()> {
    let mut out = io::stdout();
    queue!(out, Clear(ClearType::FromCursorDown))?;
    out.flush()
}

/// Returns the width in cells of a line whose only escape sequences are colours.
fn plain_width(line: &str) -> usize {
    let parts = line.split('\u{1b}').enumerate();
    parts
        .map(|(at, part)| match part.split_once('m') {
            Some((_, text)) if at > 0 => text.width(),
            _ => part.width(),
        })
        .sum()
}
