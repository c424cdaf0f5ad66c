//! A turn: the meaning of a message, the messages that enter the conversation, and the agent's answer.

use crate::catalog::find;
use crate::commands::agent_settings::{AgentOptions, settings_shown};
use crate::commands::chat::console::{Console, Interruption, Quiet, Signals};
use crate::commands::chat::host::{Current, Host, report as report_failure};
use crate::commands::chat::shown::{
    self, Conversation, Fold, labelled, message_tokens_of, system_text, tool_call,
};
use crate::commands::chat::words::WORDS;
use crate::commands::improve::repair;
use crate::commands::inspect::tools;
use crate::commands::list::selection::Selection;
use crate::commands::list::table;
use crate::outcome::Failure;
use crate::output::screen::Progress;
use crate::output::{Ctx, counted, one_line};
use serde_json::{Value, json};
use skills_agent::agent::{
    AgentAnswer, AgentCommand, AgentEnd, AgentEvent, AgentFunction, AgentMessage, AgentRequest,
    AgentRun, AgentToolCall, ErrorLines, TaskKind,
};
use skills_agent::improve::{Step, Trace};
use skills_format::estimate_tokens;
use skills_format::mention::Refusal;
use skills_host::waited::Waited;
use skills_runtime::{Catalog, Outcome as Meaning, Surface};
use skills_session::activation::{Approved, Narrowed};
use skills_session::options::Tools;
use skills_session::resolve::{Dispatch, Effect, Request, Verdict};
use skills_session::session::{Message, TurnOutcome};
use skills_session::{Dialect as _, Notice};
use std::collections::VecDeque;
use std::io::Write as _;
use std::time::{Duration, Instant};

/// A prompt: the conversation, its skills and its agent.
pub(crate) struct Talk<'t> {
    pub(crate) host: Host<'t>,
    pub(crate) conversation: Conversation,
    pub(crate) tools: &'t Tools,
    pub(crate) agent: Option<&'t AgentCommand>,
    pub(crate) agent_options: &'t AgentOptions,
    /// True once the prompt said that no agent is named.
    pub(crate) told_no_agent: bool,
    /// True if the agent failed in a turn.
    pub(crate) has_failed: bool,
}

/// The next step of the prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    GoOn,
    /// The message produced only notices, and was not sent.
    Unsent,
    /// The agent failed.
    Failed,
    Stop,
}

