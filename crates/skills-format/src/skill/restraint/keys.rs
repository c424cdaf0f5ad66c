//! Keys that are meant for a field that restrains a skill: misspelt, in other places, and in other characters. And their
//! values, read so that no mistake removes the restraint.

use crate::foreign::{AUTOINVOKE, SLASH};
use crate::skill::allowed_tools::ToolRule;
use crate::skill::fields::read::as_mapping;
use crate::skill::known_fields;
use crate::text::appearance::seen;
use crate::text::distance;
use crate::yaml::node::{Node, Value};
use std::borrow::Cow;

pub(super) const USER: &str = "user-invocable";
pub(super) const MODEL: &str = "disable-model-invocation";
pub(super) const TOOLS: &str = "allowed-tools";
pub(super) const DISALLOWED: &str = "disallowed-tools";
/// The keys of `OpenCode` in `metadata`: for the model, and for a person.
pub(super) const IN_METADATA: [&str; 2] = [AUTOINVOKE, SLASH];

/// Returns the key and the value of an `allow_implicit_invocation` in the front matter that closes the skill, alone or
/// below `policy`.
pub fn misplaced_policy(front_matter: &Node) -> Option<(&Node, &Node)> {
    let closes = |(_, value): &&(Node, Node)| {
        !value.is_null() && value.as_bool().or_else(|| in_words(value)) != Some(true)
    };
    let is_implicit = |(key, _): &&(Node, Node)| key.as_str().is_some_and(is_implicit);
    let entries = || front_matter.entries().iter();
    let below = entries().filter(|(key, _)| key.as_str() == Some("policy"));
    let below = below.flat_map(|(_, policy)| policy.entries());
    let mut all = entries().chain(below).filter(is_implicit);
    let (key, value) = all.find(closes)?;
    Some((key, value))
}

/// Returns whether a key is `allow_implicit_invocation`, with hyphens or below `policy.` too.
fn is_implicit(key: &str) -> bool {
    let key = key.strip_prefix("policy.").unwrap_or(key);
    // The length is cheap to compare, and keys of other lengths are most.
    key.len() == "allow_implicit_invocation".len()
        && known_fields::fold(key) == "allowimplicitinvocation"
}

/// Returns the keys that are misspelt forms of a field that restrains a skill, each with its value and the field, if
/// the value restrains. No client reads these keys. A key in other characters is not among them: `hidden-text` reports
/// it.
pub fn misspelt(front_matter: &Node) -> impl Iterator<Item = (&Node, &Node, &'static str)> {
    restraining(front_matter).filter(|(key, _, field)| key.as_str() != Some(*field))
}

/// Returns the keys of `metadata` that are a field that restrains a skill, or misspelt forms of one, each with its value
/// and the field, if the value restrains. No client reads the fields there.
pub fn below_metadata(metadata: &Node) -> impl Iterator<Item = (&Node, &Node, &'static str)> {
    restraining(metadata)
}

fn restraining(mapping: &Node) -> impl Iterator<Item = (&Node, &Node, &'static str)> {
    mapping.entries().iter().filter_map(|(key, value)| {
        let written = key.as_str()?;
        let field = [MODEL, USER, DISALLOWED]
            .into_iter()
            .find(|field| is_meant(written, field))?;
        let is_set = value.as_bool().or_else(|| in_words(value));
        let restrains = match field {
            MODEL => is_set != Some(false),
            USER => is_set != Some(true),
            _ => !is_empty(value),
        };
        (restrains && !value.is_null() && known_fields::disguised(written).is_none())
            .then_some((key, value, field))
    })
}

/// Returns whether a key is meant for a field that restrains a skill, in any spelling that is read.
pub(crate) fn restrains(key: &str) -> bool {
    let inner = key.strip_prefix("metadata.").unwrap_or(key);
    [USER, MODEL, TOOLS, DISALLOWED]
        .iter()
        .any(|field| is_meant(key, field))
        || IN_METADATA.iter().any(|known| reads_as(inner, known))
        || is_implicit(key)
}

/// Returns whether a key is the field or a misspelt form of the field.
pub(super) fn is_meant(written: &str, field: &str) -> bool {
    if written == field {
        return true;
    }
    is_near(written, field) && known_fields::meant(written) == Some(field)
}

/// Returns whether a person reads a key as the key of a client: in any case, with any characters between the words,
/// with hidden characters, or with a typing error.
pub(super) fn reads_as(written: &str, key: &str) -> bool {
    if written == key {
        return true;
    }
    // A cheap test first: few keys begin so, and a hidden character can stand anywhere.
    let may_be_it =
        written.starts_with(['o', 'O']) || !written.bytes().all(|byte| byte.is_ascii_graphic());
    if !may_be_it {
        return false;
    }
    let letters = |text: &str| -> String {
        let letters = seen(text).to_ascii_lowercase();
        letters
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .collect()
    };
    let (written, key) = (letters(written), letters(key));
    // The client's name must stand there: `metadata` can hold any key.
    written.len().abs_diff(key.len()) <= 2
        && written.starts_with("open")
        && distance::of_words(&written, &key, 2).is_some()
}

/// Returns whether the lengths let a key be a misspelt form of a field: a cheap test, since `meant` compares a key with
/// every field.
fn is_near(written: &str, field: &str) -> bool {
    // Two edits, or two missing hyphens, change the length by at most 2. A key with characters beyond ASCII can have
    // more bytes than it shows.
    written.len().abs_diff(field.len()) <= 2
        || written.len() > field.len() && !written.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Returns the mappings of a value: itself, the mapping in a JSON text, or the mappings of a list.
pub(super) fn mappings(value: &Node) -> Vec<Cow<'_, Node>> {
    match &value.value {
        Value::Sequence(items) => items.iter().map(as_mapping).collect(),
        _ => vec![as_mapping(value)],
    }
}

/// Returns the boolean of a text such as `yes` or `off`.
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
