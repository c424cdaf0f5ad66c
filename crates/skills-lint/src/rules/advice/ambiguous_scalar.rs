use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Edit, Fix};
use skills_format::yaml::node::{Node, Style, Value};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::AmbiguousScalar,
    level: Level::Allow,
    group: Group::Other,
    summary: "strings that look like a number, a date or a boolean are quoted",
    why: "Many readers treat `version: 1.10` as the number 1.1, and some treat `yes` as `true`. Here the text is \
          kept as written, but another client may see a different value.",
    bad: Example::Skill(with_fields!("metadata:\n  version: 1.10\n")),
    marks: "1.10",
    good: Example::Skill(with_fields!("metadata:\n  version: \"1.10\"\n")),
    fix: FixKind::Safe,
    check: Check::Skill(check),
};

/// The fields that must be texts. In the switches, another reading of `true` is intended.
const TEXTS: [&str; 10] = [
    "name",
    "description",
    "license",
    "compatibility",
    "version",
    "model",
    "author",
    "argument-hint",
    "command-tool",
    "homepage",
];

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let mut nodes: Vec<&Node> = Vec::new();
    for key in TEXTS {
        nodes.extend(view.field(key).map(|(_, value)| value));
    }
    if let Some((_, metadata)) = view.field("metadata") {
        nodes.extend(metadata.entries().iter().map(|(_, value)| value));
    }
    nodes
        .into_iter()
        .filter_map(|node| {
            let Value::Scalar(scalar) = &node.value else {
                return None;
            };
            let what = reading(&scalar.text).filter(|_| scalar.style == Style::Plain)?;
            let text = &scalar.text;
            Some(
                view.at(
                    RULE.id,
                    node.span,
                    format!("`{text}` is {what} to some readers"),
                )
                .help(format!("write `\"{text}\"`"))
                .fix(Fix::safe(vec![Edit::replace(
                    node.span,
                    format!("\"{text}\""),
                )])),
            )
        })
        .collect()
}

/// Returns the kind of value that another reader can read from an unquoted text.
pub(in crate::rules) fn reading(text: &str) -> Option<&'static str> {
    let lower = text.to_ascii_lowercase();
    let is_number = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))
            && text.chars().any(|c| c.is_ascii_digit())
            && (text.parse::<f64>().is_ok()
                || ["0x", "0o", "0b"].iter().any(|base| text.starts_with(base))
                || text
                    .chars()
                    .all(|c| c.is_ascii_digit() || matches!(c, '_' | ':')))
    };
    let is_date = || {
        let mut parts = text.get(..10)?.split('-');
        let lengths = [4, 2, 2];
        let right = lengths.iter().all(|length| {
            parts.next().is_some_and(|part| {
                part.len() == *length && part.bytes().all(|b| b.is_ascii_digit())
            })
        });
        (right && parts.next().is_none()).then_some(())
    };
    match lower.as_str() {
        "yes" | "no" | "on" | "off" | "y" | "n" | "true" | "false" => Some("a boolean"),
        _ if is_number(&lower) => Some("a number"),
        _ if text.is_char_boundary(10) && is_date().is_some() => Some("a date"),
        _ => None,
    }
}