impl Talk<'_> {
    /// Handles a message as a host does.
    pub(crate) fn turn(
        &mut self,
        text: &str,
        console: &dyn Console,
        cx: &mut Ctx,
    ) -> Result<Next, Failure> {
        let current = self.host.live.current();
        // Before the turn: a misspelt command must not enter the conversation.
        if let Some(name) = unknown_command(text, &current) {
            let fact = format!("no command is called /{}", one_line(name));
            let help = "to send it as a message, write a space before it";
            cx.failure(&Failure::failed(
                fact,
                near(name).unwrap_or_else(|| help.to_owned()),
            ));
            // Not put back on the line: the next message would be typed behind it, and sent with it. The history has it.
            return Ok(Next::GoOn);
        }
        let outcome = self.conversation.turn(text, &current);
        report(&outcome.notices, &current.catalog, cx)?;
        if let Some(dispatch) = &outcome.dispatch
            && self.dispatch(dispatch, console, cx)? == Next::Stop
        {
            return Ok(Next::Stop);
        }
        if let Some(request) = outcome.request.clone() {
            self.carry_out(request, cx)?;
        }
        if outcome.messages.is_empty() {
            let is_answered = outcome.dispatch.is_some() || outcome.request.is_some();
            let is_unsent = !is_answered && !outcome.notices.is_empty() && !text.starts_with('/');
            if is_unsent {
                cx.note("(not sent)");
                return Ok(Next::Unsent);
            }
            return Ok(Next::GoOn);
        }
        let system = system_text(&current);
        self.show(text, &outcome, &system, cx)?;
        self.answer((outcome.tools, outcome.approved), &system, console, cx)
    }

    fn show(
        &self,
        typed: &str,
        outcome: &TurnOutcome,
        system: &str,
        cx: &mut Ctx,
    ) -> Result<(), Failure> {
        // With an agent, the person has just typed this text.
        let is_shown = |message: &&Message| {
            self.agent.is_none() || !matches!(message, Message::User { text } if text == typed)
        };
        let messages: Vec<Message> = outcome.messages.iter().filter(is_shown).cloned().collect();
        shown::messages(&messages, Fold::Folded, cx)?;
        shown::tools(self.tools, &outcome.tools, &outcome.approved, cx)?;
        let (turn, all) = (
            message_tokens_of(&outcome.messages),
            self.conversation.tokens(system),
        );
        shown::tokens(turn, all, estimate_tokens(system), cx)
    }

    /// Sends the conversation to the agent, prints its answer, and answers its calls of skill tools.
    fn answer(
        &mut self,
        (mut tools, mut approved): (Narrowed, Approved),
        system: &str,
        console: &dyn Console,
        cx: &mut Ctx,
    ) -> Result<Next, Failure> {
        let Some(agent) = self.agent else {
            if !std::mem::replace(&mut self.told_no_agent, true) {
                let place = settings_shown(self.host.env);
                cx.note(format!(
                    "no agent is set: messages are shown, not sent. To set one: \
                     `--agent COMMAND`, or agent = \"COMMAND\" in {place}"
                ));
            }
            return Ok(Next::GoOn);
        };
        let mut steps = Vec::new();
        for _ in 0..MOST_ROUNDS {
            let messages = self.conversation.for_agent(system);
            let request = self.request(&tools, &approved, messages);
            // An empty line separates the answer from the messages.
            writeln!(cx)?;
            let text = match answer(agent, &request, console.signals(), cx)? {
                Answer::Whole(text) => text,
                Answer::Ended(text) => {
                    self.conversation.broke_off(text);
                    return Ok(Next::GoOn);
                }
                Answer::Failed(text) => {
                    self.conversation.broke_off(text);
                    return Ok(Next::Failed);
                }
                Answer::Stopped => return Ok(Next::Stop),
            };
            let Some(answer) = AgentAnswer::parse(&text) else {
                self.start_named(text, cx)?;
                return Ok(self.repair(steps, cx));
            };
            steps.extend(answer.steps);
            let content = answer.content.unwrap_or_default();
            if answer.tool_calls.is_empty() {
                self.start_named(content, cx)?;
                return Ok(self.repair(steps, cx));
            }
            self.conversation.broke_off(content);
            for call in answer.tool_calls {
                let step = self.call(call, cx)?;
                steps.push(step);
            }
            (tools, approved) = self.conversation.tools();
        }
        cx.warning(format_args!(
            "the agent called tools {MOST_ROUNDS} times in a row, and gave no answer"
        ));
        Ok(Next::Failed)
    }

    fn request(
        &self,
        tools: &Narrowed,
        approved: &Approved,
        messages: Vec<AgentMessage>,
    ) -> AgentRequest {
        let left: Vec<String> = tools.tools.iter().map(shown::written).collect();
        let approved = approved_rules(approved);
        let current = self.host.live.current();
        let specs = current.profile.tools(&current.catalog);
        AgentRequest {
            task: TaskKind::Chat,
            folder: self.host.env.working_folder.clone(),
            variables: vec![
                ("SKILLS_TOOLS".to_owned(), left.join(",")),
                ("SKILLS_APPROVED".to_owned(), approved.to_string()),
            ],
            tools: Some(left),
            approved: Some(approved),
            skill_tools: specs.iter().map(|spec| json!(spec)).collect(),
            messages,
            ..AgentRequest::default()
        }
    }

    /// Answers a call of a skill tool. The result enters the conversation.
    fn call(&mut self, call: AgentToolCall, cx: &mut Ctx) -> Result<Step, Failure> {
        let AgentFunction { name, arguments } = &call.function;
        labelled("call", &format!("{name} {arguments}"), Fold::Folded, cx)?;
        let current = self.host.live.current();
        let called = self.conversation.call(call.clone(), &current);
        let (result, error) = match called {
            Ok(outcome) => {
                report(&outcome.turn.notices, &current.catalog, cx)?;
                (outcome.result.to_string(), None)
            }
            Err(error) => (error.to_string(), Some(error.to_string())),
        };
        labelled("result", &result, Fold::Folded, cx)?;
        Ok(Step {
            tool: call.function.name,
            input: Some(call.function.arguments),
            error,
        })
    }

    /// Hands the steps of a turn to the repair of the skills that were active, if a step failed.
    fn repair(&self, steps: Vec<Step>, cx: &mut Ctx) -> Next {
        let skills = self.conversation.active();
        let trace = Trace::new(skills, steps);
        if trace.errors().next().is_some() && !trace.skills.is_empty() {
            report_failure(
                repair(&trace, &self.host.options, self.agent_options, cx),
                cx,
            );
        }
        Next::GoOn
    }

    /// Starts the skills that an answer mentions, for the next turn.
    fn start_named(&mut self, answer: String, cx: &mut Ctx) -> Result<(), Failure> {
        let current = self.host.live.current();
        let outcome = self.conversation.answered(answer, &current);
        report(&outcome.notices, &current.catalog, cx)?;
        shown::messages(&outcome.messages, Fold::Folded, cx)?;
        if outcome.started.is_empty() {
            return Ok(());
        }
        shown::tools(self.tools, &outcome.tools, &outcome.approved, cx)
    }

    /// Has the agent make the tool call of a slash command, with no turn of its model. Without an agent, prints the call.
    fn dispatch(
        &mut self,
        dispatch: &Dispatch,
        console: &dyn Console,
        cx: &mut Ctx,
    ) -> Result<Next, Failure> {
        let catalog = self.host.catalog();
        let (tools, approved) = self.conversation.tools();
        let gate = |tool: &str, input: &str| match self.agent {
            Some(_) if !self.tools.iter().any(|(name, _)| name == tool) => Verdict::Unknown,
            Some(_) => tools.allows(tool, input).into(),
            None => Verdict::Allowed,
        };
        let call = match dispatch.clone().ask(&catalog, gate) {
            Ok(call) => call,
            Err(refused) => {
                cx.warning(refused.to_string());
                return Ok(Next::GoOn);
            }
        };
        let text = format!("{} {}", one_line(&call.tool), call.arguments);
        labelled("call", text.trim_end(), Fold::Whole, cx)?;
        let Some(agent) = self.agent else {
            let note = "a host calls this tool now, with no turn of the model";
            labelled("", note, Fold::Whole, cx)?;
            return Ok(Next::GoOn);
        };
        let arguments = json!({
            "command": call.arguments,
            "commandName": dispatch.name,
            "skillName": dispatch.skill,
        });
        let messages = vec![tool_call("dispatch", &call.tool, &arguments.to_string())];
        let request = self.request(&tools, &approved, messages);
        match answer(agent, &request, console.signals(), cx)? {
            Answer::Stopped => return Ok(Next::Stop),
            Answer::Failed(_) => {
                self.has_failed = true;
                let step = Step {
                    tool: call.tool,
                    input: Some(call.arguments),
                    error: Some("the agent could not make the call".to_owned()),
                };
                let trace = Trace::new([dispatch.skill.clone()], vec![step]);
                repair(&trace, &self.host.options, self.agent_options, cx)?;
            }
            Answer::Whole(_) | Answer::Ended(_) => {}
        }
        Ok(Next::GoOn)
    }

    /// Carries out a request of `/skill`.
    fn carry_out(&mut self, request: Request, cx: &mut Ctx) -> Result<(), Failure> {
        match request {
            Request::List => {
                let current = self.host.live.current();
                let (catalog, profile) = (&current.catalog, &current.profile);
                if profile.lists_commands {
                    let commands = profile.commands(catalog);
                    return tools::print(&commands, cx);
                }
                table(catalog, &Selection::default(), &self.host.options, cx)
            }
            request => {
                let notices = self.host.carry_out(request, cx)?;
                report(&notices, &self.host.catalog(), cx)
            }
        }
    }
}

