//! Reads `triggers.yaml` and the trigger files of two other programs: the texts for which a skill is meant.

pub(crate) mod schema;

use skills_format::TRIGGERS_FILE;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Diagnostic, Severity};
use skills_format::text::distance::nearest;
use skills_format::text::span::Span;
use skills_format::yaml::node::{Node, Value};
use skills_format::yaml::parse;

/// The names of trigger files: ours, waza's and aigent's.
pub const TRIGGER_FILES: [&str; 3] = [TRIGGERS_FILE, "trigger_tests.yaml", "tests.yml"];

/// The trigger texts of one skill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Triggers {
    /// The name of the skill; `None` for the skill that holds the file.
    pub skill: Option<String>,
    /// The place of the name, or of the first text if the name is missing.
    pub span: Span,
    /// The texts, in the order written.
    pub cases: Vec<Trigger>,
}

/// A trigger text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trigger {
    /// The text that a person would write.
    pub text: String,
    /// True if the skill should be chosen for the text.
    pub should: bool,
    /// The place of the text.
    pub span: Span,
}

/// The keys of lists, with `true` if the skill should be chosen. The first two keys are ours, the others waza's.
const KEYS: [(&str, bool); 6] = [
    ("should", true),
    ("should_not", false),
    ("should_trigger_prompts", true),
    ("should_not_trigger_prompts", false),
    ("shouldTriggerPrompts", true),
    ("shouldNotTriggerPrompts", false),
];
const OURS: [&str; 3] = ["skill", "should", "should_not"];

/// Reads a trigger file. `path` is the printed path. An invalid part is reported as a finding, and the rest is
/// read.
///
/// ```
/// use skills_clients::read_triggers;
///
/// let text = "skill: release-notes\nshould: [what changed since 1.4?]\nshould_not: [write a commit message]\n";
/// let (triggers, faults) = read_triggers("triggers.yaml", text.as_bytes());
/// assert_eq!(triggers[0].skill.as_deref(), Some("release-notes"));
/// assert_eq!(triggers[0].cases.len(), 2);
/// assert!(faults.is_empty());
/// ```
pub fn read_triggers(path: &str, bytes: &[u8]) -> (Vec<Triggers>, Vec<Diagnostic>) {
    let mut reading = Reading {
        path,
        bytes,
        faults: Vec::new(),
    };
    let triggers = reading.file();
    (triggers, reading.faults)
}

struct Reading<'f> {
    path: &'f str,
    bytes: &'f [u8],
    faults: Vec<Diagnostic>,
}

