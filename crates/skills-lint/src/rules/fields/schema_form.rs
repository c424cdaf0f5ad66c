use crate::rules::example::{Content, Example};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::ARGUMENTS_FILE;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::tree::join;

/// The skill of the examples about schemas.
pub(super) const SKILL: (&str, Content) = (
    "deploy/SKILL.md",
    Content::Text(
        "---\nname: deploy\ndescription: Deploys a build. Use when a version goes out.\n\
         arguments: [environment]\n---\n\nDeploy to $environment.\n",
    ),
);
pub(super) const SCHEMA: &str = "deploy/arguments.schema.json";

pub(crate) const RULE: Rule = Rule {
    id: RuleId::SchemaForm,
    level: Level::Deny,
    group: Group::Fields,
    summary: "the schema of the arguments holds what is read",
    why: "The file gives the arguments of the skill their types: a JSON Schema (2020-12) of an object. A property is a \
          `string`, `integer`, `number`, `boolean`, or an `array` of these, with `enum`, `const`, `default`, \
          `minimum`, `maximum`, `minLength`, `maxLength`, `description` and `title`. The object has `properties`, \
          `required`, `additionalProperties: false`, `$schema`, `title` and `description`. A keyword that is not read \
          would promise a check that never happens. A build refuses a schema that cannot be read at every level of this \
          rule and of `schema-default`, since the arguments of the skill would have no types.",
    bad: Example::Files(&[
        SKILL,
        (
            SCHEMA,
            Content::Text(
                "{\"type\": \"object\", \"properties\": {\"environment\": {\"type\": \"string\", \"pattern\": \"^[a-z]+$\"}}}\n",
            ),
        ),
    ]),
    marks: "\"pattern\"",
    good: Example::Files(&[
        SKILL,
        (
            SCHEMA,
            Content::Text(
                "{\"type\": \"object\", \"properties\": {\"environment\": {\"enum\": [\"staging\", \"production\"]}}}\n",
            ),
        ),
    ]),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    findings(view, RULE.id)
}

/// Returns the faults of the schema that a rule reports.
pub(super) fn findings(view: &SkillView<'_>, rule: RuleId) -> Vec<Finding> {
    let Some(file) = &view.skill.arguments else {
        return Vec::new();
    };
    let path = join(view.skill.dir, ARGUMENTS_FILE);
    let faults = file.faults.iter().chain(&file.doubts);
    let faults = faults.filter(|fault| fault.rule == rule);
    faults
        .map(|fault| {
            let mut finding =
                Finding::new(rule, &path, fault.message.clone()).help(fault.help.clone());
            finding.span = fault.span;
            finding
        })
        .collect()
}
