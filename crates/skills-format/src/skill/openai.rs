//! `agents/openai.yaml`: whether Codex lets the model start the skill.
//!
//! Codex hides a skill from the model only for `policy.allow_implicit_invocation: false`, and offers the skill if the
//! file cannot be read. Here such a file closes the skill: its author wrote it to restrain the skill, or cannot know
//! that it has no effect.

use crate::diagnostic::rule_id::RuleId;
use crate::diagnostic::{Diagnostic, Severity};
use crate::text::appearance::seen;
use crate::text::distance;
use crate::text::span::Span;
use crate::yaml;
use crate::yaml::node::{Node, Value};

/// The path of the file in a skill.
pub const OPENAI_FILE: &str = "agents/openai.yaml";

/// The maximum number of bytes of the file that are read.
pub const MAX_OPENAI_FILE: u64 = 64 * 1024;

/// The policy of `agents/openai.yaml` about the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenAiFile {
    /// The file closes the skill to the model, or cannot be read.
    pub is_closed: bool,
    /// The reason why the file is not clear.
    pub fault: Option<Box<OpenAiFault>>,
}

/// The reason why an `agents/openai.yaml` does not say whether the model may start the skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenAiFault {
    /// The bytes of the value; `None` for the whole file.
    pub span: Option<Span>,
    /// The finding, placed in the file.
    pub diagnostic: Diagnostic,
}

impl OpenAiFile {
    /// Reads the file. `path` is the path for display.
    ///
    /// ```
    /// use skills_format::OpenAiFile;
    ///
    /// let closed = OpenAiFile::read("agents/openai.yaml", b"policy:\n  allow_implicit_invocation: false\n");
    /// assert!(closed.is_closed && closed.fault.is_none());
    /// ```
    pub fn read(path: &str, bytes: &[u8]) -> Self {
        if bytes.len() as u64 > MAX_OPENAI_FILE {
            return Self::too_large(path, bytes.len() as u64);
        }
        let placed =
            |span: Span, why: &str| Self::unclear(Some(span), finding(path, why).at(bytes, span));
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Self::unreadable(path, "the file is not UTF-8");
        };
        match yaml::parse(text) {
            Err(error) => placed(Span::at(error.offset), &error.message),
            // An empty file sets nothing.
            Ok(file) => match file.as_ref().map_or(Ok(true), allowed) {
                Ok(is_allowed) => Self {
                    is_closed: !is_allowed,
                    fault: None,
                },
                Err((span, why)) => placed(span, &why),
            },
        }
    }

    /// The file exists, and its bytes cannot be had. `path` is the path for display.
    pub fn unreadable(path: &str, why: &str) -> Self {
        Self::unclear(None, finding(path, why))
    }

    /// The file is larger than [`MAX_OPENAI_FILE`].
    pub(crate) fn too_large(path: &str, bytes: u64) -> Self {
        let why = format!("the file has {bytes} bytes; the maximum is {MAX_OPENAI_FILE}");
        Self::unreadable(path, &why)
    }

    fn unclear(span: Option<Span>, diagnostic: Diagnostic) -> Self {
        Self {
            is_closed: true,
            fault: Some(Box::new(OpenAiFault { span, diagnostic })),
        }
    }
}

fn finding(path: &str, why: &str) -> Diagnostic {
    let message =
        format!("{why}; the model cannot start the skill here, but perhaps in another client");
    let help = "write `policy:` and below it `  allow_implicit_invocation: true` or `false`";
    Diagnostic::new(RuleId::OpenaiYaml, Severity::Warning, path, message).help(help)
}

/// Returns whether the model may start the skill, or why the file does not say so.
fn allowed(file: &Node) -> Result<bool, (Span, String)> {
    let mapping = |node: &Node, what: &str| match &node.value {
        Value::Mapping(_) => Ok(()),
        _ => Err((
            node.span,
            format!("{what} is {}, not a mapping", node.kind()),
        )),
    };
    if file.is_null() {
        return Ok(true);
    }
    mapping(file, "the file")?;
    let mut is_allowed = true;
    // Every entry is read, so that a repeated key cannot hide the stricter one.
    for (key, policy) in file.entries() {
        if key.as_str() != Some(POLICY) {
            unread(key, policy)?;
            continue;
        }
        if policy.is_null() {
            continue;
        }
        mapping(policy, "`policy`")?;
        for (key, value) in policy.entries() {
            if key.as_str() != Some(ALLOWED) {
                unread(key, value)?;
            } else if !value.is_null() {
                is_allowed &= value.as_bool().ok_or_else(|| {
                    let message = format!("`{ALLOWED}` is {}, not `true` or `false`", value.kind());
                    (value.span, message)
                })?;
            }
        }
    }
    Ok(is_allowed)
}

