//! A conversation: its session, its messages, and the messages for an agent.

use crate::commands::chat::live::Current;
use serde_json::json;
use skills_format::estimate_tokens;
use skills_host::agent::AgentMessage;
use skills_runtime::Surface;
use skills_session::options::Tools;
use skills_session::profile::CatalogPlace;
use skills_session::session::{Message, TurnOutcome};
use skills_session::{Profile, Session};

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
            Entry::Answer(_) => None,
        });
        messages.collect()
    }

    /// Estimates the tokens of the conversation, with the catalog text.
    pub(crate) fn tokens(&self, system: &str) -> usize {
        let entries = self.entries.iter().map(|entry| match entry {
            Entry::Message(message) => message_tokens(message),
            Entry::Answer(text) => estimate_tokens(text),
        });
        entries.sum::<usize>() + estimate_tokens(system)
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
                    let function = json!({"name": exchange.tool, "arguments": exchange.arguments});
                    let call = json!([{"id": id, "type": "function", "function": function}]);
                    all.push(AgentMessage::new("assistant", "").field("tool_calls", call));
                    let result = AgentMessage::new("tool", &*exchange.result);
                    all.push(result.field("tool_call_id", id));
                }
                Entry::Message(message) => all.push(AgentMessage::new("user", message.text())),
            }
        }
        all
    }
}

/// Returns the catalog text for the system prompt; empty when the profile puts the text elsewhere.
pub(crate) fn system_text(current: &Current) -> String {
    match current.profile.catalog.place {
        CatalogPlace::SystemPrompt => current.profile.prompt(&current.catalog).text,
        _ => String::new(),
    }
}

/// Estimates the tokens of messages.
pub(crate) fn tokens(messages: &[Message]) -> usize {
    messages.iter().map(message_tokens).sum()
}

fn message_tokens(message: &Message) -> usize {
    let call = match message {
        Message::Exchange(exchange) => estimate_tokens(&exchange.arguments),
        _ => 0,
    };
    call + estimate_tokens(message.text())
}
