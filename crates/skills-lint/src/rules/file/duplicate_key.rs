use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::DuplicateKey,
    level: Level::Deny,
    group: Group::File,
    summary: "no key appears twice in one mapping",
    why: "YAML forbids it. Some readers refuse the file, some take the first value, and some take \
          the last.",
    bad: Example::Skill(with_fields!("license: MIT\nlicense: Apache-2.0\n")),
    marks: "license",
    good: Example::Skill(with_fields!("license: MIT OR Apache-2.0\n")),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    view.faults(RULE.id)
}
