//! Sources of messages and answers: a terminal, or lines of standard input.

use crate::commands::chat::choices::Choices;
use crate::commands::chat::signals::Signals;
use crate::outcome::Failure;
use crate::output::Ctx;

/// One input from a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// A message.
    Message(String),
    /// Ctrl-C: the line is dropped.
    Interrupted,
    /// The end of the input.
    End,
    /// A signal to end the program.
    Stopped,
}

/// A source of messages and answers.
pub(crate) trait Console {
    /// Reads the next message.
    fn read(&mut self, cx: &mut Ctx) -> Result<Input, Failure>;

    /// Puts an unsent message into the next line, so that a person can correct the message.
    fn put_back(&mut self, text: &str);

    /// Asks a question. Returns `None` without an answer.
    fn ask(&mut self, question: &str, cx: &mut Ctx) -> Option<String>;

    /// Shows the choices. Returns the selected choice, or `None`.
    fn choose(&mut self, choices: &Choices, cx: &mut Ctx) -> Option<usize>;

    fn signals(&self) -> &Signals;
}
