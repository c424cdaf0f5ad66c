use crate::diagnostic::Diagnostic;
use crate::diagnostic::rule_id::RuleId;
use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::tree::is_skill_file;
use crate::view::skill::SkillView;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::NestedSkill,
    level: Level::Allow,
    group: Group::Other,
    summary: "no skill lies in another skill's folder",
    why: "All that lies below a skill is its own. A `SKILL.md` there is one of its files, and no \
          skill that could be started.",
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

fn check(view: &SkillView<'_>) -> Vec<Diagnostic> {
    let files = view.skill.files.iter();
    files
        .filter(|file| is_skill_file(&file.path) && view.relative(&file.path) != Some("SKILL.md"))
        .map(|file| {
            view.about(file, "a skill below a skill is none of its own")
                .help("move its folder beside the other, or rename the file")
        })
        .collect()
}
