//! The conversation, and the printed parts of a turn: the messages that enter the conversation, the allowed tools, the tokens.

use crate::commands::chat::host::Current;
use crate::outcome::Failure;
use crate::output::screen::FAINT;
use crate::output::text::{shortened, wrapped};
use crate::output::{Ctx, counted, one_line};
use serde_json::json;
use skills_agent::agent::{AgentFunction, AgentMessage, AgentToolCall};
use skills_profiles::Profile;
use skills_runtime::Surface;
use skills_session::Dialect as _;
use skills_session::Session;
use skills_session::activation::{Approved, ApprovedRule, Narrowed, NarrowedTool};
use skills_session::options::{CatalogPlace, Tools};
use skills_session::session::{CallOutcome, Message, ToolError, TurnOutcome};
use std::borrow::Cow;
use std::io::Write as _;

/// The width of a label in cells.
const LABEL: usize = 8;
/// The number of lines of a folded text.
const FOLDED: usize = 3;

/// The part of a message that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fold {
    /// The first lines.
    Folded,
    /// Everything.
    Whole,
}

/// Prints the messages that enter the conversation.
pub(crate) fn messages(messages: &[Message], fold: Fold, cx: &mut Ctx) -> Result<(), Failure> {
    for message in messages {
        match message {
            Message::System { text } => labelled("system", text, fold, cx)?,
            Message::Exchange(exchange) => {
                let call = format!("{} {}", exchange.tool, exchange.arguments);
                labelled("call", &call, fold, cx)?;
                labelled("result", &exchange.result, fold, cx)?;
            }
            message => labelled("user", message.text(), fold, cx)?,
        }
    }
    Ok(())
}

/// Prints the tools that are left, and the rules that approve calls of them. Prints nothing when all tools
/// are left and nothing is approved.
pub(crate) fn tools(
    all: &Tools,
    left: &Narrowed,
    approved: &Approved,
    cx: &mut Ctx,
) -> Result<(), Failure> {
    let is_left = |tool: &str| left.tools.iter().any(|left| left.tool == tool);
    let names = all.iter().map(|(name, _)| name);
    let gone: Vec<&str> = names.filter(|tool| !is_left(tool)).collect();
    let is_narrowed = |tool: &NarrowedTool| {
        !tool.rules.is_empty() || !tool.further.is_empty() || !tool.denied.is_empty()
    };
    let is_whole = gone.is_empty() && !left.tools.iter().any(is_narrowed);
    if is_whole && approved.rules.is_empty() {
        return Ok(());
    }
    let words: Vec<String> = left.tools.iter().map(written).collect();
    let mut parts = vec![match words.as_slice() {
        [] => "none".to_owned(),
        words => words.join(", "),
    }];
    if !gone.is_empty() {
        parts.push(format!("without {}", gone.join(", ")));
    }
    for of_skill in approved.rules.chunk_by(|a, b| a.skill == b.skill) {
        let rules: Vec<String> = of_skill.iter().map(approving).collect();
        let skill = of_skill.first().map_or("", |rule| &*rule.skill);
        parts.push(format!("approved by {skill}: {}", rules.join(", ")));
    }
    labelled("tools", &parts.join("; "), Fold::Whole, cx)
}

/// Formats a rule with the tool whose calls it approves: `Bash(git log:*) for shell`.
fn approving(rule: &ApprovedRule) -> String {
    let written = one_line(&rule.rule.to_string());
    if rule.rule.tool == *rule.tool {
        written
    } else {
        format!("{written} for {}", one_line(&rule.tool))
    }
}

/// Prints text after a label. On a terminal a folded line is shortened to the width.
pub(crate) fn labelled(label: &str, text: &str, fold: Fold, cx: &mut Ctx) -> Result<(), Failure> {
    let all: Vec<&str> = text.lines().collect();
    let shown: Vec<&str> = match fold {
        // A note about one more line would take the room of that line.
        Fold::Folded if all.len() > FOLDED + 1 => {
            let lines = all.iter().filter(|line| !line.trim().is_empty());
            lines.take(FOLDED).copied().collect()
        }
        _ => all.clone(),
    };
    let width = cx.width().map(|width| width.saturating_sub(LABEL));
    let lines = shown.iter().flat_map(|line| match fold {
        Fold::Folded => vec![shortened(line, width)],
        Fold::Whole => wrapped(line, width).into_iter().map(Cow::from).collect(),
    });
    for (at, line) in lines.enumerate() {
        let label = if at == 0 { label } else { "" };
        if !line.is_empty() || at == 0 {
            let label = format!("{label:LABEL$}");
            write!(cx, "{}", cx.styled(FAINT, label))?;
            cx.foreign(&line)?;
        }
        writeln!(cx)?;
    }
    let rest = all.len().saturating_sub(shown.len());
    if rest > 0 {
        let more = format!("{:LABEL$}… {}: `/show`", "", counted(rest, "more line"));
        writeln!(cx, "{}", cx.styled(FAINT, more))?;
    }
    Ok(())
}

/// Formats a tool as a `SKILL.md` has it: `Bash(git log:*)`.
pub(crate) fn written(tool: &NarrowedTool) -> String {
    let name = one_line(&tool.tool);
    let lists: Vec<String> = std::iter::once(&tool.rules)
        .chain(&tool.further)
        .filter(|list| !list.is_empty())
        .map(|list| {
            let patterns = list.iter().filter_map(|rule| rule.pattern.as_deref());
            patterns.collect::<Vec<_>>().join(" or ")
        })
        .collect();
    let denied: Vec<&str> = tool
        .denied
        .iter()
        .filter_map(|rule| rule.pattern.as_deref())
        .collect();
    let allowed = match lists.as_slice() {
        [] => name,
        lists => format!("{name}({})", one_line(&lists.join(" and "))),
    };
    match denied.as_slice() {
        [] => allowed,
        denied => format!("{allowed} but not ({})", one_line(&denied.join(" or "))),
    }
}

