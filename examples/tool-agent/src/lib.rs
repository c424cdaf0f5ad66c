//! An agent on the rig framework: the catalog in its preamble, the skill tools among its tools, and
//! `$name` and `/name` in a person's messages. Active skills narrow the tools of the host, and skills that change
//! are met in the next turn. After a failed run, a model repairs the skill.

mod answer;
mod narrowing;
mod repair;
mod skills;

pub use answer::answer;
pub use repair::{ModelImprover, failed_step};

use rig::agent::{Agent, AgentBuilder};
use rig::completion::Message;
use rig::message::{AssistantContent, ToolCall, ToolFunction, ToolName};
use rig::providers::openai::OpenAIConfig;
use rig::tool::DynamicTool;
use skills_runtime::Catalog;
use skills_session::Notice;
use skills_session::Session;
use skills_session::activation::Exchange;
use skills_session::options::Delivery;
use skills_session::options::Options;
use skills_session::options::{AllowedTools, ToolKind};
use skills_session::resolve::Request;
use skills_session::session;
use skills_store::{Decisions, TrustQuestion};
use std::error::Error;
use std::sync::Arc;

use narrowing::Narrowing;
use skills::Skills;

/// What the model reads once, with the first skill of a conversation.
pub const RULES: &str = "Instructions of a skill hold until the person names another task.";

/// An agent with skills, and its conversation.
pub struct SkillAgent {
    agent: Agent,
    skills: Arc<Skills>,
    history: Vec<Message>,
    person: Option<Person>,
}

/// What a person decided about skills, and the question of `/skill trust ID`.
struct Person {
    decisions: Decisions,
    ask: fn(&TrustQuestion) -> bool,
}

/// The answer of the agent, and the notices about the skills in the message.
#[derive(Debug)]
pub struct Reply {
    /// The model's last message.
    pub text: String,
    /// The notices for the person.
    pub notices: Vec<String>,
}

impl SkillAgent {
    /// Builds an agent over a server of chat completions.
    ///
    /// Fails when a tool has no name.
    pub fn new(
        url: &str,
        key: &str,
        model: &str,
        catalog: Catalog,
    ) -> Result<Self, Box<dyn Error>> {
        Self::with_tools(url, key, model, catalog, Vec::new())
    }

    /// Builds the same agent with tools of the host beside the skill tools, each with what it is to a skill. The first
    /// text among the arguments of a tool is its path or its command line.
    ///
    /// Fails when a tool has no name.
    pub fn with_tools(
        url: &str,
        key: &str,
        model: &str,
        catalog: Catalog,
        more: Vec<(DynamicTool, ToolKind)>,
    ) -> Result<Self, Box<dyn Error>> {
        // A skill that a person starts looks like the model's own call of the skill tool.
        let mut profile = Options::DEFAULT;
        profile.delivery = Delivery::ToolCall;
        profile.preamble = "".into();
        profile.rules = RULES.into();
        // This agent asks nobody before a call, so there is no question that a skill could approve.
        profile.allowed_tools = AllowedTools::Narrows;
        let model = OpenAIConfig::new(key)
            .with_base_url(url)
            .client()
            .chat(model);
        let mut session = Session::new(profile);
        session.set_tools(
            more.iter()
                .map(|(tool, kind)| (tool.name().to_string(), *kind)),
        );
        let skills = Arc::new(Skills::new(catalog, session));
        Ok(Self {
            agent: AgentBuilder::new(model)
                .dynamic_tools(skills::tools(&skills)?)
                .dynamic_tools(more.into_iter().map(|(tool, _)| tool).collect())
                .add_hook(Narrowing(Arc::clone(&skills)))
                .default_max_turns(8)
                .build(),
            skills,
            history: Vec::new(),
            person: None,
        })
    }

    /// Lets a person list, enable, disable and trust skills with `/skill`. `ask` shows the question of
    /// `/skill trust ID`, and returns whether the person says yes.
    #[must_use]
    pub fn deciding(mut self, decisions: Decisions, ask: fn(&TrustQuestion) -> bool) -> Self {
        self.person = Some(Person { decisions, ask });
        self
    }

    /// Carries out what a person asks of the host.
    fn carry_out(&self, request: Request) -> Result<Vec<Notice>, skills_store::Error> {
        let Some(Person { decisions, ask }) = &self.person else {
            return Ok(Vec::new());
        };
        let mut skills = self.skills.lock();
        let told = decisions.carry_out(request, &mut skills.catalog, ask)?;
        skills.decided();
        Ok(told)
    }

    /// Returns the ids of the active skills, for the trace of a run.
    pub fn active(&self) -> Vec<String> {
        self.skills.lock().active()
    }

    /// Sends one message of a person, and returns the answer. A skill that the message names enters the
    /// conversation before the model answers, as after the model's own call. If the catalog is
    /// [reloadable](skills_runtime::CatalogBuilder::reloadable), the skills are read again first.
    ///
    /// Fails when the server fails.
    pub async fn say(&mut self, text: &str) -> Result<Reply, Box<dyn Error>> {
        let mut reply = Reply {
            text: String::new(),
            notices: self.skills.lock().reload(),
        };
        let turn = self.skills.lock().turn(text);
        let mut messages = self.as_rigs(turn.messages)?;
        reply
            .notices
            .extend(turn.notices.iter().map(ToString::to_string));
        if let Some(request) = turn.request {
            let told = self.carry_out(request)?;
            reply.notices.extend(told.iter().map(ToString::to_string));
        }
        // rig calls the last message the prompt. Without a message the model gets no turn.
        if let Some(prompt) = messages.pop() {
            self.history.extend(messages);
            let response = self.agent.chat(prompt, &mut self.history).await?;
            reply.text = response.output();
            let told = self.skills.lock().told();
            reply.notices.extend(told.iter().map(ToString::to_string));
            // The skills that the answer names with `$` enter the conversation before the next message.
            let answered = self.skills.lock().answered(&reply.text);
            let told = answered.notices.iter().map(ToString::to_string);
            reply.notices.extend(told);
            let named = self.as_rigs(answered.messages)?;
            self.history.extend(named);
        }
        Ok(reply)
    }

    /// Converts the messages of a session to messages of rig.
    fn as_rigs(&self, messages: Vec<session::Message>) -> Result<Vec<Message>, Box<dyn Error>> {
        let mut rigs = Vec::new();
        for message in messages {
            match message {
                session::Message::Exchange(exchange) => {
                    let id = format!("skill-{}", self.history.len() + rigs.len());
                    rigs.extend(call(id, exchange)?);
                }
                message => rigs.push(Message::user(message.text())),
            }
        }
        Ok(rigs)
    }
}

/// Converts the start of a skill to a tool call and its result.
fn call(id: String, exchange: Exchange) -> Result<[Message; 2], Box<dyn Error>> {
    let name = ToolName::new(exchange.tool)?;
    let arguments = serde_json::from_str(&exchange.arguments)?;
    let call = ToolCall::from_wire(id, ToolFunction::new(name.clone(), arguments));
    let result = Message::tool_result(call.id.clone(), name, String::from(exchange.result));
    Ok([AssistantContent::ToolCall(call).into(), result])
}