impl Reading<'_> {
    fn file(&mut self) -> Vec<Triggers> {
        let text = match std::str::from_utf8(self.bytes) {
            Ok(text) => text,
            Err(error) => {
                self.fault(
                    Span::at(error.valid_up_to()),
                    "the file is not UTF-8",
                    "save it as UTF-8",
                );
                return Vec::new();
            }
        };
        match parse(text) {
            Err(error) => {
                let help = "correct the YAML; a string with `: ` or `#` needs quotes";
                self.fault(Span::at(error.offset), &error.message, help);
                Vec::new()
            }
            Ok(None) => Vec::new(),
            Ok(Some(node)) => match &node.value {
                Value::Sequence(items) => items.iter().map(|item| self.triggers(item)).collect(),
                _ => vec![self.triggers(&node)],
            },
        }
    }

    fn triggers(&mut self, node: &Node) -> Triggers {
        let mut triggers = Triggers {
            span: Span::at(node.span.start),
            ..Triggers::default()
        };
        if !matches!(node.value, Value::Mapping(_)) {
            let help = "write `should:` and `should_not:`, each with a list of strings";
            self.fault(
                node.span,
                &format!("{} where keys are expected", node.kind()),
                help,
            );
            return triggers;
        }
        let is_ours = !node.entries().iter().any(|(key, _)| {
            let key = key.as_str().unwrap_or_default();
            key == "queries" || KEYS.iter().skip(2).any(|(known, _)| key == *known)
        });
        for (key, value) in node.entries() {
            let name = key.as_str().unwrap_or_default();
            if name == "skill" {
                triggers.span = value.span;
                triggers.skill = self.text(value);
            } else if name == "queries" {
                self.queries(value, &mut triggers.cases);
            } else if let Some((_, should)) = KEYS.iter().find(|(known, _)| *known == name) {
                self.texts(value, *should, &mut triggers.cases);
            } else if is_ours {
                let help = match nearest(name, OURS) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "write `skill`, `should` or `should_not`".to_owned(),
                };
                self.fault(
                    key.span,
                    &format!("`{name}` is not a key of this file"),
                    &help,
                );
            }
        }
        triggers
    }

    /// Reads a list of strings, or of mappings with a `prompt`.
    fn texts(&mut self, list: &Node, should: bool, cases: &mut Vec<Trigger>) {
        for item in self.items(list) {
            let text = item.get("prompt").unwrap_or(item);
            self.case(text, should, cases);
        }
    }

    /// Reads aigent's list: mappings with `input` and `should_match`.
    fn queries(&mut self, list: &Node, cases: &mut Vec<Trigger>) {
        for item in self.items(list) {
            let should = item.get("should_match").and_then(Node::as_bool);
            match (item.get("input"), should) {
                (Some(text), Some(should)) => self.case(text, should, cases),
                _ => self.fault(
                    item.span,
                    "a query without `input` and `should_match`",
                    "write both: a text, and true or false",
                ),
            }
        }
    }

    fn items<'n>(&mut self, list: &'n Node) -> &'n [Node] {
        match &list.value {
            Value::Sequence(items) => items,
            _ if list.is_null() => &[],
            _ => {
                let message = format!("{} where a list is expected", list.kind());
                self.fault(list.span, &message, "write a list: `- ` before each text");
                &[]
            }
        }
    }

    fn case(&mut self, node: &Node, should: bool, cases: &mut Vec<Trigger>) {
        if let Some(text) = self.text(node) {
            cases.push(Trigger {
                text,
                should,
                span: node.span,
            });
        }
    }

    /// Reads a text that is not empty.
    fn text(&mut self, node: &Node) -> Option<String> {
        match node.as_str().map(str::trim) {
            Some("") if !node.is_null() => {
                self.fault(node.span, "an empty text", "write what a person would ask");
            }
            Some(text) if !node.is_null() => return Some(text.to_owned()),
            _ => {
                let message = format!("{} where a string is expected", node.kind());
                let help = "write a string; a string with `: ` or `#` needs quotes";
                self.fault(node.span, &message, help);
            }
        }
        None
    }

    fn fault(&mut self, span: Span, message: &str, help: &str) {
        let finding = Diagnostic::new(RuleId::TriggerForm, Severity::Error, self.path, message);
        self.faults.push(finding.at(self.bytes, span).help(help));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<(String, bool)>, Vec<String>) {
        let (triggers, faults) = read_triggers("t.yaml", text.as_bytes());
        let cases = triggers.into_iter().flat_map(|triggers| triggers.cases);
        (
            cases.map(|case| (case.text, case.should)).collect(),
            faults
                .iter()
                .map(|fault| {
                    format!(
                        "{}:{} {}",
                        fault.start.line, fault.start.column, fault.message
                    )
                })
                .collect(),
        )
    }

    #[test]
    fn three_forms_say_the_same() {
        let expected = (
            vec![("a b".to_owned(), true), ("c".to_owned(), false)],
            vec![],
        );
        for text in [
            "should: [a b]\nshould_not:\n- c\n",
            "- should: [a b]\n- should_not: [c]\n",
            "name: x\nshould_trigger_prompts:\n- prompt: a b\n  reason: r\nshould_not_trigger_prompts: [{prompt: c}]\n",
            "shouldTriggerPrompts: [a b]\nshouldNotTriggerPrompts: [\"c\"]\n",
            "queries:\n- {input: a b, should_match: true, min_score: 0.5}\n- {input: c, should_match: false}\n",
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn faults_have_their_places() {
        for (text, faults) in [
            ("should: a\n", &["1:9 text where a list is expected"][..]),
            ("shuold: [a]\n", &["1:1 `shuold` is not a key of this file"]),
            (
                "should: [a, {b: c}, '']\n",
                &[
                    "1:13 a mapping where a string is expected",
                    "1:21 an empty text",
                ],
            ),
            (
                "queries: [{input: a}]\n",
                &["1:11 a query without `input` and `should_match`"],
            ),
            ("- a\n", &["1:3 text where keys are expected"]),
            ("should: [a\n", &["1:9 unclosed bracket '['"]),
            ("", &[]),
            ("should:\n", &[]),
        ] {
            assert_eq!(read(text).1, faults, "{text}");
        }
        assert_eq!(read_triggers("t", b"should: [\xff]").1.len(), 1);
    }

    #[test]
    fn many_cases() {
        let text = format!("should:\n{}", "- a text of some words\n".repeat(100_000));
        assert_eq!(read(&text).0.len(), 100_000);
    }
}
