//! The fields of front matter that differ between two versions of a skill.

use crate::review::side::ReviewedSkill;
use crate::review::words::{Piece, of_texts};
use serde::Serialize;
use skills_format::lenient::recover;
use skills_format::skill::file::SkillFile;
use skills_format::yaml::node::{Node, Value};
use std::collections::BTreeMap;

/// A field of the front matter that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FieldDifference {
    /// The key.
    pub key: String,
    /// The words of the value that differ. A list and a mapping have the words as they are written.
    pub pieces: Vec<Piece>,
    /// The old version has the field.
    pub was_there: bool,
    /// The new version has the field.
    pub is_there: bool,
}

/// Compares the fields of two versions, in the order of their keys. The name and the description are not among them:
/// they are compared by themselves. Of a repeated key, all values are compared.
pub(super) fn of_skills(old: &ReviewedSkill, new: &ReviewedSkill) -> Vec<FieldDifference> {
    let (old, new) = (values(old), values(new));
    let mut keys: Vec<&String> = old.keys().chain(new.keys()).collect();
    keys.sort();
    keys.dedup();
    let differing = keys
        .into_iter()
        .filter(|key| old.get(*key) != new.get(*key));
    let differing = differing.map(|key| {
        let text = |side: &BTreeMap<String, String>| side.get(key).cloned().unwrap_or_default();
        FieldDifference {
            key: key.clone(),
            pieces: of_texts(&text(&old), &text(&new)),
            was_there: old.contains_key(key),
            is_there: new.contains_key(key),
        }
    });
    differing.collect()
}

/// Returns the values of the fields by their keys.
fn values(skill: &ReviewedSkill) -> BTreeMap<String, String> {
    let mut values: BTreeMap<String, String> = BTreeMap::new();
    let Some(text) = skill.text() else {
        return values;
    };
    let file = SkillFile::read("SKILL.md", "", text.as_bytes());
    let recovered;
    let node = match (&file.front_matter, &file.document) {
        (Some(Ok(node)), _) => node,
        (Some(Err(_)), Some(Ok(document)))
            if document.yaml.len() <= skills_format::MAX_FRONT_MATTER =>
        {
            recovered = recover::front_matter(text, document.yaml).node;
            &recovered
        }
        _ => return values,
    };
    for (key, value) in node.entries() {
        let key = key.as_str().unwrap_or_default();
        if matches!(key, "name" | "description") {
            continue;
        }
        let value = written(value, text);
        match values.get_mut(key) {
            Some(all) => *all = format!("{all}\n{value}"),
            None => drop(values.insert(key.to_owned(), value)),
        }
    }
    values
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

fn is_truth(text: &str) -> bool {
    ["true", "false"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word))
}
