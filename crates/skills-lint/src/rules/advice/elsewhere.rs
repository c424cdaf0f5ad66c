//! Advice that other packages give too.

use crate::rules::example::{Content, Example, with_body, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const NESTED_SKILL: Rule = Rule {
    id: RuleId::NestedSkill,
    level: Level::Deny,
    group: Group::Other,
    summary: "no skill lies in another skill's folder",
    why: "Everything below the folder of a skill belongs to that skill, and a `SKILL.md` there is one of its files: a \
          stray `SKILL.md` at the top of a folder of skills would hide them all. A build refuses it. Some clients search \
          these folders too and load the inner file as a skill of its own: the finding names them. Below `assets/`, \
          `references/`, `scripts/`, `examples/` and `templates/` it is a warning. The file is checked as a skill, its \
          other findings are warnings at most.",
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
    check: Check::Elsewhere,
};

pub(crate) const UNUSED_SUPPRESSION: Rule = Rule {
    id: RuleId::UnusedSuppression,
    level: Level::Allow,
    group: Group::Other,
    summary: "a comment that suppresses findings suppresses a finding",
    why: "A suppression that is left behind hides the next finding of its rule. A comment cannot \
          suppress `hidden-text`, `secret`, `remote-exec`, `authorized-key`, `link-escape` and `symlink`: only \
          `skills.toml` and the command line can.",
    bad: Example::Skill(with_body!(
        "<!-- skills: allow link-broken -->\n\nList every merged change.\n"
    )),
    marks: "<!-- skills: allow link-broken -->",
    good: Example::Skill(with_body!(
        "<!-- skills: allow link-broken -->\n\nFollow [the style](style.md).\n"
    )),
    fix: FixKind::No,
    // Only the engine knows which comments suppressed a finding.
    check: Check::Bundle(|_| Vec::new()),
};

pub(crate) const PACKAGE_LOSS: Rule = Rule {
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
    check: Check::Files(package_loss),
};

fn package_loss(view: &SkillView<'_>) -> Vec<Finding> {
    let files = view.skill.files.iter();
    files
        .filter(|file| file.path.rsplit('/').next() == Some("Cargo.toml"))
        .map(|file| {
            Finding::new(
                PACKAGE_LOSS.id,
                &file.path,
                "cargo leaves this folder out of a package",
            )
            .help("give the file another name, such as `Cargo.toml.in`")
        })
        .collect()
}
