use crate::rules::example::{Content, Example};
use crate::rules::fields::schema_form::{SCHEMA, SKILL, findings};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::SchemaDefault,
    level: Level::Deny,
    group: Group::Fields,
    summary: "a default in the schema fits its own type",
    why: "The default is the value of an argument that nobody gives. A default that its own type refuses would give \
          the skill a value that a person could not type.",
    bad: Example::Files(&[
        SKILL,
        (
            SCHEMA,
            Content::Text(
                "{\"type\": \"object\", \"properties\": {\"environment\": {\"enum\": [\"staging\", \"production\"], \"default\": \"test\"}}}\n",
            ),
        ),
    ]),
    marks: "\"test\"",
    good: Example::Files(&[
        SKILL,
        (
            SCHEMA,
            Content::Text(
                "{\"type\": \"object\", \"properties\": {\"environment\": {\"enum\": [\"staging\", \"production\"], \"default\": \"staging\"}}}\n",
            ),
        ),
    ]),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    findings(view, RULE.id)
}
