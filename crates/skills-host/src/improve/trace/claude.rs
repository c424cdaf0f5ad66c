//! Parses a session file of Claude Code: a JSON object on each line.

use crate::improve::trace::steps::{Step, Trace, input_of, text_of};
use serde_json::Value;
use std::collections::HashMap;

/// The tool that starts a skill.
const SKILL_TOOL: &str = "Skill";
/// The first words of a result when the user did not allow a call. The tool has not failed.
const NOT_ALLOWED: &str = "The user doesn't want to";

/// The reader of a session, with the calls whose results are pending.
#[derive(Default)]
pub(super) struct ClaudeReader {
    steps: HashMap<String, usize>,
}

impl ClaudeReader {
    /// Parses a line. Returns whether it is a line of such a file.
    pub(super) fn read(&mut self, line: &Value, trace: &mut Trace) -> bool {
        let Some(content) = line
            .get("message")
            .and_then(|message| message.get("content"))
        else {
            return false;
        };
        match line.get("type").and_then(Value::as_str) {
            Some("assistant") => self.calls(content, trace),
            Some("user") => self.results(content, trace),
            _ => return false,
        }
        true
    }

    fn calls(&mut self, content: &Value, trace: &mut Trace) {
        for block in blocks(content, "tool_use") {
            let Some(tool) = block.get("name").and_then(Value::as_str) else {
                continue;
            };
            let input = block.get("input");
            if tool == SKILL_TOOL {
                let named = |key| input.and_then(|input: &Value| input.get(key)?.as_str());
                let skill = named("skill").or_else(|| named("command"));
                trace.add_skill(skill.unwrap_or_default());
            }
            if let Some(id) = block.get("id").and_then(Value::as_str) {
                self.steps.insert(id.to_owned(), trace.steps.len());
            }
            trace.steps.push(Step {
                tool: tool.to_owned(),
                input: input_of(input),
                error: None,
            });
        }
    }

    fn results(&mut self, content: &Value, trace: &mut Trace) {
        let typed = text_of(content);
        if let Some((_, command)) = typed.split_once("<command-name>/")
            && let Some((command, _)) = command.split_once('<')
        {
            trace.add_skill(command);
        }
        for block in blocks(content, "tool_result") {
            let id = block.get("tool_use_id").and_then(Value::as_str);
            let step = id.and_then(|id| self.steps.remove(id));
            let is_error = block.get("is_error").and_then(Value::as_bool);
            let text = text_of(block.get("content").unwrap_or(&Value::Null));
            let text = text.trim();
            let text = text.strip_prefix("<tool_use_error>").unwrap_or(text);
            let text = text.strip_suffix("</tool_use_error>").unwrap_or(text);
            if let (Some(step), Some(true)) = (step, is_error)
                && !text.starts_with(NOT_ALLOWED)
            {
                trace.fail(step, text);
            }
        }
    }
}

fn blocks<'v>(content: &'v Value, kind: &'static str) -> impl Iterator<Item = &'v Value> {
    let all = content.as_array().map(Vec::as_slice).unwrap_or_default();
    all.iter()
        .filter(move |block| block.get("type").and_then(Value::as_str) == Some(kind))
}
