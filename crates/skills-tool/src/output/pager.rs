//! Text that is longer than the screen, in the person's pager.

use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::{Ctx, shown_on, text};
use signal_hook::consts::SIGINT;
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The text that a command has printed so far.
#[derive(Clone, Default)]
pub(super) struct Kept(Rc<RefCell<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Ctx {
    /// Prints with `print`. On a terminal, a text that is longer than the screen is shown in the pager.
    pub(crate) fn paged<T>(
        &mut self,
        print: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let screen = terminal_size::terminal_size().filter(|_| Environment::has_terminal());
        let pager = Environment::pager();
        let (Some(screen), Some(pager), false) = (screen, pager, self.is_in_prompt()) else {
            return print(self);
        };
        self.flush()?;
        // Notes come after the text, as without a pager.
        let (kept, notes) = (Kept::default(), Kept::default());
        let to = shown_on(kept.clone(), self.terminal, self.workflow.as_ref());
        let direct = std::mem::replace(&mut self.out, to);
        let err = std::mem::replace(&mut self.err.stream, Box::new(notes.clone()));
        let printed = print(self);
        let flushed = self.flush();
        self.out = direct;
        self.err.stream = err;
        flushed?;
        let text = kept.0.take();
        let (width, height) = (usize::from(screen.0.0), usize::from(screen.1.0));
        // The last line of the screen is the prompt of the shell.
        let (mut is_shown, mut failed) = (false, None);
        if printed.is_ok() && rows(&text, width) >= height {
            match page(&pager, &text) {
                Ok(()) => is_shown = true,
                Err(error) => failed = Some(error),
            }
        }
        if !is_shown {
            // Past the writer of the terminal, which the text has passed already.
            let mut out = io::stdout().lock();
            out.write_all(&text)?;
            out.flush()?;
        }
        self.err.stream.write_all(&notes.0.take())?;
        self.err.stream.flush()?;
        // After the text, where it is still on the screen.
        if let Some(error) = failed {
            self.warning(&error);
            self.help(&error.remedy().unwrap_or_default());
        }
        printed
    }
}

/// Shows a text in a pager. Ctrl-C is for the pager, and must not end this process before it.
fn page(pager: &str, text: &[u8]) -> Result<(), skills_host::Error> {
    let heard = signal_hook::flag::register(SIGINT, Arc::new(AtomicBool::new(false)));
    let ended = skills_host::pager::page(pager, text);
    if let Ok(heard) = heard {
        signal_hook::low_level::unregister(heard);
    }
    ended
}

/// Counts the rows that a text takes on a screen.
fn rows(text: &[u8], width: usize) -> usize {
    let text = String::from_utf8_lossy(text);
    text.lines().map(|line| text::rows(line, width)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_text() {
        assert_eq!(rows(b"", 4), 0);
        assert_eq!(rows(b"a\n\nabcd\nabcde\n", 4), 5);
        // Colours take no room.
        assert_eq!(rows(b"\x1b[1mabcd\x1b[0m\n", 4), 1);
    }
}
