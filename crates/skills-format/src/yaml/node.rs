//! The values of YAML, each with its bytes.

use crate::text::number::Number;
use crate::text::span::Span;
use std::collections::BTreeSet;

/// A value and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The bytes of the value, quotes included.
    pub span: Span,
    /// The value.
    pub value: Value,
}

/// The value of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Text, written in one of five styles.
    Scalar(Scalar),
    /// `- a` lines or `[a, b]`.
    Sequence(Vec<Node>),
    /// `key: value` lines or `{key: value}`, in the order written, repeated keys included.
    Mapping(Vec<(Node, Node)>),
}

/// A value that is one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The text after quotes, escapes and folds are resolved.
    pub text: String,
    /// The style in which the scalar is written.
    pub style: Style,
}

/// The style of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Without quotes. Only plain text can mean a number, a boolean or null.
    Plain,
    /// `'…'`
    SingleQuoted,
    /// `"…"`
    DoubleQuoted,
    /// `|`
    Literal,
    /// `>`
    Folded,
}

impl Node {
    /// Creates a scalar.
    pub(crate) fn scalar(span: Span, style: Style, text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            span,
            value: Value::Scalar(Scalar { text, style }),
        }
    }

    /// Creates an empty mapping at an offset.
    pub fn empty_mapping(at: usize) -> Self {
        Self {
            span: Span::at(at),
            value: Value::Mapping(Vec::new()),
        }
    }

    /// Returns the text of a scalar, with its escapes resolved. A number stays as it is written: `1.10`. Returns
    /// `None` for a list or a mapping.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar(scalar) => Some(&scalar.text),
            _ => None,
        }
    }

    /// Returns the items of a list.
    pub fn items(&self) -> Option<&[Self]> {
        match &self.value {
            Value::Sequence(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the entries of a mapping, or nothing for any other value.
    pub fn entries(&self) -> &[(Node, Node)] {
        match &self.value {
            Value::Mapping(entries) => entries,
            _ => &[],
        }
    }

    /// Returns the value of a key. Of a repeated key, the last value counts, as in most YAML readers.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|(_, value)| value)
    }

    /// Returns a key and its value, by the key. Of a repeated key, the last entry counts.
    pub fn entry(&self, key: &str) -> Option<(&Node, &Node)> {
        self.entries()
            .iter()
            .rev()
            .find(|(k, _)| k.as_str() == Some(key))
            .map(|(k, v)| (k, v))
    }

    /// Returns whether the value is null: empty, `~` or `null` in plain style.
    pub fn is_null(&self) -> bool {
        matches!(&self.value, Value::Scalar(scalar) if scalar.resolve() == Core::Null)
    }

    /// Returns a boolean of YAML 1.2: `true` or `false`, in three spellings each.
    pub fn as_bool(&self) -> Option<bool> {
        match &self.value {
            Value::Scalar(scalar) => match scalar.resolve() {
                Core::Bool(value) => Some(value),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the kind of the value for a message: `a list`.
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::Sequence(_) => "a list",
            Value::Mapping(_) => "a mapping",
            Value::Scalar(scalar) => match scalar.resolve() {
                Core::Null => "empty",
                Core::Bool(_) => "a boolean",
                Core::Number => "a number",
                Core::Text => "text",
            },
        }
    }
}

/// The meaning of a scalar by YAML 1.2's core schema.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Core {
    Null,
    Bool(bool),
    Number,
    Text,
}

impl Scalar {
    pub(crate) fn resolve(&self) -> Core {
        if self.style != Style::Plain {
            return Core::Text;
        }
        match self.text.as_str() {
            "" | "~" | "null" | "Null" | "NULL" => return Core::Null,
            "true" | "True" | "TRUE" => return Core::Bool(true),
            "false" | "False" | "FALSE" => return Core::Bool(false),
            _ => {}
        }
        Number::read(&self.text).map_or(Core::Text, |_| Core::Number)
    }
}

/// Returns the entries of a mapping by their keys, which the parsers accept only as scalars. Of equal keys, only the
/// last entry is returned.
pub(crate) fn last_entries(entries: &[(Node, Node)]) -> Vec<(&str, &Node)> {
    let mut keys = BTreeSet::new();
    let entries = entries.iter().rev();
    let entries = entries.filter_map(|(key, value)| Some((key.as_str()?, value)));
    let mut last: Vec<_> = entries.filter(|(key, _)| keys.insert(*key)).collect();
    last.reverse();
    last
}

/// The key with which a mapping takes the entries of another mapping, or of each mapping of a list.
pub(crate) const MERGE: &str = "<<";

/// Adds the entries that merge keys bring, at any depth. The merge key stays, and what a mapping says itself counts. Of
/// two merged entries with one key the first counts. A merge key with any other value means nothing.
///
/// Claude Code, Gemini CLI and `OpenCode` read merge keys, and Codex does not: a restraint that only a merge key brings
/// must count here.
pub(crate) fn merged(mut node: Node) -> Node {
    merge(&mut node);
    node
}

fn merge(node: &mut Node) {
    match &mut node.value {
        Value::Scalar(_) => {}
        Value::Sequence(items) => items.iter_mut().for_each(merge),
        Value::Mapping(entries) => {
            for (_, value) in entries.iter_mut() {
                merge(value);
            }
            let added = brought(entries);
            entries.extend(added);
        }
    }
}

/// Returns the entries that the merge keys of a mapping bring.
fn brought(entries: &[(Node, Node)]) -> Vec<(Node, Node)> {
    let is_merge = |key: &Node| key.as_str() == Some(MERGE);
    if !entries.iter().any(|(key, _)| is_merge(key)) {
        return Vec::new();
    }
    let mut keys: BTreeSet<&str> = entries.iter().filter_map(|(key, _)| key.as_str()).collect();
    let values = entries.iter().filter(|(key, _)| is_merge(key));
    let sources = values.flat_map(|(_, value)| match value.items() {
        Some(items) => items,
        None => std::slice::from_ref(value),
    });
    let all = sources.flat_map(Node::entries);
    all.filter(|(key, _)| key.as_str().is_some_and(|key| keys.insert(key)))
        .cloned()
        .collect()
}

#[cfg(test)]
mod merge_tests {
    use super::*;
    use crate::SkillFile;

    /// As Claude Code 2.1.330 lists skills with such front matter.
    #[test]
    fn what_merge_keys_bring() {
        for (text, expected) in [
            ("x: &x {d: Text.}\n<<: *x", Some("Text.")),
            ("d: Own.\n<<: {d: Text.}", Some("Own.")),
            ("<<: {d: Text.}\nd: Own.", Some("Own.")),
            ("<<:\n  d: Block.", Some("Block.")),
            ("<<: [{d: One.}, {d: Two.}]", Some("One.")),
            ("<<: {d: One.}\n<<: {d: Two.}", Some("One.")),
            ("<<: {<<: {d: Deep.}}", Some("Deep.")),
            ("\"<<\": {d: Text.}", Some("Text.")),
            ("<<: text\nd: Own.", Some("Own.")),
            ("<<: [text]", None),
            ("<<:", None),
        ] {
            let node = crate::yaml::parse(text).expect(text).expect(text);
            let node = merged(node);
            assert_eq!(node.get("d").and_then(Node::as_str), expected, "{text}");
        }
    }

    #[test]
    fn a_merged_restraint_closes_and_no_merged_tool_is_approved() {
        for (fields, is_closed, may_approve) in [
            ("<<: {disable-model-invocation: true}", true, false),
            (
                "metadata:\n  <<: {opencode/autoinvoke: \"false\"}",
                true,
                false,
            ),
            (
                "disable-model-invocation: false\n<<: {disable-model-invocation: true}",
                false,
                false,
            ),
            ("<<: {allowed-tools: Bash}", false, false),
            ("allowed-tools: Bash", false, true),
        ] {
            let text = format!("---\nname: s\ndescription: Does.\n{fields}\n---\nGo.\n");
            let file = SkillFile::read("s/SKILL.md", "s", text.as_bytes());
            for skill in [file.strict(), file.lenient().0] {
                let fields = skill.expect("a skill").fields;
                assert_eq!(fields.disable_model_invocation, is_closed, "{text}");
                assert_eq!(fields.may_approve, may_approve, "{text}");
            }
        }
        let text =
            "---\nname: s\ndescription: Does: it\n<<: {disable-model-invocation: true}\n---\nGo.\n";
        let (skill, _) = SkillFile::read("s/SKILL.md", "s", text.as_bytes()).lenient();
        assert!(skill.expect("a skill").fields.disable_model_invocation);
    }
}
