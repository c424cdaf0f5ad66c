//! The console of a terminal: the line editor and the menus.

use crate::commands::chat::choices::Choices;
use crate::commands::chat::console::{Console, Input};
use crate::commands::chat::editor::{Line, LineEditor};
use crate::commands::chat::picker::pick;
use crate::commands::chat::signals::Signals;
use crate::outcome::Failure;
use crate::output::Ctx;
use crate::output::panel::clear_below;
use std::io::Write as _;

/// The line editor of a terminal, and the signals.
pub(crate) struct Terminal {
    pub(crate) editor: LineEditor,
    pub(crate) signals: Signals,
}

impl Console for Terminal {
    fn read(&mut self, cx: &mut Ctx) -> Result<Input, Failure> {
        cx.flush()?;
        // A signal must not end the program while the line editor has the terminal in raw mode.
        let _busy = self.signals.busy();
        if self.signals.is_ended() {
            return Ok(Input::Stopped);
        }
        let line = self.editor.read().map_err(|error| {
            Failure::failed(
                format_args!("the terminal does not answer: {error}"),
                "write `TERM=dumb skills chat`, which does not steer the terminal",
            )
        })?;
        clear_below()?;
        // An earlier Ctrl-C must not interrupt the next answer.
        self.signals.begin();
        Ok(match line {
            Line::Text(text) => Input::Message(text),
            Line::Interrupted => Input::Interrupted,
            Line::End => Input::End,
            Line::Stopped => Input::Stopped,
        })
    }

    fn put_back(&mut self, text: &str) {
        self.editor.put_back(text);
    }

    fn ask(&mut self, question: &str, cx: &mut Ctx) -> Option<String> {
        cx.flush().ok()?;
        let _busy = self.signals.busy();
        match self.editor.ask(question) {
            Ok(Line::Text(text)) => Some(text),
            _ => None,
        }
    }

    fn choose(&mut self, choices: &Choices, cx: &mut Ctx) -> Option<usize> {
        let _busy = self.signals.busy();
        let signals = &self.signals;
        match pick(choices, cx, &|| signals.is_ended()) {
            Ok(chosen) => chosen,
            Err(error) => {
                cx.warning(format_args!("the menu cannot be drawn: {error}"));
                None
            }
        }
    }

    fn signals(&self) -> &Signals {
        &self.signals
    }
}
