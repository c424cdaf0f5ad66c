//! A message from an argument or from standard input.

use crate::outcome::Failure;
use crate::output::Output;
use std::borrow::Cow;
use std::io::{self, IsTerminal as _, Read as _};

/// The most bytes that are read from standard input.
const MAX_INPUT: u64 = 64 * 1024 * 1024;

/// Returns the message of the argument. Reads all of standard input when there is no argument.
pub(crate) fn given<'t>(
    text: Option<&'t str>,
    output: &mut Output,
) -> Result<Cow<'t, str>, Failure> {
    match text {
        Some(text) => Ok(text.into()),
        None => standard_input(output).map(Cow::Owned),
    }
}

fn standard_input(output: &mut Output) -> Result<String, Failure> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        output.note("reading the message from standard input; end it with Ctrl-D");
    }
    let mut bytes = Vec::new();
    stdin
        .lock()
        .take(MAX_INPUT + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| {
            Failure::failed(
                format_args!("cannot read the message from standard input: {error}"),
                "give the message as an argument",
            )
        })?;
    if bytes.len() as u64 > MAX_INPUT {
        return Err(Failure::failed(
            format_args!("the message on standard input is larger than {MAX_INPUT} bytes"),
            "send a shorter message",
        ));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::failed(
            format_args!("the message on standard input is not UTF-8: byte {at} is invalid"),
            "send text in UTF-8",
        )
    })
}
