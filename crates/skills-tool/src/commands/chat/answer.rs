//! The answer of an agent, printed while the agent runs.

use crate::commands::chat::quiet::Quiet;
use crate::commands::chat::signals::{Interruption, Signals};
use crate::outcome::Failure;
use crate::output::progress::Progress;
use crate::output::{Ctx, counted, one_line};
use skills_host::agent::{AgentCommand, AgentEnd, AgentEvent, AgentRequest, AgentRun, ErrorLines};
use skills_host::waited::Waited;
use std::collections::VecDeque;
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
struct Printed {
    text: Vec<u8>,
    /// The bytes of an incomplete character at the end of the output so far.
    held: Vec<u8>,
    /// The number of bytes that do not stay in the conversation.
    dropped: usize,
    ends_line: bool,
    progress: Held,
}

/// Lines of standard error that wait for the end of the answer's present line.
#[derive(Default)]
struct Held {
    lines: ErrorLines,
    waiting: VecDeque<String>,
    left_out: usize,
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
    signals.set_answering(true);
    let _quiet = Quiet::begin();
    let mut printed = Printed {
        text: Vec::new(),
        held: Vec::new(),
        dropped: 0,
        ends_line: true,
        progress: Held::default(),
    };
    let ended = listen(agent.program(), &mut run, &mut printed, signals, cx);
    // Before an error is returned: a closed terminal would otherwise wait for an agent that has ended.
    signals.set_answering(false);
    let ended = ended?;
    printed.finish(cx)?;
    let text = String::from_utf8_lossy(&printed.text).into_owned();
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
            report(end, &text, cx);
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
    let mut waited = (!cx.is_scripted()).then(|| Waited::new(program, ""));
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
                printed.progress.push(&bytes);
                line.clear();
                printed.show_progress(cx);
            }
            Some(AgentEvent::Ended(end)) => return Ok(Ok(end)),
            Some(_) | None => {}
        }
        if let Some(waited) = &mut waited {
            waited.tell(start.elapsed(), "", &|words| line.show(words));
        }
    }
}

/// Warns about an agent that failed or printed no answer.
fn report(end: AgentEnd, text: &str, cx: &mut Ctx) {
    match (end.code, end.signal) {
        (Some(0), _) if text.trim().is_empty() => cx.warning("the agent printed no answer"),
        (Some(0), _) => {}
        (Some(code), _) => cx.warning(format_args!("the agent ended with exit code {code}")),
        (None, Some(signal)) => cx.warning(format_args!("signal {signal} ended the agent")),
        (None, None) => cx.warning("the agent did not end by itself"),
    }
}

impl Held {
    fn push(&mut self, bytes: &[u8]) {
        let Self { lines, waiting, .. } = self;
        lines.push(bytes, &mut |line| waiting.push_back(line.to_owned()));
        // The latest lines say where the agent is.
        let gone = self.waiting.len().saturating_sub(MOST_WAITING);
        self.waiting.drain(..gone);
        self.left_out += gone;
    }

    fn finish(&mut self) {
        let Self { lines, waiting, .. } = self;
        lines.finish(&mut |line| waiting.push_back(line.to_owned()));
    }
}

impl Printed {
    fn push(&mut self, bytes: &[u8], cx: &mut Ctx) -> Result<(), Failure> {
        let room = MOST.saturating_sub(self.text.len());
        let kept = bytes.len().min(room);
        self.text.extend(bytes.iter().take(kept));
        self.dropped += bytes.len() - kept;
        self.held.extend_from_slice(bytes);
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

    fn finish(&mut self, cx: &mut Ctx) -> Result<(), Failure> {
        let rest = std::mem::take(&mut self.held);
        self.print(&rest, cx)?;
        if !self.ends_line {
            self.print(b"\n", cx)?;
        }
        self.progress.finish();
        self.show_progress(cx);
        Ok(())
    }

    fn print(&mut self, bytes: &[u8], cx: &mut Ctx) -> Result<(), Failure> {
        if let Some(last) = bytes.last() {
            self.ends_line = *last == b'\n';
            cx.stream(bytes)?;
            self.show_progress(cx);
        }
        Ok(())
    }

    /// Prints what the agent printed on standard error, each line by itself. On a terminal the lines wait for the end
    /// of the answer's present line, which they would break.
    fn show_progress(&mut self, cx: &mut Ctx) {
        if cx.is_terminal() && !self.ends_line {
            return;
        }
        if self.progress.left_out > 0 {
            let more = counted(std::mem::take(&mut self.progress.left_out), "line");
            cx.note(format!("agent: {more} of its progress left out"));
        }
        for line in self.progress.waiting.drain(..) {
            cx.note(format!("agent: {}", one_line(&line)));
        }
    }
}
