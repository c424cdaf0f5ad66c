use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::FrontmatterUnterminated,
    level: Level::Deny,
    group: Group::File,
    summary: "a line `---` closes the front matter",
    why: "If the closing line is missing or indented, some clients read the whole file as front \
          matter, others as plain text. In both cases the skill is lost.",
    bad: Example::Skill(
        "---\nname: release-notes\ndescription: Writes release notes.\n\nList every change.\n",
    ),
    marks: "---",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    view.faults(RULE.id)
}
