//! The fields of front matter that differ between two versions of a skill.

use crate::review::side::ReviewedSkill;
use serde::Serialize;
use skills_format::skill::file::SkillFile;
use skills_format::yaml::node::{Node, Value};
use skills_lint::render::masked;
use std::collections::{BTreeMap, BTreeSet};

/// A field of the front matter that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldDifference {
    /// The key.
    pub key: String,
    /// The value in the old version, as it is written. `None` without the field.
    pub old: Option<String>,
    /// The value in the new version, as it is written.
    pub new: Option<String>,
    /// The change fails the gate: nobody here knows what the field allows.
    pub denied: bool,
}

/// Fields that describe a skill, and allow nothing.
const DESCRIBING: [&str; 16] = [
    "name",
    "description",
    "license",
    "version",
    "author",
    "metadata",
    "compatibility",
    "tags",
    "keywords",
    "category",
    "homepage",
    "title",
    "argument-hint",
    "arguments",
    "when_to_use",
    "when-to-use",
];
/// Fields that are compared by what they allow.
const COMPARED: [&str; 8] = [
    "allowed-tools",
    "disallowed-tools",
    "disable-model-invocation",
    "user-invocable",
    "paths",
    "command-tool",
    "command-dispatch",
    "tools",
];

/// Fields that hold a boolean. Clients differ in what they make of `"true"` and of `!!str true`.
const SWITCHES: [&str; 2] = ["disable-model-invocation", "user-invocable"];

/// Compares the fields of two versions, in the order of their keys. Of an added skill only what fails is shown.
pub(super) fn of_skills(old: Option<&ReviewedSkill>, new: &ReviewedSkill) -> Vec<FieldDifference> {
    let is_added = old.is_none();
    let (old, new) = (old.map(values).unwrap_or_default(), values(new));
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let differing = keys
        .into_iter()
        .filter(|key| old.get(*key) != new.get(*key));
    let masked = |value: Option<&String>| value.map(|value| masked(value).into_owned());
    differing
        .map(|key| FieldDifference {
            key: key.clone(),
            old: masked(old.get(key)),
            new: masked(new.get(key)),
            denied: !DESCRIBING.contains(&key.as_str()) && !COMPARED.contains(&key.as_str())
                || SWITCHES.contains(&key.as_str())
                    && new.get(key).is_some_and(|value| !is_truth(value))
                || key == "disallowed-tools"
                    && (old.get(key).zip(new.get(key))).is_some_and(|(old, new)| !keeps(old, new)),
        })
        .filter(|field| field.denied || !is_added)
        .collect()
}

/// Returns the values of the fields by their keys.
fn values(skill: &ReviewedSkill) -> BTreeMap<String, String> {
    let text = skill.text().unwrap_or_default();
    let file = SkillFile::read("SKILL.md", "", text.as_bytes());
    let Some(Ok(node)) = &file.front_matter else {
        return BTreeMap::new();
    };
    // A client finds its own fields in `metadata`, also as a JSON text: they are fields like others.
    let of_clients = node.get("metadata").into_iter().flat_map(Node::entries);
    let of_clients = of_clients.filter(|(key, value)| {
        let is_json = |text: &str| text.trim_start().starts_with('{');
        // This program obeys these two.
        matches!(key.as_str(), Some("aliases" | "requires"))
            || value.as_str().map_or(!value.entries().is_empty(), is_json)
    });
    let of_clients = of_clients.map(|(key, value)| {
        let key = format!("metadata.{}", key.as_str().unwrap_or_default());
        (key, written(value, text))
    });
    let fields = node.entries().iter().map(|(key, value)| {
        // `!!str true` is a text: a tag is a part of the value.
        let tag = text.get(key.span.end..value.span.start).unwrap_or("");
        let tag = tag.find('!').map_or("", |at| &tag[at..]);
        let key = key.as_str().unwrap_or_default();
        (key.to_owned(), format!("{tag}{}", written(value, text)))
    });
    // The whole can be a JSON text too, or a list.
    let metadata = node.get("metadata");
    let other = metadata.filter(|it| it.entries().is_empty() && !it.is_null());
    let other = other.map(|value| ("metadata.".to_owned(), written(value, text)));
    fields.chain(of_clients).chain(other).collect()
}

/// Returns a scalar with the quotes that decide its kind, and any other value as it is written.
fn written(node: &Node, text: &str) -> String {
    match &node.value {
        // `"true"` and `true` are different values.
        Value::Scalar(scalar) if node.as_bool().is_none() && !is_truth(&scalar.text) => {
            scalar.text.clone()
        }
        _ => node.span.of(text).trim().to_owned(),
    }
}

/// Returns whether a new `disallowed-tools` has each name of the old one as it was written. `Bash` with a hidden space, or a list
/// with one text for two names, takes nothing away in clients.
fn keeps(old: &str, new: &str) -> bool {
    let names = |value: &str| -> BTreeSet<String> {
        let list = value.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        let is_list = list.is_some() || value.starts_with("- ");
        let mut open = 0;
        let all = list.unwrap_or(value).split(|c| {
            open += i32::from(c == '(') - i32::from(c == ')');
            open <= 0 && (matches!(c, ',' | '\n') || c == ' ' && !is_list)
        });
        let all = all.map(|name| name.trim_matches(' ').trim_start_matches("- "));
        all.filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let (old, new) = (names(old), names(new));
    let whole = |name: &str| new.contains(name.split('(').next().unwrap_or(name));
    old.iter().all(|name| new.contains(name) || whole(name))
}

fn is_truth(text: &str) -> bool {
    ["true", "false"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_a_limit_keeps() {
        for (old, new) in [
            ("Bash", "Bash, Write"),
            ("Bash Write", "[Write, Bash]"),
            ("- Bash\n- Write", "Bash, Write"),
            ("Bash(rm *)", "Bash(rm *) Write"),
        ] {
            assert!(keeps(old, new), "{old} -> {new}");
        }
        for (old, new) in [
            ("Bash", "Bash\u{a0}"),
            ("Bash", "[\"Bash \"]"),
            ("[Bash, Write]", "[Bash Write]"),
            ("[Bash, Write]", "[\"Bash,Write\"]"),
            ("Bash(rm *)", "Bash( rm *)"),
            ("Bash, Write", "Bash"),
        ] {
            assert!(!keeps(old, new), "{old} -> {new}");
        }
    }
}
