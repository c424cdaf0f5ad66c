//! Where messages and answers come from: a terminal, or lines of standard input.

use crate::commands::chat::choices::Choices;
use crate::commands::chat::signals::Signals;
use crate::outcome::Failure;
use crate::output::Output;

/// What a person gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// A message.
    Message(String),
    /// Ctrl-C: the line is dropped.
    Interrupted,
    /// The end of the input.
    End,
    /// The system asks the program to end.
    Stopped,
}

/// A source of messages and answers.
pub(crate) trait Console {
    /// Reads the next message.
    fn read(&mut self, output: &mut Output) -> Result<Input, Failure>;

    /// Puts a message that was not sent into the next line, for a person who mends it.
    fn put_back(&mut self, text: &str);

    /// Asks a question. `None`: there is no answer.
    fn ask(&mut self, question: &str, output: &mut Output) -> Option<String>;

    /// Lets a person choose. `None`: nothing is chosen.
    fn choose(&mut self, choices: &Choices, output: &mut Output) -> Option<usize>;

    fn signals(&self) -> &Signals;
}
