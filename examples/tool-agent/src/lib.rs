//! An agent on the rig framework: the catalog in its preamble, the skill tools among its tools, and
//! `$name` and `/name` in a person's messages. After a failed run, a model repairs the skill.

mod answer;
mod repair;

pub use answer::answer;
pub use repair::{ModelImprover, failed_step};

use rig::agent::{Agent, AgentBuilder};
use rig::completion::Message;
use rig::message::{AssistantContent, ToolCall, ToolFunction, ToolName};
use rig::providers::openai::OpenAIConfig;
use rig::tool::{DynamicTool, ToolExecutionError, ToolOutput};
use skills_runtime::activation::Exchange;
use skills_runtime::catalog::TrustQuestion;
use skills_runtime::profile::Delivery;
use skills_runtime::resolve::Request;
use skills_runtime::session::{self, ToolError, ToolSpec, TurnOutcome};
use skills_runtime::{Catalog, Notice, Profile, Session, Surface};
use skills_store::Decisions;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};

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

/// The state that turns and the tools of the model share.
struct Skills {
    catalog: Mutex<Catalog>,
    session: Mutex<Session>,
    /// The notices about the skills that the model started, until the reply shows them.
    notices: Mutex<Vec<Notice>>,
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

    /// Builds the same agent with tools of the host beside the skill tools.
    ///
    /// Fails when a tool has no name.
    pub fn with_tools(
        url: &str,
        key: &str,
        model: &str,
        catalog: Catalog,
        more: Vec<DynamicTool>,
    ) -> Result<Self, Box<dyn Error>> {
        // A skill that a person starts looks like the model's own call of the skill tool.
        let mut profile = Profile::DEFAULT;
        profile.delivery = Delivery::ToolCall;
        profile.preamble = "".into();
        let model = OpenAIConfig::new(key)
            .with_base_url(url)
            .client()
            .chat(model);
        let preamble = catalog.prompt(&profile).text;
        let specs = catalog.tools(&profile);
        let skills = Arc::new(Skills {
            session: Mutex::new(Session::new(profile)),
            catalog: Mutex::new(catalog),
            notices: Mutex::default(),
        });
        let tools: Result<Vec<_>, _> = specs.into_iter().map(|spec| tool(&skills, spec)).collect();
        Ok(Self {
            agent: AgentBuilder::new(model)
                .preamble(preamble)
                .dynamic_tools(tools?)
                .dynamic_tools(more)
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
        let catalog = self.skills.catalog.lock();
        let mut catalog = catalog.unwrap_or_else(PoisonError::into_inner);
        decisions.carry_out(request, &mut catalog, ask)
    }

    /// Returns the ids of the active skills, for the trace of a run.
    pub fn active(&self) -> Vec<String> {
        let session = self.skills.session.lock();
        let session = session.unwrap_or_else(PoisonError::into_inner);
        let active = session.active().iter();
        active.map(|active| active.skill.clone()).collect()
    }

    /// Sends one message of a person, and returns the answer. A skill that the message names enters the
    /// conversation before the model answers, as after the model's own call.
    ///
    /// Fails when the server fails.
    pub async fn say(&mut self, text: &str) -> Result<Reply, Box<dyn Error>> {
        let turn = self.skills.turn(text);
        let mut messages = self.as_rigs(turn.messages)?;
        let mut reply = Reply {
            text: String::new(),
            notices: turn.notices.iter().map(ToString::to_string).collect(),
        };
        if let Some(request) = turn.request {
            let told = self.carry_out(request)?;
            reply.notices.extend(told.iter().map(ToString::to_string));
        }
        // rig calls the last message the prompt. Without a message the model gets no turn.
        if let Some(prompt) = messages.pop() {
            self.history.extend(messages);
            let response = self.agent.chat(prompt, &mut self.history).await?;
            reply.text = response.output();
            let told = self.skills.told();
            reply.notices.extend(told.iter().map(ToString::to_string));
            // The skills that the answer names with `$` enter the conversation before the next message.
            let answered = self.skills.answered(&reply.text);
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
                session::Message::System { text } => rigs.push(Message::system(text)),
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

impl Skills {
    fn catalog(&self) -> Catalog {
        let catalog = self.catalog.lock();
        catalog.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Runs a turn. The session is locked only during a turn or a call, never while the model answers.
    fn turn(&self, text: &str) -> TurnOutcome {
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        session.turn(&self.catalog(), text, Surface::User)
    }

    fn answered(&self, text: &str) -> TurnOutcome {
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        session.answered(&self.catalog(), text)
    }

    fn call(&self, tool: &str, arguments: &str) -> Result<String, ToolError> {
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let called = session.call(&self.catalog(), tool, arguments)?;
        let notices = self.notices.lock();
        let mut notices = notices.unwrap_or_else(PoisonError::into_inner);
        notices.extend(called.turn.notices);
        Ok(called.result.into())
    }

    fn told(&self) -> Vec<Notice> {
        let notices = self.notices.lock();
        std::mem::take(&mut *notices.unwrap_or_else(PoisonError::into_inner))
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

/// Converts a tool of the runtime to a tool of rig.
fn tool(skills: &Arc<Skills>, spec: ToolSpec) -> Result<DynamicTool, Box<dyn Error>> {
    let skills = Arc::clone(skills);
    let name = spec.name.clone();
    Ok(DynamicTool::new(
        ToolName::new(spec.name)?,
        spec.description,
        spec.parameters,
        move |arguments| {
            let result = skills.call(&name, &arguments.to_string());
            Box::pin(async move {
                // The model gets the words of the error itself.
                result
                    .map(ToolOutput::text)
                    .map_err(|error| ToolExecutionError::invalid_args(error.to_string()))
            })
        },
    ))
}
