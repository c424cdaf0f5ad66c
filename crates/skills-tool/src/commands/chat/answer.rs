//! The answer of an agent, shown as it comes.

use crate::commands::chat::quiet::Quiet;
use crate::commands::chat::signals::{Interruption, Signals};
use crate::commands::install::session::failure;
use crate::outcome::Failure;
use crate::output::{Output, counted};
use skills_host::agent::{AgentCall, AgentCommand, AgentEnd, AgentEvent, AgentRun};
use std::time::Duration;

/// How often Ctrl-C is looked for.
const PATIENCE: Duration = Duration::from_millis(50);
/// After this time without an answer a person is told how to end it.
const SILENT: Duration = Duration::from_secs(5);
/// The most bytes of an answer that stay in the conversation.
const MOST: usize = 1024 * 1024;

/// What came of asking an agent.
pub(crate) enum Answer {
    /// The whole answer.
    Whole(String),
    /// What an agent printed that did not end well.
    Failed(String),
    /// What was there when a person ended it.
    Ended(String),
    /// The program is to end.
    Stopped,
}

/// An answer that is being printed.
struct Printed {
    text: Vec<u8>,
    /// The bytes of a character that has not come whole.
    held: Vec<u8>,
    /// Bytes that do not stay in the conversation.
    dropped: usize,
    ends_line: bool,
}

/// Gives an agent its input, and prints the answer as it comes.
pub(crate) fn answer(
    agent: &AgentCommand,
    call: AgentCall,
    signals: &Signals,
    output: &mut Output,
) -> Result<Answer, Failure> {
    let mut run = match agent.start(call) {
        Ok(run) => run,
        Err(error) => {
            output.failure(&failure(&error).in_a_prompt());
            return Ok(Answer::Failed(String::new()));
        }
    };
    signals.set_answering(true);
    let _quiet = Quiet::begin();
    let mut printed = Printed {
        text: Vec::new(),
        held: Vec::new(),
        dropped: 0,
        ends_line: true,
    };
    let ended = listen(&mut run, &mut printed, signals, output);
    signals.set_answering(false);
    let ended = ended?;
    printed.finish(output)?;
    let text = String::from_utf8_lossy(&printed.text).into_owned();
    if printed.dropped > 0 {
        output.warning(format_args!(
            "the answer is longer than {}: the last {} stay out of the conversation",
            counted(MOST, "byte"),
            counted(printed.dropped, "byte")
        ));
    }
    Ok(match ended {
        Ok(end) => {
            let is_well = end.code == Some(0);
            report(end, &text, output);
            if is_well {
                Answer::Whole(text)
            } else {
                Answer::Failed(text)
            }
        }
        Err(Interruption::Answer) => {
            output.note("(interrupted)");
            Answer::Ended(text)
        }
        Err(Interruption::Program) => Answer::Stopped,
    })
}

fn listen(
    run: &mut AgentRun,
    printed: &mut Printed,
    signals: &Signals,
    output: &mut Output,
) -> Result<Result<AgentEnd, Interruption>, Failure> {
    let mut silent = Some(Duration::ZERO);
    loop {
        if let Some(interruption) = signals.interruption() {
            run.stop();
            return Ok(Err(interruption));
        }
        match run.next(PATIENCE) {
            Some(AgentEvent::Output(bytes)) => {
                silent = None;
                printed.push(&bytes, output)?;
            }
            Some(AgentEvent::Errors(bytes)) => output.diagnostics(&bytes),
            Some(AgentEvent::Ended(end)) => return Ok(Ok(end)),
            Some(_) | None => {}
        }
        silent = silent.map(|silent| silent + PATIENCE);
        if silent.is_some_and(|silent| silent >= SILENT) && !output.is_scripted() {
            output.note("(the agent works; Ctrl-C ends its answer)");
            silent = None;
        }
    }
}

/// Says how an agent ended that did not end well.
fn report(end: AgentEnd, text: &str, output: &mut Output) {
    match (end.code, end.signal) {
        (Some(0), _) if text.trim().is_empty() => output.warning("the agent printed no answer"),
        (Some(0), _) => {}
        (Some(code), _) => output.warning(format_args!("the agent ended with exit code {code}")),
        (None, Some(signal)) => output.warning(format_args!("signal {signal} ended the agent")),
        (None, None) => output.warning("the agent did not end by itself"),
    }
}

impl Printed {
    fn push(&mut self, bytes: &[u8], output: &mut Output) -> Result<(), Failure> {
        let room = MOST.saturating_sub(self.text.len());
        let kept = bytes.len().min(room);
        self.text.extend(bytes.iter().take(kept));
        self.dropped += bytes.len() - kept;
        self.held.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.held) {
            // A character that is cut at the end comes whole with the next bytes.
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.held.len(),
        };
        let rest = self.held.split_off(whole);
        let shown = std::mem::replace(&mut self.held, rest);
        self.print(&shown, output)
    }

    fn finish(&mut self, output: &mut Output) -> Result<(), Failure> {
        let rest = std::mem::take(&mut self.held);
        self.print(&rest, output)?;
        if !self.ends_line {
            self.print(b"\n", output)?;
        }
        Ok(())
    }

    fn print(&mut self, bytes: &[u8], output: &mut Output) -> Result<(), Failure> {
        if let Some(last) = bytes.last() {
            self.ends_line = *last == b'\n';
            output.stream(bytes)?;
        }
        Ok(())
    }
}