/// A session, and the messages and answers so far.
pub(crate) struct Conversation {
    session: Session,
    entries: Vec<Entry>,
    /// The number of entries before the last turn.
    before: usize,
}

/// An entry of a conversation.
enum Entry {
    Message(Message),
    /// An answer of the agent.
    Answer(String),
    /// A call of the agent, with its result.
    Call(AgentToolCall, String),
}

impl Conversation {
    pub(crate) fn new(profile: &Profile, tools: &Tools) -> Self {
        let mut session = Session::new(profile.clone());
        session.set_tools(tools.clone());
        Self {
            session,
            entries: Vec::new(),
            before: 0,
        }
    }

    /// Runs a turn with a message of a person.
    pub(crate) fn turn(&mut self, text: &str, current: &Current) -> TurnOutcome {
        let outcome = self.session.turn(&current.catalog, text, Surface::User);
        // Without messages, `last` still returns the messages of the previous turn.
        if !outcome.messages.is_empty() {
            self.before = self.entries.len();
            let messages = outcome.messages.iter().cloned();
            self.entries.extend(messages.map(Entry::Message));
        }
        outcome
    }

    /// Answers a call of the agent.
    pub(crate) fn call(
        &mut self,
        call: AgentToolCall,
        current: &Current,
    ) -> Result<CallOutcome, ToolError> {
        let AgentFunction { name, arguments } = &call.function;
        let called = self.session.call(&current.catalog, name, arguments);
        let (result, messages) = match &called {
            Ok(outcome) => (outcome.result.clone(), &*outcome.turn.messages),
            Err(error) => (error.to_string(), &[][..]),
        };
        self.entries.push(Entry::Call(call, result));
        let messages = messages.iter().cloned();
        self.entries.extend(messages.map(Entry::Message));
        called
    }

    /// Returns the tools that the active skills leave, and the calls that they approve.
    pub(crate) fn tools(&self) -> (Narrowed, Approved) {
        (self.session.tools(), self.session.approved())
    }

    /// Returns the ids of the active skills.
    pub(crate) fn active(&self) -> Vec<String> {
        let active = self.session.active().iter();
        active
            .map(skills_session::session::Active::qualified_id)
            .collect()
    }

    /// Adds the answer of an agent, and starts the skills that the answer mentions.
    pub(crate) fn answered(&mut self, text: String, current: &Current) -> TurnOutcome {
        let outcome = self.session.answered(&current.catalog, &text);
        self.broke_off(text);
        let messages = outcome.messages.iter().cloned();
        self.entries.extend(messages.map(Entry::Message));
        outcome
    }

    /// Adds the output of an agent that failed or was interrupted. This output starts no skill.
    pub(crate) fn broke_off(&mut self, text: String) {
        if !text.trim().is_empty() {
            self.entries.push(Entry::Answer(text));
        }
    }

    /// Returns the messages of the last turn, without the answer.
    pub(crate) fn last(&self) -> Vec<Message> {
        let last = self.entries.iter().skip(self.before);
        let messages = last.filter_map(|entry| match entry {
            Entry::Message(message) => Some(message.clone()),
            Entry::Answer(_) | Entry::Call(..) => None,
        });
        messages.collect()
    }

    /// Returns the messages for an agent.
    pub(crate) fn for_agent(&self, system: &str) -> Vec<AgentMessage> {
        let mut all = Vec::new();
        if !system.is_empty() {
            all.push(AgentMessage::new("system", system));
        }
        for (at, entry) in self.entries.iter().enumerate() {
            match entry {
                Entry::Answer(text) => all.push(AgentMessage::new("assistant", text)),
                Entry::Message(Message::System { text }) => {
                    all.push(AgentMessage::new("system", &**text));
                }
                Entry::Message(Message::Exchange(exchange)) => {
                    let id = format!("skill-{at}");
                    all.push(tool_call(&id, &exchange.tool, &exchange.arguments));
                    let result = AgentMessage::new("tool", &*exchange.result);
                    all.push(result.field("tool_call_id", id));
                }
                Entry::Call(call, result) => {
                    let AgentFunction { name, arguments } = &call.function;
                    all.push(tool_call(&call.id, name, arguments));
                    let result = AgentMessage::new("tool", result);
                    all.push(result.field("tool_call_id", &*call.id));
                }
                Entry::Message(message) => all.push(AgentMessage::new("user", message.text())),
            }
        }
        all
    }
}

/// Builds the message of an agent that calls a tool.
pub(crate) fn tool_call(id: &str, tool: &str, arguments: &str) -> AgentMessage {
    let function = json!({"name": tool, "arguments": arguments});
    let call = json!([{"id": id, "type": "function", "function": function}]);
    AgentMessage::new("assistant", "").field("tool_calls", call)
}

/// Returns the catalog text for the system prompt; empty when the profile puts the text elsewhere.
pub(crate) fn system_text(current: &Current) -> String {
    match current.profile.options.catalog.place {
        CatalogPlace::SystemPrompt => current.profile.list(&current.catalog).text,
        _ => String::new(),
    }
}
