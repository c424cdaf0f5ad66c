//! A model that repairs a skill. Its tools read and write the files of a copy, and nothing else.

use rig::agent::AgentBuilder;
use rig::completion::{Message, PromptError};
use rig::message::ToolName;
use rig::providers::openai::OpenAIConfig;
use rig::tool::{DynamicTool, ToolExecutionError, ToolOutput};
use serde_json::{Value, json};
use skills_agent::improve::{Improver, Step, Task};
use skills_agent::{Error as Failure, ErrorKind};
use std::error::Error;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// A model on a server of chat completions.
#[derive(Clone, Debug)]
pub struct ModelImprover {
    /// The address of the server.
    pub url: String,
    /// The key for the server.
    pub key: String,
    /// The name of the model.
    pub model: String,
}

/// Returns the step at which a run of an agent failed, or `None` for a failure that no skill can cause.
pub fn failed_step(error: &(dyn Error + 'static)) -> Option<Step> {
    match error.downcast_ref::<PromptError>()? {
        PromptError::UnknownToolCall {
            tool_name,
            available_tools,
            ..
        } => Some(Step {
            tool: tool_name.clone(),
            input: None,
            error: Some(format!(
                "unknown tool: {tool_name}; the tools are {}",
                available_tools.join(", ")
            )),
        }),
        _ => None,
    }
}

impl Improver for ModelImprover {
    fn improve(&self, task: &Task, _: &dyn Fn() -> bool) -> Result<String, Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let answer = runtime
            .map_err(Into::into)
            .and_then(|runtime| runtime.block_on(self.limited(task)));
        answer.map_err(|error| Failure::new(ErrorKind::Program, error.to_string()))
    }
}

impl ModelImprover {
    async fn limited(&self, task: &Task) -> Result<String, Box<dyn Error>> {
        tokio::time::timeout(task.limit, self.ask(task)).await?
    }

    /// Sends one prompt, without a history.
    async fn ask(&self, task: &Task) -> Result<String, Box<dyn Error>> {
        let model = OpenAIConfig::new(&self.key)
            .with_base_url(&self.url)
            .client()
            .chat(&self.model);
        let folder = task.folder.clone();
        let read = tool("read_file", &["path"], move |arguments| {
            fs::read_to_string(inside(&folder, arguments)?).map_err(|error| error.to_string())
        });
        let folder = task.folder.clone();
        let write = tool("write_file", &["path", "text"], move |arguments| {
            let text = arguments["text"].as_str().ok_or("no text is given")?;
            let written = fs::write(inside(&folder, arguments)?, text);
            written
                .map(|()| "written".to_owned())
                .map_err(|error| error.to_string())
        });
        let agent = AgentBuilder::new(model)
            .dynamic_tools(vec![read?, write?])
            .default_max_turns(8)
            .build();
        let prompt = Message::user(&task.prompt);
        Ok(agent.chat(prompt, &mut Vec::new()).await?.output())
    }
}

/// Returns the path of a call in a folder. A path that leads out of the folder is an error.
fn inside(folder: &Path, arguments: &Value) -> Result<PathBuf, String> {
    let path = Path::new(arguments["path"].as_str().ok_or("no path is given")?);
    // The model chooses the path: `..` or a root would reach files outside of the copy.
    let is_inside = path
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    if is_inside {
        Ok(folder.join(path))
    } else {
        Err("the path leads out of the skill".to_owned())
    }
}

/// Builds a tool whose arguments are strings.
fn tool(
    name: &str,
    arguments: &[&str],
    call: impl Fn(&Value) -> Result<String, String> + Send + Sync + 'static,
) -> Result<DynamicTool, Box<dyn Error>> {
    let properties: serde_json::Map<String, Value> = arguments
        .iter()
        .map(|name| ((*name).to_owned(), json!({"type": "string"})))
        .collect();
    let parameters = json!({"type": "object", "properties": properties, "required": arguments});
    Ok(DynamicTool::new(
        ToolName::new(name)?,
        format!("{name}: a file of the skill, by its path in the skill's folder."),
        parameters,
        move |arguments| {
            let result = call(&arguments);
            Box::pin(async move {
                result
                    .map(ToolOutput::text)
                    .map_err(ToolExecutionError::invalid_args)
            })
        },
    ))
}
