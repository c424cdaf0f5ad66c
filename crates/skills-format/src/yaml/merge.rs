//! Merge keys (`<<`): a mapping takes the entries of another mapping.

use crate::yaml::node::{Node, Value};
use std::collections::BTreeSet;

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
mod tests {
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
