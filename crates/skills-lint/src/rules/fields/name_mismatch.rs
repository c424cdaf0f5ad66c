use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::Severity;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::NameMismatch,
    level: Level::Deny,
    group: Group::Fields,
    summary: "the name of a skill is the name of its folder",
    why: "Some clients know a skill by its folder, others by its name. If the two differ, one \
          client finds the skill and the other does not. The specification requires that they are \
          equal.",
    bad: Example::Files(&[("changelog/SKILL.md", Content::Text(with_fields!("")))]),
    marks: "release-notes",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::Unsafe,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let mut found = view.faults(RULE.id);
    // A skill that is made from a template gets its own folder, so the finding is milder.
    if view.skill.file.folder.contains("template") {
        for finding in &mut found {
            finding.mildest = Severity::Warning;
        }
    }
    found
}
