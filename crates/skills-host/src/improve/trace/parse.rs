//! Parses a trace in any supported format.

use crate::improve::trace::steps::Trace;
use crate::improve::trace::{claude, codex};
use serde_json::Value;
use skills_format::Prose;
use skills_store::{Error, ErrorKind};

/// Maximum size of a trace in bytes.
pub const MAX_TRACE: u64 = 64 * 1024 * 1024;

impl Trace {
    /// Parses a trace in any supported format.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Damaged`]: the trace is empty, too large, not text, or of an unknown format.
    pub fn parse(bytes: &[u8]) -> Result<Self, Error> {
        if bytes.len() as u64 > MAX_TRACE {
            return Err(invalid(format_args!(
                "the trace is larger than {MAX_TRACE} bytes"
            )));
        }
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Err(invalid("the trace is not UTF-8"));
        };
        if text.trim().is_empty() {
            return Err(invalid("the trace is empty"));
        }
        if let Ok(Value::Object(whole)) = serde_json::from_str(text)
            && whole.contains_key("steps")
        {
            let read: Result<Self, _> = serde_json::from_value(Value::Object(whole));
            let trace = read.map_err(|error| invalid(format_args!("the trace: {error}")))?;
            return Ok(Self::new(trace.skills, trace.steps));
        }
        Self::of_lines(text)
    }

    fn of_lines(text: &str) -> Result<Self, Error> {
        let mut trace = Self::default();
        let (mut claude, mut codex) = (
            claude::ClaudeReader::default(),
            codex::CodexReader::default(),
        );
        let mut is_known = false;
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let Ok(line) = serde_json::from_str::<Value>(line) else {
                trace.unread += 1;
                continue;
            };
            is_known |= match line.get("payload") {
                Some(payload) => codex.read(&line, payload, &mut trace),
                None => claude.read(&line, &mut trace),
            };
        }
        if is_known {
            Ok(trace)
        } else {
            Err(invalid("the trace is of no form that is known"))
        }
    }
}

fn invalid(what: impl Into<Prose>) -> Error {
    Error::new(ErrorKind::Damaged, what).help(
        "a trace is {\"skills\":[\"NAME\"],\"steps\":[{\"tool\":\"NAME\",\"error\":\"…\"}]}, or a session file of Claude Code or Codex",
    )
}

#[cfg(test)]
mod tests;