/// Returns the name that a message uses as a command, if no command has this name.
fn unknown_command<'t>(text: &'t str, current: &Current) -> Option<&'t str> {
    let word = text.strip_prefix('/')?.split_whitespace().next()?;
    let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':');
    // A path such as `/usr/bin` is a message, not a command.
    if !word.chars().all(is_letter) {
        return None;
    }
    let resolution = current
        .profile
        .resolve(&current.catalog, text, Surface::User);
    let is_about_it = |notice: &Notice| *notice == Notice::unknown(word);
    let is_unknown =
        resolution.effect == Effect::Plain && resolution.notices.iter().all(is_about_it);
    is_unknown.then_some(word)
}

/// Returns a question with the commands of the prompt that begin with a word.
fn near(word: &str) -> Option<String> {
    let word = word.to_ascii_lowercase();
    let names = WORDS
        .iter()
        .map(|own| own.name)
        .filter(|name| name.starts_with(&word));
    find::question(&names.map(|name| format!("/{name}")).collect::<Vec<_>>())
}

/// Prints notices for the person.
pub(crate) fn report(notices: &[Notice], catalog: &Catalog, cx: &mut Ctx) -> Result<(), Failure> {
    for notice in notices {
        let words = noticed(notice, catalog);
        writeln!(cx, "{}", cx.strong(one_line(&words)))?;
    }
    Ok(())
}

/// Formats a notice. A skill that has changed since it was trusted gets its own wording.
fn noticed(notice: &Notice, catalog: &Catalog) -> String {
    if let Some(Meaning::Refused {
        skill,
        why: Refusal::Untrusted { .. },
    }) = notice.outcome()
        && let Ok(entry) = find::find(catalog, skill)
        && let Some((_, Some(changes))) = entry.trusted_record()
    {
        return format!(
            "Skill '{skill}' has changed since you trusted it: {changes}. /skills shows the difference; \
             /skill trust {skill} trusts it as it is."
        );
    }
    notice.to_string()
}

/// Writes the approved rules as JSON, each with the host's name of the tool: an agent that cannot read a rule asks.
fn approved_rules(approved: &Approved) -> Value {
    let rules = approved.rules.iter();
    let rules = rules.map(
        |rule| json!({ "tool": rule.tool, "rule": rule.rule.to_string(), "skill": rule.skill }),
    );
    rules.collect()
}

/// The maximum number of answers in a row that only call tools.
const MOST_ROUNDS: usize = 20;
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
    let _busy = signals.busy();
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
fn report_end(end: AgentEnd, text: &str, cx: &mut Ctx) {
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
        self.progress.finish();
        self.show_progress(cx);
        Ok(text)
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