const POLICY: &str = "policy";
const ALLOWED: &str = "allow_implicit_invocation";

/// Refuses a restraint that Codex does not read, because its key is misspelt or stands in another place. Its author
/// meant to close the skill.
fn unread(key: &Node, value: &Node) -> Result<(), (Span, String)> {
    let written = seen(key.as_str().unwrap_or_default()).to_ascii_lowercase();
    if written == "<<" {
        return Err((
            key.span,
            "`<<` is a merge key, which no client reads in this file".to_owned(),
        ));
    }
    let is_key = written.contains("implicit") || distance::of_words(&written, ALLOWED, 3).is_some();
    let is_meant = is_key && !value.is_null() && value.as_bool() != Some(true);
    if is_meant {
        let message = format!("this is not the key `{ALLOWED}` below `{POLICY}`");
        return Err((key.span, message));
    }
    for (key, value) in value.entries() {
        unread(key, value)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> (bool, bool) {
        let file = OpenAiFile::read("agents/openai.yaml", text);
        (file.is_closed, file.fault.is_some())
    }

    #[test]
    fn only_a_clear_file_leaves_the_skill_open() {
        for open in [
            &b""[..],
            b"# nothing\n",
            b"interface:\n  display_name: X\n",
            b"policy:\n",
            b"policy: {}\n",
            b"policy:\n  allow_implicit_invocation:\n",
            b"policy:\n  allow_implicit_invocation: true\n",
            b"allow_implicit_invocation: true\n",
            b"\xEF\xBB\xBFpolicy:\n  allow_implicit_invocation: true\n",
        ] {
            assert_eq!(read(open), (false, false), "{open:?}");
        }
        for closed in [
            &b"policy:\n  allow_implicit_invocation: false\n"[..],
            b"{\"policy\": {\"allow_implicit_invocation\": false}}",
            b"policy:\n  allow_implicit_invocation: false\npolicy:\n  allow_implicit_invocation: true\n",
            b"policy:\n  allow_implicit_invocation: false\n  allow_implicit_invocation: true\n",
        ] {
            assert_eq!(read(closed), (true, false), "{closed:?}");
        }
        for unclear in [
            &b"\xFF"[..],
            b"policy: [",
            b"- a\n",
            b"text\n",
            b"policy: closed\n",
            b"policy:\n  allow_implicit_invocation: 'false'\n",
            b"policy:\n  allow_implicit_invocation: no\n",
            b"policy:\n  allow_implicit_invocation: 0\n",
            "pol\u{200b}icy:\n  allow_implicit_invocation: false\n".as_bytes(),
            "policy:\n  allow_implicit\u{200b}_invocation: false\n".as_bytes(),
            b"Policy:\n  allow_implicit_invocation: false\n",
            b"policy:\n  allow-implicit-invocation: false\n",
            b"policy:\n  allowImplicitInvocation: false\n",
            b"policy:\n  allow_implicit_invocations: false\n",
            b"allow_implicit_invocation: false\n",
            b"policy.allow_implicit_invocation: false\n",
            b"interface:\n  policy:\n    allow_implicit_invocation: false\n",
            b"base: &b\n  x: 1\npolicy:\n  <<: *b\n",
        ] {
            assert_eq!(read(unclear), (true, true), "{unclear:?}");
        }
        assert_eq!(read(&vec![b' '; 64 * 1024]), (false, false));
        assert_eq!(read(&vec![b' '; 64 * 1024 + 1]), (true, true));
    }

    #[test]
    fn a_fault_is_placed_in_the_file() {
        let file = OpenAiFile::read(
            "x/agents/openai.yaml",
            b"policy:\n  allow_implicit_invocation: never\n",
        );
        let fault = file.fault.map(|fault| {
            let found = fault.diagnostic;
            (
                found.path.clone(),
                found.start.line,
                found.message.to_string(),
            )
        });
        let message = "`allow_implicit_invocation` is text, not `true` or `false`; the model cannot start the skill here, but perhaps in another client";
        assert_eq!(
            fault,
            Some(("x/agents/openai.yaml".to_owned(), 2, message.to_owned()))
        );
    }
}
