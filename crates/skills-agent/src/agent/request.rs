//! A request to an agent, and its form on standard input.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use skills_store::{Error, ErrorKind};
use std::path::PathBuf;

/// The version of the protocol. Later versions only add fields.
const PROTOCOL: u32 = 1;

/// The form of an agent's input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InputForm {
    /// One JSON object on each line: the task, then the messages.
    #[default]
    Json,
    /// The text of the messages.
    Text,
}

/// The task of an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskKind {
    /// Answer a person's message.
    #[default]
    Chat,
    /// Carry out a scheduled skill.
    Schedule,
    /// Repair the skill in the working folder.
    Improve,
    /// Name the skills for a message.
    Test,
}

/// A message for an agent: a line with a role and a content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AgentMessage {
    /// `system`, `user`, `assistant` or `tool`.
    pub role: &'static str,
    /// The text.
    pub content: String,
    /// The fields of a tool call: `tool_calls`, `tool_call_id`.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A request to an agent: the task, and the messages.
///
/// ```
/// use skills_agent::agent::{AgentMessage, AgentRequest, InputForm, TaskKind};
///
/// let request = AgentRequest {
///     task: TaskKind::Chat,
///     messages: vec![AgentMessage::new("user", "Good day.")],
///     ..AgentRequest::default()
/// };
/// assert_eq!(
///     request.input(InputForm::Json)?,
///     concat!(
///         "{\"task\":\"chat\",\"protocol\":1}\n",
///         "{\"role\":\"user\",\"content\":\"Good day.\"}\n"
///     )
/// );
/// assert_eq!(request.input(InputForm::Text)?, "Good day.\n");
/// # Ok::<(), skills_host::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AgentRequest {
    /// The task.
    #[serde(skip)]
    pub task: TaskKind,
    /// The working folder, in which the agent starts; `None` for the folder of this process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// The name of the skill that the task is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill: Option<String>,
    /// The folder of that skill.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill_folder: Option<PathBuf>,
    /// Maximum time of the agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_seconds: Option<u64>,
    /// The tools that the agent may use; `None` if the caller does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
    /// The calls of tools that need no question; `None` if the caller does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approved: Option<Value>,
    /// The definitions of the tools whose calls the caller answers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skill_tools: Vec<Value>,
    /// Variables to add to the environment.
    #[serde(skip)]
    pub variables: Vec<(String, String)>,
    /// The messages, the latest last.
    #[serde(skip)]
    pub messages: Vec<AgentMessage>,
}

/// The first line of the input.
#[derive(Serialize)]
struct TaskLine<'t> {
    task: TaskKind,
    protocol: u32,
    #[serde(flatten)]
    request: &'t AgentRequest,
}

/// An answer as a message of a chat API, in place of text: what the agent says, the calls that the caller answers, and the tools
/// that the agent called itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct AgentAnswer {
    /// The text for the person.
    pub content: Option<String>,
    /// The calls of the caller's tools.
    pub tool_calls: Vec<AgentToolCall>,
    /// The calls that the agent made itself.
    pub steps: Vec<Step>,
}

/// A call of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The name of the tool.
    pub tool: String,
    /// The input of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// The error; `None` for a successful call.
    #[serde(default)]
    pub error: Option<String>,
}

/// A call of a tool of the caller.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct AgentToolCall {
    /// The id, by which the result is found.
    pub id: String,
    /// The tool, and its arguments as a text of JSON.
    pub function: AgentFunction,
}

/// The tool of a call, with its arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct AgentFunction {
    /// The name of the tool.
    pub name: String,
    /// The arguments: a text of JSON.
    pub arguments: String,
}

impl AgentAnswer {
    /// Parses an answer. Returns `None` for text, also for JSON that has neither calls nor steps.
    pub fn parse(text: &str) -> Option<Self> {
        let answer: Self = serde_json::from_str(text).ok()?;
        (!answer.tool_calls.is_empty() || !answer.steps.is_empty()).then_some(answer)
    }
}

impl AgentMessage {
    /// Creates a message.
    pub fn new(role: &'static str, content: impl Into<String>) -> Self {
        Self {
            role,
            content: content.into(),
            other: Map::new(),
        }
    }

