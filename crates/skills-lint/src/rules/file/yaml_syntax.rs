use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::YamlSyntax,
    level: Level::Deny,
    group: Group::File,
    summary: "the front matter is YAML that maps keys to values",
    why: "A client that cannot parse the front matter drops the skill, usually without a message. \
          The usual causes are small: a colon in a text without quotes, a value that begins with \
          `*` or `@`, text after a closing quote, a tab.",
    bad: Example::Skill(
        "---\nname: release-notes\ndescription: Use when: a version is about to be published\n\
         ---\n\nList every merged change.\n",
    ),
    marks: ":",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::Safe,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    view.faults(RULE.id)
}
