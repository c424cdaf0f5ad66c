//! Parses a session file of Codex: a JSON object with a payload on each line.

use crate::improve::trace::steps::{Step, Trace, input_of, text_of};
use serde_json::Value;
use std::collections::HashMap;

/// The first characters of a skill's text in the conversation.
const SKILL_TEXT: &str = "<skill>\n<name>";
/// The text before the exit code of a command, in the first lines of its output.
const EXIT_CODES: &[&str] = &["Exit code: ", "Process exited with code "];
/// The first words of the output of a call to an unknown tool.
const UNKNOWN_TOOL: &str = "unsupported call";
/// Number of lines that are searched for the exit code.
const HEAD: usize = 10;

/// The reader of a session, with the calls by their ids.
#[derive(Default)]
pub(super) struct CodexReader {
    steps: HashMap<String, usize>,
}

impl CodexReader {
    /// Parses a line. Returns whether it is a line of such a file.
    pub(super) fn read(&mut self, line: &Value, payload: &Value, trace: &mut Trace) -> bool {
        let text = |value: &Value, key| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let kind = text(payload, "type").unwrap_or_default();
        let id = text(payload, "call_id").unwrap_or_default();
        match (text(line, "type").as_deref(), kind.as_str()) {
            (Some("response_item"), "message") => skill_text(payload, trace),
            (Some("response_item"), "function_call" | "custom_tool_call" | "local_shell_call") => {
                self.call(id, payload, trace);
            }
            (Some("response_item"), "function_call_output" | "custom_tool_call_output") => {
                let output = payload.get("output").unwrap_or(&Value::Null);
                self.fail(&id, error_of(output), trace);
            }
            (Some("event_msg"), "exec_command_end") => {
                let code = payload.get("exit_code").and_then(Value::as_i64);
                let said = ["stderr", "aggregated_output"].map(|key| text(payload, key));
                let said = said.into_iter().flatten().find(|said| !said.is_empty());
                let failed = code.is_some_and(|code| code != 0);
                self.fail(&id, failed.then(|| said.unwrap_or_default()), trace);
            }
            (Some("event_msg"), "patch_apply_end") => {
                let failed = payload.get("success").and_then(Value::as_bool) == Some(false);
                let said = text(payload, "stderr").unwrap_or_default();
                self.fail(&id, failed.then_some(said), trace);
            }
            (Some("session_meta" | "response_item" | "event_msg" | "turn_context"), _) => {}
            _ => return false,
        }
        true
    }

    fn call(&mut self, id: String, payload: &Value, trace: &mut Trace) {
        let input = ["arguments", "input", "action"];
        let input = input.iter().find_map(|key| payload.get(key));
        let input = input_of(input);
        for path in input.iter().flat_map(|input| skill_paths(input)) {
            trace.add_skill(path);
        }
        let tool = payload.get("name").and_then(Value::as_str);
        self.steps.insert(id, trace.steps.len());
        trace.steps.push(Step {
            tool: tool.unwrap_or("shell").to_owned(),
            input,
            error: None,
        });
    }

    fn fail(&self, id: &str, error: Option<String>, trace: &mut Trace) {
        if let (Some(step), Some(error)) = (self.steps.get(id), error) {
            trace.fail(*step, &error);
        }
    }
}

/// Adds the skill whose text a message puts into the conversation.
fn skill_text(payload: &Value, trace: &mut Trace) {
    let text = text_of(payload.get("content").unwrap_or(&Value::Null));
    let name = text.strip_prefix(SKILL_TEXT);
    if let Some((name, _)) = name.and_then(|rest| rest.split_once('<')) {
        trace.add_skill(name.trim());
    }
}

/// Returns the names of the folders whose `SKILL.md` a text names.
fn skill_paths(input: &str) -> impl Iterator<Item = &str> {
    input.match_indices("/SKILL.md").filter_map(|(at, _)| {
        let before = input.get(..at)?;
        let name = before.rsplit(['/', '\\', ' ', '"', '\'']).next()?;
        (!name.is_empty()).then_some(name)
    })
}

/// Returns the error in an output; `None` for a success.
fn error_of(output: &Value) -> Option<String> {
    if output.get("success").and_then(Value::as_bool) == Some(false) {
        return Some(text_of(output.get("content").unwrap_or(&Value::Null)));
    }
    let text = text_of(output.get("content").unwrap_or(output));
    if text.starts_with(UNKNOWN_TOOL) {
        return Some(text);
    }
    // An older version writes JSON into the text.
    if let Ok(whole) = serde_json::from_str::<Value>(&text)
        && let Some(code) = whole.pointer("/metadata/exit_code").and_then(Value::as_i64)
    {
        let said = text_of(whole.get("output").unwrap_or(&Value::Null));
        return (code != 0).then_some(said);
    }
    let code = |line: &str| {
        let code = EXIT_CODES.iter().find_map(|words| line.strip_prefix(words));
        code.and_then(|code| code.trim().parse::<i64>().ok())
    };
    let code = text.lines().take(HEAD).find_map(code)?;
    let said = text.split_once("\nOutput:\n").map(|(_, said)| said);
    (code != 0).then(|| said.unwrap_or(&text).to_owned())
}