    /// Adds a field.
    #[must_use]
    pub fn field(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.other.insert(name.to_owned(), value.into());
        self
    }
}

impl AgentRequest {
    /// Renders the input of the agent.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Damaged`]: a field cannot be written as JSON.
    pub fn input(&self, form: InputForm) -> Result<String, Error> {
        match form {
            InputForm::Json => self.lines(),
            InputForm::Text => Ok(self.text()),
        }
    }

    fn lines(&self) -> Result<String, Error> {
        let mut lines = line(&TaskLine {
            task: self.task,
            protocol: PROTOCOL,
            request: self,
        })?;
        for message in &self.messages {
            lines.push_str(&line(message)?);
        }
        Ok(lines)
    }

    /// Renders the contents alone. Only a conversation with answers needs the names of the speakers.
    fn text(&self) -> String {
        let is_answer = |message: &AgentMessage| matches!(message.role, "assistant" | "tool");
        let has_answers = self.messages.iter().any(is_answer);
        let contents = self
            .messages
            .iter()
            .filter(|message| !message.content.trim().is_empty());
        let parts: Vec<String> = contents
            .map(|message| {
                let content = message.content.trim_end_matches('\n');
                if has_answers {
                    format!("[{}]\n{content}", message.role)
                } else {
                    content.to_owned()
                }
            })
            .collect();
        parts.join("\n\n") + "\n"
    }
}

fn line(value: &impl Serialize) -> Result<String, Error> {
    let mut line = serde_json::to_string(value)
        .map_err(|error| Error::new(ErrorKind::Damaged, error.to_string()))?;
    line.push('\n');
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_object_with_calls_or_steps_is_more_than_text() {
        let call = r#"{"tool_calls":[{"id":"1","function":{"name":"skill","arguments":"{}"}}]}"#;
        let answer = AgentAnswer::parse(call).unwrap();
        assert_eq!(answer.tool_calls[0].function.name, "skill");
        let steps = AgentAnswer::parse(r#"{"content":"a","steps":[{"tool":"Read"}]}"#).unwrap();
        assert_eq!(steps.content.as_deref(), Some("a"));
        for text in [
            "",
            "a",
            "[]",
            "{}",
            r#"{"content":"a"}"#,
            r#"{"tool_calls":1}"#,
        ] {
            assert_eq!(AgentAnswer::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_first_line_names_the_task_and_the_folder() {
        let request = AgentRequest {
            task: TaskKind::Improve,
            folder: Some("/copy".into()),
            skill: Some("lint".to_owned()),
            skill_folder: Some("/copy".into()),
            limit_seconds: Some(120),
            tools: Some(vec!["Read".to_owned()]),
            messages: vec![
                AgentMessage::new("assistant", "").field("tool_calls", vec!["a"]),
                AgentMessage::new("user", "two\nlines \u{1f}"),
            ],
            ..AgentRequest::default()
        };
        let input = request.input(InputForm::Json).unwrap();
        let lines: Vec<Value> = input
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let expected = serde_json::json!([
            {"task": "improve", "protocol": 1, "folder": "/copy", "skill": "lint",
             "skill_folder": "/copy", "limit_seconds": 120, "tools": ["Read"]},
            {"role": "assistant", "content": "", "tool_calls": ["a"]},
            {"role": "user", "content": "two\nlines \u{1f}"},
        ]);
        assert_eq!(Value::from(lines), expected);
    }

    #[test]
    fn text_names_the_speakers_of_a_conversation_only() {
        let mut request = AgentRequest {
            messages: vec![
                AgentMessage::new("system", "Be short.\n"),
                AgentMessage::new("user", "One?"),
            ],
            ..AgentRequest::default()
        };
        assert_eq!(
            request.input(InputForm::Text).unwrap(),
            "Be short.\n\nOne?\n"
        );
        request
            .messages
            .push(AgentMessage::new("assistant", "One."));
        request.messages.push(AgentMessage::new("user", "Two?"));
        assert_eq!(
            request.input(InputForm::Text).unwrap(),
            "[system]\nBe short.\n\n[user]\nOne?\n\n[assistant]\nOne.\n\n[user]\nTwo?\n"
        );
    }
}
