//! One answer to a conversation, for a program with its own skills, such as `skills chat --agent`.

use rig::agent::AgentBuilder;
use rig::completion::Message;
use rig::message::{AssistantContent, ToolCall, ToolFunction, ToolName};
use rig::providers::openai::OpenAIConfig;
use serde::Deserialize;
use std::error::Error;
use std::io::BufRead;

/// A line of a conversation.
#[derive(Deserialize)]
struct Line {
    role: String,
    content: Option<String>,
    #[serde(default)]
    tool_calls: Vec<Call>,
}

#[derive(Deserialize)]
struct Call {
    id: String,
    function: Function,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    arguments: String,
}

/// Sends a conversation to a model, a JSON object on each line, and returns the model's answer.
///
/// Fails when a line is not a message, and when the server fails.
pub async fn answer(
    url: &str,
    key: &str,
    model: &str,
    conversation: impl BufRead,
) -> Result<String, Box<dyn Error>> {
    let mut preamble = String::new();
    let mut messages: Vec<Message> = Vec::new();
    let mut called: Option<ToolCall> = None;
    for line in conversation.lines() {
        let line: Line = serde_json::from_str(&line?)?;
        let text = line.content.unwrap_or_default();
        match line.role.as_str() {
            "system" if messages.is_empty() => preamble.push_str(&text),
            "system" => messages.push(Message::system(text)),
            "user" => messages.push(Message::user(text)),
            "tool" => {
                let call = called.take().ok_or("a result without a call")?;
                let name = ToolName::new(call.function.name)?;
                messages.push(Message::tool_result(call.id, name, text));
            }
            "assistant" => match line.tool_calls.into_iter().next() {
                None => messages.push(Message::assistant(text)),
                Some(Call { id, function }) => {
                    let name = ToolName::new(function.name)?;
                    let arguments = serde_json::from_str(&function.arguments)?;
                    let call = ToolCall::from_wire(id, ToolFunction::new(name, arguments));
                    called = Some(call.clone());
                    messages.push(AssistantContent::ToolCall(call).into());
                }
            },
            role => return Err(format!("a message of {role}").into()),
        }
    }
    // rig calls the last message the prompt.
    let prompt = messages.pop().ok_or("the conversation is empty")?;
    let model = OpenAIConfig::new(key)
        .with_base_url(url)
        .client()
        .chat(model);
    let agent = AgentBuilder::new(model).preamble(preamble).build();
    Ok(agent.chat(prompt, &mut messages).await?.output().clone())
}
