use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::PackageLoss,
    level: Level::Warn,
    group: Group::Other,
    summary: "cargo packs every file of a skill",
    why: "`cargo package` leaves out every folder that has its own `Cargo.toml`, without a \
          message. The published crate then bundles a different skill from the one that was \
          checked.",
    bad: Example::Files(&[
        ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
        (
            "release-notes/assets/template/Cargo.toml",
            Content::Text("[package]\n"),
        ),
    ]),
    marks: "",
    good: Example::Files(&[
        ("release-notes/SKILL.md", Content::Text(with_fields!(""))),
        (
            "release-notes/assets/template/Cargo.toml.in",
            Content::Text("[package]\n"),
        ),
    ]),
    fix: FixKind::No,
    check: Check::Files(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let files = view.skill.files.iter();
    files
        .filter(|file| file.path.rsplit('/').next() == Some("Cargo.toml"))
        .map(|file| {
            Finding::new(
                RULE.id,
                &file.path,
                "cargo leaves this folder out of a package",
            )
            .help("give the file another name, such as `Cargo.toml.in`")
        })
        .collect()
}
