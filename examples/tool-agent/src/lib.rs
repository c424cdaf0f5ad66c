//! An agent on the rig framework: the catalog in its preamble, the skill tools among its tools, and
//! `$name` and `/name` in what a person types.

use rig::agent::{Agent, AgentBuilder};
use rig::completion::Message;
use rig::message::{AssistantContent, ToolCall, ToolFunction, ToolName};
use rig::providers::openai::OpenAIConfig;
use rig::tool::{DynamicTool, ToolExecutionError, ToolOutput};
use skills_runtime::activation::Exchange;
use skills_runtime::tool::ToolSpec;
use skills_runtime::{Activation, Catalog, Profile, Session, Surface, Tools};
use std::error::Error;
use std::sync::Arc;

/// An agent that has skills, and its conversation.
pub struct SkillAgent {
    agent: Agent,
    catalog: Catalog,
    profile: Profile,
    session: Session,
    history: Vec<Message>,
}

/// What the agent says, and what a person is told about the skills that were named.
#[derive(Debug)]
pub struct Reply {
    /// The model's last message.
    pub text: String,
    /// What to tell the person.
    pub notices: Vec<String>,
}

impl SkillAgent {
    /// An agent over a server of chat completions.
    ///
    /// Fails when a tool has no name.
    pub fn new(
        url: &str,
        key: &str,
        model: &str,
        catalog: Catalog,
    ) -> Result<Self, Box<dyn Error>> {
        let profile = Profile::DEFAULT;
        let model = OpenAIConfig::new(key)
            .with_base_url(url)
            .client()
            .chat(model);
        let tools = Arc::new(Tools::new(&catalog, &profile));
        let mut dynamic = Vec::new();
        for spec in tools.specs() {
            dynamic.push(tool(&tools, spec)?);
        }
        let preamble = catalog.prompt(&profile.prompt()).text;
        Ok(Self {
            agent: AgentBuilder::new(model)
                .preamble(preamble)
                .dynamic_tools(dynamic)
                .default_max_turns(8)
                .build(),
            session: Session::new(&profile),
            catalog,
            profile,
            history: Vec::new(),
        })
    }

    /// Sends one message of a person and gives the answer. A skill that it names is in the
    /// conversation before the model answers, as the model's own call would have put it there.
    ///
    /// Fails when the server does, or when a skill's file cannot be read.
    pub async fn say(&mut self, text: &str) -> Result<Reply, Box<dyn Error>> {
        self.session.next_turn();
        let turn = self.catalog.turn(text, Surface::User, &self.profile);
        let mut messages = vec![Message::user(&turn.task)];
        for activation in turn.activate(&self.catalog, &self.profile.activation()) {
            messages.extend(self.start(&activation?)?);
        }
        // The last message is what rig calls the prompt.
        let prompt = messages.pop().unwrap_or_else(|| Message::user(text));
        self.history.extend(messages);
        let response = self.agent.chat(prompt, &mut self.history).await?;
        Ok(Reply {
            text: response.output().clone(),
            notices: turn.notices.iter().map(ToString::to_string).collect(),
        })
    }

    /// A skill's start as a tool call and its result.
    fn start(&mut self, activation: &Activation) -> Result<[Message; 2], Box<dyn Error>> {
        let entered = self.session.enter(activation);
        let Some(Exchange {
            tool, arguments, ..
        }) = activation.exchange()
        else {
            return Err("the profile has a skill tool".into());
        };
        let name = ToolName::new(tool)?;
        let id = format!("skill-{}", self.history.len());
        let function = ToolFunction::new(name.clone(), serde_json::from_str(&arguments)?);
        let call = ToolCall::from_wire(id, function);
        let result = Message::tool_result(call.id.clone(), name, entered.text);
        Ok([AssistantContent::ToolCall(call).into(), result])
    }
}

/// One of our tools as one of rig's.
fn tool(tools: &Arc<Tools>, spec: ToolSpec) -> Result<DynamicTool, Box<dyn Error>> {
    let tools = Arc::clone(tools);
    let name = spec.name.clone();
    Ok(DynamicTool::new(
        ToolName::new(spec.name)?,
        spec.description,
        spec.parameters,
        move |arguments| {
            let result = tools.call(&name, &arguments.to_string());
            Box::pin(async move {
                // What the model is told is the error's own words.
                result
                    .map(ToolOutput::text)
                    .map_err(|error| ToolExecutionError::invalid_args(error.to_string()))
            })
        },
    ))
}
