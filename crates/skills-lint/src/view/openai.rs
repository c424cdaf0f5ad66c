//! `agents/openai.yaml`, as Codex reads it.

use skills_format::text::span::Span;
use skills_format::yaml;
use skills_format::yaml::node::{Node, Value};

/// The type of a value (`SkillMetadataFile` in `codex-rs/core-skills/src/loader.rs`). Codex ignores the whole file for a
/// value of another type. It ignores other keys, and texts that it cannot use.
#[derive(Clone, Copy)]
enum Type {
    Mapping(&'static [(&'static str, Type)]),
    List(&'static Type),
    Text,
    Product,
    TruthValue,
}

const FILE: Type = Type::Mapping(&[
    (
        "interface",
        Type::Mapping(&[
            ("display_name", Type::Text),
            ("short_description", Type::Text),
            ("default_prompt", Type::Text),
            ("icon_small", Type::Text),
            ("icon_large", Type::Text),
            ("brand_color", Type::Text),
        ]),
    ),
    (
        "dependencies",
        Type::Mapping(&[("tools", Type::List(&TOOL))]),
    ),
    (
        "policy",
        Type::Mapping(&[
            ("allow_implicit_invocation", Type::TruthValue),
            ("products", Type::List(&Type::Product)),
        ]),
    ),
]);
const TOOL: Type = Type::Mapping(&[
    ("type", Type::Text),
    ("value", Type::Text),
    ("description", Type::Text),
    ("transport", Type::Text),
    ("command", Type::Text),
    ("url", Type::Text),
]);
const PRODUCTS: [&str; 3] = ["chatgpt", "codex", "atlas"];

/// A value for which Codex ignores the whole file.
pub(crate) struct Fault {
    pub(crate) span: Span,
    pub(crate) what: String,
    /// The form that works.
    pub(crate) works: &'static str,
}

/// Returns whether Codex ignores a whole `agents/openai.yaml`.
pub fn codex_reads_over(text: &str) -> bool {
    yaml::parse(text).map_or(true, |root| !faults(root.as_ref()).is_empty())
}

pub(crate) fn faults(root: Option<&Node>) -> Vec<Fault> {
    let mut found = Vec::new();
    if let Some(root) = root.filter(|root| !root.is_null()) {
        value(root, "the file", FILE, &mut found);
    }
    found
}

fn value(node: &Node, name: &str, expected: Type, found: &mut Vec<Fault>) {
    let wanted = match (expected, &node.value) {
        (Type::Mapping(known), Value::Mapping(entries)) => return mapping(entries, known, found),
        (Type::Mapping(_), _) => "a mapping",
        (Type::List(item), Value::Sequence(items)) => {
            for node in items {
                value(node, "an item", *item, found);
            }
            return;
        }
        (Type::List(_), _) => "a list",
        (Type::TruthValue, _) if node.as_bool().is_some() => return,
        (Type::TruthValue, _) => "`true` or `false`",
        (Type::Product, Value::Scalar(scalar)) => {
            let text = &scalar.text;
            let is_it = |known: &&str| text == known || *text == known.to_uppercase();
            if !PRODUCTS.iter().any(is_it) {
                found.push(Fault {
                    span: node.span,
                    what: format!("`{text}` is not a product"),
                    works: "write `chatgpt`, `codex` or `atlas`",
                });
            }
            return;
        }
        (_, Value::Scalar(_)) => return,
        _ => "a string",
    };
    found.push(Fault {
        span: node.span,
        what: format!("{name} is {}, not {wanted}", node.kind()),
        works: "write a value of this type, or remove the key",
    });
}

fn mapping(entries: &[(Node, Node)], known: &[(&str, Type)], found: &mut Vec<Fault>) {
    let mut seen: Vec<&str> = Vec::new();
    for (key, node) in entries {
        let written = key.as_str().unwrap_or_default();
        let Some((name, expected)) = known.iter().find(|(name, _)| *name == written) else {
            continue;
        };
        if seen.contains(name) {
            found.push(Fault {
                span: key.span,
                what: format!("the key `{name}` is repeated"),
                works: "keep one of them",
            });
        }
        seen.push(name);
        // Codex takes a missing list, and no written `null` for one.
        let is_null_list = matches!(expected, Type::List(_)) && !node.span.is_empty();
        if !node.is_null() || is_null_list {
            value(node, &format!("`{name}`"), *expected, found);
        }
    }
}
