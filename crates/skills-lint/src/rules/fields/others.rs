//! Rules about fields beyond the name and the description.

use crate::rules::example::{Example, with_fields};
use crate::rules::fields::needed_skill::{as_text, words};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::foreign::NEEDS;
use skills_format::skill::known_fields::{self, FIELDS, meant};
use skills_format::text::span::Span;
use skills_format::yaml::node::{Node, Value};

pub(crate) const METADATA_VALUE: Rule = Rule {
    id: RuleId::MetadataValue,
    level: Level::Warn,
    group: Group::Fields,
    summary: "the values of `metadata` are strings",
    why: "In the specification, `metadata` maps strings to strings. Other values are kept here, but clients that \
          follow the specification strictly drop or refuse them.",
    bad: Example::Skill(with_fields!(
        "metadata:\n  topics:\n    - releases\n    - git\n"
    )),
    marks: "- releases\n    - git",
    good: Example::Skill(with_fields!("metadata:\n  topics: releases git\n")),
    fix: FixKind::No,
    check: Check::Skill(metadata_value),
};

fn metadata_value(view: &SkillView<'_>) -> Vec<Finding> {
    let Some((_, metadata)) = view.field("metadata") else {
        return Vec::new();
    };
    metadata
        .entries()
        .iter()
        // The key of a program that reads a mapping there.
        .filter(|(key, value)| {
            !matches!(value.value, Value::Scalar(_)) && key.as_str() != Some(NEEDS)
        })
        .map(|(key, value)| {
            let key = key.as_str().unwrap_or_default();
            let message = format!("`metadata.{key}` is {}, not a string", value.kind());
            view.at(METADATA_VALUE.id, value.span, message)
                .help(help(key, value))
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

pub(crate) const UNKNOWN_FIELD: Rule = Rule {
    id: RuleId::UnknownField,
    level: Level::Allow,
    group: Group::Fields,
    summary: "every field belongs to the specification or is in wide use beyond it",
    why: "Clients ignore unknown fields, and some validators refuse them. Put your own fields under `metadata`, \
          where the specification has room for them.",
    bad: Example::Skill(with_fields!("audience: maintainers\n")),
    marks: "audience",
    good: Example::Skill(with_fields!("metadata:\n  audience: maintainers\n")),
    fix: FixKind::No,
    check: Check::Skill(unknown_field),
};

fn unknown_field(view: &SkillView<'_>) -> Vec<Finding> {
    let entries = view.fields().map(Node::entries);
    let keys = entries.unwrap_or_default().iter().map(|(key, _)| key);
    keys.filter_map(|key| {
        let written = key.as_str()?;
        let is_known = FIELDS.iter().any(|known| known.key == written);
        let is_typo = meant(written).is_some_and(|meant| !view.has(meant));
        (!is_known && !is_typo).then(|| {
            view.at(
                UNKNOWN_FIELD.id,
                key.span,
                format!("`{written}` is not a known field"),
            )
            .help("move it below `metadata`")
        })
    })
    .collect()
}

pub(crate) const DISPATCH_FORM: Rule = Rule {
    id: RuleId::DispatchForm,
    level: Level::Deny,
    group: Group::Fields,
    summary: "`command-dispatch` is `tool` and has its `command-tool`",
    why: "The slash command of such a skill calls a tool directly, without the model. If the tool is missing or the \
          mode is unknown, nothing can be called.",
    bad: Example::Skill(with_fields!("command-dispatch: tool\n")),
    marks: "tool",
    good: Example::Skill(with_fields!(
        "command-dispatch: tool\ncommand-tool: changelog\n"
    )),
    fix: FixKind::No,
    check: Check::Skill(dispatch_form),
};

fn dispatch_form(view: &SkillView<'_>) -> Vec<Finding> {
    let faults = view.fields().map(dispatch_faults).unwrap_or_default();
    let sound = faults.into_iter().filter(|(span, ..)| view.is_sound(*span));
    sound
        .map(|(span, message, help)| view.at(DISPATCH_FORM.id, span, message).help(help))
        .collect()
}

/// Returns the faults that keep `command-dispatch` from calling a tool: place, message and help of each.
fn dispatch_faults(front_matter: &Node) -> Vec<(Span, String, &'static str)> {
    let value = |key: &str| known_fields::value(front_matter, key);
    let text = |key: &str| {
        let value = value(key).filter(|value| !value.is_null())?;
        let text = value.as_str()?.trim();
        (!text.is_empty()).then_some((value.span, text))
    };
    let mut found = Vec::new();
    match text("command-dispatch") {
        // `TOOL` is read too, as OpenClaw does.
        Some((span, mode))
            if mode.eq_ignore_ascii_case("tool") && text("command-tool").is_none() =>
        {
            found.push((
                span,
                "the slash command calls a tool, and `command-tool` does not name it".to_owned(),
                "write `command-tool: ` and the tool's name",
            ));
        }
        Some((span, mode)) if !mode.eq_ignore_ascii_case("tool") => found.push((
            span,
            format!("`command-dispatch` cannot be `{mode}`"),
            "write `tool`, the only mode",
        )),
        _ => {}
    }
    if let Some(tool) = value("command-tool")
        && value("command-dispatch").is_none()
    {
        found.push((
            tool.span,
            "`command-tool` without `command-dispatch` calls nothing".to_owned(),
            "write `command-dispatch: tool`",
        ));
    }
    if let Some((span, mode)) = text("command-arg-mode")
        && !mode.eq_ignore_ascii_case("raw")
    {
        found.push((
            span,
            format!("`command-arg-mode` cannot be `{mode}`"),
            "write `raw`, the only mode",
        ));
    }
    found
}
