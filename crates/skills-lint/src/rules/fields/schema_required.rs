use crate::rules::example::{Content, Example};
use crate::rules::fields::schema_form::{SCHEMA, SKILL, findings};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::SchemaRequired,
    level: Level::Warn,
    group: Group::Fields,
    summary: "a required argument has no default",
    why: "A required argument must be given, and a default stands in for a value that nobody gives. If an argument has \
          both, the default is used: no start fails, and nobody is asked for the value.",
    bad: Example::Files(&[
        SKILL,
        (
            SCHEMA,
            Content::Text(
                "{\"type\": \"object\", \"properties\": {\"environment\": {\"type\": \"string\", \"default\": \"staging\"}}, \"required\": [\"environment\"]}\n",
            ),
        ),
    ]),
    marks: "\"environment\"",
    good: Example::Files(&[
        SKILL,
        (
            SCHEMA,
            Content::Text(
                "{\"type\": \"object\", \"properties\": {\"environment\": {\"type\": \"string\"}}, \"required\": [\"environment\"]}\n",
            ),
        ),
    ]),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    findings(view, RULE.id)
}
