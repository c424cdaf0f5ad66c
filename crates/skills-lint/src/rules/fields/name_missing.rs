use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::skill::known_fields::{disguised, meant};
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
    view.faults(RULE.id)
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
