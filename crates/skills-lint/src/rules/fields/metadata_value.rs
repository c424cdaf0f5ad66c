use crate::rules::example::{Example, with_fields};
use crate::rules::fields::needed_skill::{as_text, words};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::yaml::node::{Node, Value};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::MetadataValue,
    level: Level::Warn,
    group: Group::Fields,
    summary: "the values of `metadata` are texts",
    why: "In the specification, `metadata` maps texts to texts. Other values are kept here. \
          Clients that follow the specification strictly drop or refuse them.",
    bad: Example::Skill(with_fields!(
        "metadata:\n  topics:\n    - releases\n    - git\n"
    )),
    marks: "- releases\n    - git",
    good: Example::Skill(with_fields!("metadata:\n  topics: releases git\n")),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let Some((_, metadata)) = view.field("metadata") else {
        return Vec::new();
    };
    metadata
        .entries()
        .iter()
        .filter(|(_, value)| !matches!(value.value, Value::Scalar(_)))
        .map(|(key, value)| {
            let key = key.as_str().unwrap_or_default();
            let message = format!("`metadata.{key}` is {}, not a text", value.kind());
            view.at(RULE.id, value.span, message).help(help(key, value))
        })
        .collect()
}

/// The skills that a skill needs are read from a text of JSON too, which every client accepts.
fn help(key: &str, value: &Node) -> String {
    let skills = value.get("skills").filter(|_| key == "requires");
    match skills.map(words) {
        Some(names) if !names.is_empty() => format!("write one text: {}", as_text(&names)),
        _ => "write one text, such as words separated by spaces".to_owned(),
    }
}
