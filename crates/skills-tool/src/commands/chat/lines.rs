//! Messages from standard input, one on each line: for scripts, and for terminals without cursor control.

use crate::commands::chat::choices::{Choices, Window};
use crate::commands::chat::console::{Console, Input};
use crate::commands::chat::signals::Signals;
use crate::input;
use crate::outcome::Failure;
use crate::output::{Ctx, one_line};
use std::io::Write as _;

/// Lines of standard input.
pub(crate) struct Lines {
    pub(crate) signals: Signals,
}

impl Console for Lines {
    fn read(&mut self, cx: &mut Ctx) -> Result<Input, Failure> {
        Ok(match input::line("> ", cx)? {
            Some(line) => Input::Message(line),
            None => Input::End,
        })
    }

    fn put_back(&mut self, _text: &str) {}

    fn ask(&mut self, question: &str, cx: &mut Ctx) -> Option<String> {
        input::line(&format!("{question} "), cx).ok().flatten()
    }

    fn choose(&mut self, choices: &Choices, cx: &mut Ctx) -> Option<usize> {
        let window = Window {
            selected: choices.start,
            rows: choices.len(),
            width: cx.width(),
        };
        let title = cx.strong(&choices.title);
        writeln!(cx, "{title}\n{}\n", choices.subtitle).ok()?;
        for line in choices.lines(&choices.holding(""), window) {
            writeln!(cx, "{line}").ok()?;
        }
        writeln!(cx).ok()?;
        let answer = self.ask("Number, or nothing to go back:", cx)?;
        let answer = answer.trim();
        let chosen = choices.named(answer);
        if chosen.is_none() && !answer.is_empty() {
            let (answer, most) = (one_line(answer), choices.len());
            cx.warning(format_args!(
                "'{answer}' is not a choice; write 1 to {most}"
            ));
        }
        chosen
    }

    fn signals(&self) -> &Signals {
        &self.signals
    }
}
