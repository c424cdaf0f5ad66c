//! The answer of an agent, printed as it arrives.

use crate::commands::chat::console::{Interruption, Quiet, Signals};
use crate::outcome::Failure;
use crate::output::screen::Progress;
use crate::output::{Ctx, counted, one_line};
use skills_agent::agent::{
    AgentAnswer, AgentCommand, AgentEnd, AgentEvent, AgentRequest, AgentRun, ErrorLines,
};
use skills_host::waited::Waited;
use std::collections::VecDeque;
use std::io::Write as _;
use std::time::{Duration, Instant};

/// The interval between two checks for Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(50);
/// The maximum number of bytes of an answer that stay in the conversation.
const MOST: usize = 1024 * 1024;
/// The maximum number of lines of progress that wait.
const MOST_WAITING: usize = 100;

/// The outcome of a question to an agent.
pub(crate) enum Answer {
    /// The answer of an agent that ended with exit code 0.
    Whole(String),
    /// The output of an agent that failed.
    Failed(String),
    /// The output before a person interrupted the agent.
    Ended(String),
    /// The program must end.
    Stopped,
}

/// The state of an answer while it is printed.
#[derive(Default)]
struct Printed {
    text: Vec<u8>,
    /// The bytes of an incomplete character at the end of the output so far.
    held: Vec<u8>,
    /// The number of bytes that do not stay in the conversation.
    dropped: usize,
    ends_line: bool,
    /// Standard error, and its latest lines, which wait for the end of the answer's present line.
    errors: ErrorLines,
    waiting: VecDeque<String>,
}

/// Starts an agent with its input, and prints the answer as it arrives.
pub(crate) fn answer(
    agent: &AgentCommand,
    request: &AgentRequest,
    signals: &Signals,
    cx: &mut Ctx,
) -> Result<Answer, Failure> {
    let mut run = match agent.ask(request) {
        Ok(run) => run,
        Err(error) => {
            cx.failure(&Failure::from(&error));
            return Ok(Answer::Failed(String::new()));
        }
    };
    let _busy = signals.busy();
    let _quiet = Quiet::begin();
    let mut printed = Printed {
        ends_line: true,
        ..Printed::default()
    };
    let ended = listen(agent.program(), &mut run, &mut printed, signals, cx)?;
    let text = printed.finish(cx)?;
    if printed.dropped > 0 {
        cx.warning(format_args!(
            "the answer is longer than {}: the last {} stay out of the conversation",
            counted(MOST, "byte"),
            counted(printed.dropped, "byte")
        ));
    }
    Ok(match ended {
        Ok(end) => {
            let is_well = end.code == Some(0);
            report_end(end, &text, cx);
            if is_well {
                Answer::Whole(text)
            } else {
                Answer::Failed(text)
            }
        }
        Err(Interruption::Answer) => {
            cx.note("(interrupted)");
            Answer::Ended(text)
        }
        Err(Interruption::Program) => Answer::Stopped,
    })
}

fn listen(
    program: &str,
    run: &mut AgentRun,
    printed: &mut Printed,
    signals: &Signals,
    cx: &mut Ctx,
) -> Result<Result<AgentEnd, Interruption>, Failure> {
    // Until the agent prints, a line of the terminal says what is waited for.
    let line = Progress::new();
    // What was sent is read before the line that waits.
    cx.finish()?;
    let mut waited = (!cx.is_scripted).then(|| Waited::new(program, ""));
    let start = Instant::now();
    loop {
        if let Some(interruption) = signals.interruption() {
            run.stop();
            return Ok(Err(interruption));
        }
        match run.next(PATIENCE) {
            Some(AgentEvent::Output(bytes)) => {
                waited = None;
                line.clear();
                printed.push(&bytes, cx)?;
            }
            Some(AgentEvent::Errors(bytes)) => {
                line.clear();
                printed.progress(&bytes, cx);
            }
            Some(AgentEvent::Ended(end)) => return Ok(Ok(end)),
            None => {}
        }
        if let Some(waited) = &mut waited {
            waited.tell(start.elapsed(), "", &|words| line.show(words));
        }
    }
}

/// Warns about an agent that failed or printed no answer.
fn report_end(end: AgentEnd, text: &str, cx: &mut Ctx) {
    match (end.code, end.signal) {
        (Some(0), _) if text.trim().is_empty() => cx.warning("the agent printed no answer"),
        (Some(0), _) => {}
        (Some(code), _) => cx.warning(format_args!("the agent ended with exit code {code}")),
        (None, Some(signal)) => cx.warning(format_args!("signal {signal} ended the agent")),
        (None, None) => cx.warning("the agent did not end by itself"),
    }
}

impl Printed {
    fn push(&mut self, bytes: &[u8], cx: &mut Ctx) -> Result<(), Failure> {
        let room = MOST.saturating_sub(self.text.len());
        let kept = bytes.len().min(room);
        self.text.extend(bytes.iter().take(kept));
        self.dropped += bytes.len() - kept;
        self.held.extend_from_slice(bytes);
        if self.is_object() {
            return Ok(());
        }
        let whole = match std::str::from_utf8(&self.held) {
            // An incomplete character at the end waits for its other bytes: printed now, it would be replaced
            // by `U+FFFD`.
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.held.len(),
        };
        let rest = self.held.split_off(whole);
        let shown = std::mem::replace(&mut self.held, rest);
        self.print(&shown, cx)
    }

    /// Returns whether everything so far can be the beginning of an [`AgentAnswer`], which is not printed as it is.
    fn is_object(&self) -> bool {
        self.dropped == 0
            && self.held.len() >= self.text.len()
            && self.held.trim_ascii_start().starts_with(b"{")
    }

    fn finish(&mut self, cx: &mut Ctx) -> Result<String, Failure> {
        let text = String::from_utf8_lossy(&self.text).into_owned();
        let mut rest = std::mem::take(&mut self.held);
        if let Some(answer) = AgentAnswer::parse(&text) {
            rest = answer.content.unwrap_or_default().into_bytes();
        }
        self.print(&rest, cx)?;
        if !self.ends_line {
            self.print(b"\n", cx)?;
        }
        let Self {
            errors, waiting, ..
        } = self;
        errors.finish(&mut |line| waiting.push_back(line.to_owned()));
        self.show_progress(cx);
        Ok(text)
    }

    fn print(&mut self, bytes: &[u8], cx: &mut Ctx) -> Result<(), Failure> {
        if let Some(last) = bytes.last() {
            self.ends_line = *last == b'\n';
            cx.write_all(bytes)?;
            cx.flush()?;
            self.show_progress(cx);
        }
        Ok(())
    }

    fn progress(&mut self, bytes: &[u8], cx: &mut Ctx) {
        let Self {
            errors, waiting, ..
        } = self;
        errors.push(bytes, &mut |line| {
            waiting.push_back(line.to_owned());
            // The latest lines say where the agent is.
            if waiting.len() > MOST_WAITING {
                waiting.pop_front();
            }
        });
        self.show_progress(cx);
    }

    /// Prints what the agent printed on standard error, each line by itself. On a terminal the lines wait for the end
    /// of the answer's present line, which they would break.
    fn show_progress(&mut self, cx: &mut Ctx) {
        if !cx.terminal || self.ends_line {
            for line in self.waiting.drain(..) {
                cx.note(format!("agent: {}", one_line(&line)));
            }
        }
    }
}
