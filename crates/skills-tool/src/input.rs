//! A message from an argument or from standard input, and the answers of a person.

use crate::outcome::Failure;
use crate::output::Ctx;
use std::borrow::Cow;
use std::io::{self, BufRead as _, IsTerminal as _, Read as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

/// The maximum number of bytes read from standard input.
const MAX_INPUT: u64 = 64 * 1024 * 1024;

/// Returns the message of the argument. Reads all of standard input when there is no argument.
pub(crate) fn given<'t>(text: Option<&'t str>, cx: &mut Ctx) -> Result<Cow<'t, str>, Failure> {
    match text {
        Some(text) => Ok(text.into()),
        None => standard_input(cx).map(Cow::Owned),
    }
}

fn standard_input(cx: &mut Ctx) -> Result<String, Failure> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        cx.note("reading the message from standard input; end it with Ctrl-D");
    }
    let mut bytes = Vec::new();
    // One byte more than the maximum shows that the message is too long.
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
    utf8(bytes)
}

fn utf8(bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::failed(
            format_args!("the message on standard input is not UTF-8: byte {at} is invalid"),
            "send text in UTF-8",
        )
    })
}

/// Returns whether a person, or a script in place of a person, can be asked.
pub(crate) fn can_ask(cx: &Ctx) -> bool {
    !cx.is_json && (cx.is_scripted || io::stdin().is_terminal() && io::stderr().is_terminal())
}

/// Asks a question with the answers yes and no.
pub(crate) fn agreed(question: &str, cx: &mut Ctx) -> bool {
    is_yes(&asked(&format!("{question} [y/N]"), cx))
}

/// Returns whether an answer agrees.
pub(crate) fn is_yes(answer: &str) -> bool {
    matches!(answer.to_ascii_lowercase().as_str(), "y" | "yes")
}

/// Asks a question, and returns the line of the answer; empty without an answer.
pub(crate) fn asked(question: &str, cx: &mut Ctx) -> String {
    // A key that was typed before the question is not an answer to it.
    #[cfg(unix)]
    if !cx.is_scripted {
        let _ = rustix::termios::tcflush(io::stdin(), rustix::termios::QueueSelector::IFlush);
    }
    let answer = if let Some(asker) = cx.asker.clone() {
        asker.line(question, cx)
    } else if cx.is_scripted {
        line(&format!("{question} "), cx).ok().flatten()
    } else {
        cx.ask(question);
        typed()
    };
    answer.unwrap_or_default().trim().to_owned()
}

/// True while a typed answer is waited for: Ctrl-C then ends the program at once, since nothing is changed meanwhile.
pub(crate) static IS_ASKING: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Reads the line that a person types as an answer. Returns `None` if it cannot be read.
pub(crate) fn typed() -> Option<String> {
    let mut line = String::new();
    IS_ASKING.store(true, Ordering::SeqCst);
    let read = io::stdin().lock().read_line(&mut line);
    IS_ASKING.store(false, Ordering::SeqCst);
    read.ok().map(|_| line)
}

/// Reads a line of standard input after a prompt. Returns `None` at the end. A line that was not typed is
/// printed after the prompt, so that the output is a whole conversation.
pub(crate) fn line(prompt: &str, cx: &mut Ctx) -> Result<Option<String>, Failure> {
    write!(cx, "{prompt}")?;
    cx.flush()?;
    let mut bytes = Vec::new();
    let stdin = io::stdin();
    let read = stdin.lock().take(MAX_INPUT).read_until(b'\n', &mut bytes);
    read.map_err(|error| {
        Failure::failed(
            format_args!("cannot read a line from standard input: {error}"),
            "send text, a line for each message",
        )
    })?;
    if bytes.is_empty() {
        writeln!(cx)?;
        return Ok(None);
    }
    let text = utf8(bytes)?;
    let line = text.trim_end_matches(['\n', '\r']);
    if !stdin.is_terminal() {
        cx.foreign(line)?;
        writeln!(cx)?;
    }
    Ok(Some(line.to_owned()))
}
