//! Values of fields that restrain a skill, read so that no mistake removes the restraint.

use crate::skill::allowed_tools::ToolRule;
use crate::skill::fields::read::as_mapping;
use crate::yaml::node::{Node, Value};
use std::borrow::Cow;

/// Returns the mappings of a value: itself, the mapping in a JSON text, or the mappings of a list.
pub(super) fn mappings(value: &Node) -> Vec<Cow<'_, Node>> {
    match &value.value {
        Value::Sequence(items) => items.iter().map(as_mapping).collect(),
        _ => vec![as_mapping(value)],
    }
}

/// Returns the truth value of a text such as `yes` or `off`.
pub(super) fn in_words(value: &Node) -> Option<bool> {
    match value.as_str()?.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}

/// Returns the entries that can be read.
pub(super) fn tools_of(value: &Node) -> Vec<ToolRule> {
    texts_of(value).flat_map(ToolRule::parse_list).collect()
}

pub(super) fn has_faults(value: &Node) -> bool {
    texts_of(value).any(|text| !ToolRule::faults(text).is_empty())
}

/// Returns whether an entry is neither the name of a tool, with or without a pattern, nor `*`.
pub(super) fn is_unread(value: &Node) -> bool {
    let mut inexact = texts_of(value).flat_map(ToolRule::inexact);
    inexact.any(|entry| entry != ToolRule::ALL.tool)
}

pub(super) fn texts_of(value: &Node) -> impl Iterator<Item = &str> {
    let texts = match &value.value {
        Value::Scalar(_) => std::slice::from_ref(value),
        Value::Sequence(items) => items.as_slice(),
        Value::Mapping(_) => &[],
    };
    texts.iter().filter_map(Node::as_str)
}

/// Returns whether a value is empty, and counts as absent.
pub(super) fn is_empty(value: &Node) -> bool {
    match &value.value {
        Value::Scalar(_) => value.as_str().is_some_and(|text| text.trim().is_empty()),
        Value::Sequence(items) => items.is_empty(),
        Value::Mapping(_) => false,
    }
}
