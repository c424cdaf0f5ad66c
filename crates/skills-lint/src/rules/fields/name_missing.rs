use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use crate::view::value::{value_edit, without_line_end};
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Edit, Fix};
use skills_format::name::{SkillName, in_yaml};
use skills_format::skill::known_fields::{disguised, meant};
use skills_format::text::span::Span;
use skills_format::yaml::node::Node;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::NameMissing,
    level: Level::Deny,
    group: Group::Fields,
    summary: "the front matter has a `name`",
    why: "The name is what a person types and what a model calls. The specification requires it.",
    bad: Example::Skill(
        "---\ndescription: Writes release notes. Use when a version is published.\n---\n\n\
         List every merged change.\n",
    ),
    marks: "---",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::Unsafe,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let Some(fields) = view.fields() else {
        return Vec::new();
    };
    let folder = || SkillName::make(&view.skill.file.folder);
    let Some((key, value)) = view.field("name") else {
        if view.has("name") {
            return Vec::new();
        }
        if let Some(found) = misspelt(view, RULE.id, "name") {
            return vec![found];
        }
        let start = view.document().map_or(0, |document| document.yaml.start);
        // A line cannot be added to a mapping in braces.
        let is_block = !Span::new(fields.span.start, view.text().len())
            .of(view.text())
            .starts_with('{');
        let mut finding = view
            .at(RULE.id, view.opening(), "the front matter has no `name`")
            .help(help(folder()));
        finding.fix = folder().filter(|_| is_block).map(|name| {
            Fix::guess(vec![Edit::replace(
                Span::at(start),
                format!("name: {}\n", in_yaml(name.as_str())),
            )])
        });
        return vec![finding];
    };
    let is_empty = value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty());
    if !is_empty {
        return Vec::new();
    }
    let end = without_line_end(view.text(), value.span)
        .end
        .max(key.span.end);
    let written = Span::new(key.span.start, end);
    let mut finding = view
        .at(RULE.id, written, "`name` is empty")
        .help(help(folder()));
    finding.fix = folder()
        .and_then(|name| value_edit(view.text(), key, value, &in_yaml(name.as_str())))
        .map(|edit| Fix::guess(vec![edit]));
    vec![finding]
}

/// Reports a missing field at the misspelt key that stands in its place, with the fix of the key. `field-typo` does not
/// report the key again.
pub(super) fn misspelt(view: &SkillView<'_>, rule: RuleId, field: &str) -> Option<Finding> {
    let key = misspelt_key(view, field)?;
    let written = key.as_str()?;
    let message = format!("the front matter has no `{field}`: `{written}` is not a known field");
    Some(
        view.at(rule, key.span, message)
            .help(format!("write `{field}`"))
            .fix(Fix::guess(vec![Edit::replace(key.span, field)])),
    )
}

/// Returns the key that stands for a missing field, if there is one alone.
pub(super) fn misspelt_key<'v>(view: &'v SkillView<'_>, field: &str) -> Option<&'v Node> {
    if view.has(field) {
        return None;
    }
    let is_it = |key: &&Node| {
        let written = key.as_str().unwrap_or_default();
        meant(written) == Some(field) && disguised(written).is_none() && view.is_sound(key.span)
    };
    let mut keys = view
        .fields()?
        .entries()
        .iter()
        .map(|(key, _)| key)
        .filter(is_it);
    keys.next().filter(|_| keys.next().is_none())
}

fn help(name: Option<SkillName>) -> String {
    match name {
        Some(name) => format!("write `name: {}`", in_yaml(name.as_str())),
        None => "write `name: ` and the folder's name".to_owned(),
    }
}
