//! Messages from standard input, one on each line: for scripts, and for terminals without cursor control.

use crate::commands::chat::choices::{Choices, Window};
use crate::commands::chat::console::{Console, Input};
use crate::commands::chat::signals::Signals;
use crate::input;
use crate::outcome::Failure;
use crate::output::{Output, one_line};
use std::io::Write as _;

/// Lines of standard input.
pub(crate) struct Lines {
    pub(crate) signals: Signals,
}

impl Console for Lines {
    fn read(&mut self, output: &mut Output) -> Result<Input, Failure> {
        Ok(match input::line("> ", output)? {
            Some(line) => Input::Message(line),
            None => Input::End,
        })
    }

    fn put_back(&mut self, _text: &str) {}

    fn ask(&mut self, question: &str, output: &mut Output) -> Option<String> {
        input::line(&format!("{question} "), output).ok().flatten()
    }

    fn choose(&mut self, choices: &Choices, output: &mut Output) -> Option<usize> {
        let window = Window {
            selected: choices.start,
            rows: choices.len(),
            width: output.width(),
        };
        let title = output.strong(&choices.title);
        writeln!(output, "{title}\n{}\n", choices.subtitle).ok()?;
        for line in choices.lines(&choices.holding(""), window) {
            writeln!(output, "{line}").ok()?;
        }
        writeln!(output).ok()?;
        let answer = self.ask("Number, or nothing to go back:", output)?;
        let answer = answer.trim();
        let chosen = choices.named(answer);
        if chosen.is_none() && !answer.is_empty() {
            let (answer, most) = (one_line(answer), choices.len());
            output.warning(format_args!(
                "'{answer}' is not a choice; write 1 to {most}"
            ));
        }
        chosen
    }

    fn signals(&self) -> &Signals {
        &self.signals
    }
}
