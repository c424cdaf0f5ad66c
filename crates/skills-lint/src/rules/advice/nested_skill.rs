use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::tree::is_skill_file;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::NestedSkill,
    level: Level::Allow,
    group: Group::Other,
    summary: "no skill lies in another skill's folder",
    why: "Everything below the folder of a skill belongs to that skill. A `SKILL.md` there is one \
          of its files, and cannot be started as a skill.",
    bad: Example::Files(&[
        ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
        (
            "release-notes/changelog/SKILL.md",
            Content::Text(with_fields!("")),
        ),
    ]),
    marks: "",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::No,
    check: Check::Files(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let files = view.skill.files.iter();
    files
        .filter(|file| is_skill_file(&file.path) && view.relative(&file.path) != Some("SKILL.md"))
        .map(|file| {
            Finding::new(
                RULE.id,
                &file.path,
                "the skill lies in the folder of another skill",
            )
            .help("move its folder beside the other, or rename the file")
        })
        .collect()
}
