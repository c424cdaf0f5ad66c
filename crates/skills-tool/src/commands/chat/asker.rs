//! Questions of commands that run in the prompt: Ctrl-C and Esc answer no.

use crate::commands::chat::choices::Choices;
use crate::commands::chat::editor::{Line, question};
use crate::commands::chat::picker::pick;
use crate::commands::chat::signals::Signals;
use crate::output::{Asker, Ctx};
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal;
use std::io;
use std::time::Duration;

/// The interval between two checks for a signal.
const PATIENCE: Duration = Duration::from_millis(100);

/// The person at the terminal of the prompt.
pub(crate) struct AtTerminal {
    pub(crate) signals: Signals,
    pub(crate) colour: bool,
}

impl Asker for AtTerminal {
    fn agreed(&self, question: &str, cx: &mut Ctx) -> bool {
        cx.ask(question);
        let _busy = self.signals.busy();
        let answer = self.key();
        cx.note(if matches!(answer, Ok(true)) { "y" } else { "n" });
        answer.unwrap_or(false)
    }

    fn line(&self, text: &str, cx: &mut Ctx) -> Option<String> {
        use std::io::Write as _;
        cx.flush().ok()?;
        let _busy = self.signals.busy();
        match question(text, self.colour, &self.signals.wake) {
            Ok(Line::Text(answer)) => Some(answer),
            _ => None,
        }
    }

    fn choose(&self, title: &str, rows: &[(String, String)], cx: &mut Ctx) -> Option<usize> {
        let mut menu = Choices::new(title, "Choose a skill");
        menu.narrows = true;
        for (name, note) in rows {
            menu.push(name, note);
        }
        let _busy = self.signals.busy();
        let signals = &self.signals;
        pick(&menu, cx, &|| signals.is_ended()).unwrap_or_else(|error| {
            cx.warning(format_args!("the menu cannot be drawn: {error}"));
            None
        })
    }
}

impl AtTerminal {
    /// Waits for a key that answers yes or no.
    fn key(&self) -> io::Result<bool> {
        terminal::enable_raw_mode()?;
        // No `?` in the loop: the raw mode must end on every way out.
        let answer = loop {
            if self.signals.is_ended() {
                break Ok(false);
            }
            match event::poll(PATIENCE) {
                Ok(false) => continue,
                Ok(true) => {}
                Err(error) => break Err(error),
            }
            match event::read().map(|event| answer(&event)) {
                Ok(Some(answer)) => break Ok(answer),
                Ok(None) => {}
                Err(error) => break Err(error),
            }
        };
        terminal::disable_raw_mode()?;
        answer
    }
}

/// Returns the answer of a key, or `None` for a key that is not an answer.
fn answer(event: &Event) -> Option<bool> {
    let Event::Key(KeyEvent {
        code,
        modifiers,
        kind: KeyEventKind::Press | KeyEventKind::Repeat,
        ..
    }) = event
    else {
        return None;
    };
    match *code {
        KeyCode::Char('y' | 'Y') => Some(true),
        KeyCode::Char('n' | 'N') | KeyCode::Enter | KeyCode::Esc => Some(false),
        // In raw mode Ctrl-C is a key, and not a signal.
        KeyCode::Char('c' | 'd') if *modifiers == KeyModifiers::CONTROL => Some(false),
        _ => None,
    }
}
