use crate::diagnostic::Diagnostic;
use crate::diagnostic::rule_id::RuleId;
use crate::rules::example::{Content, Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::skill::SkillView;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::SkillTooLarge,
    level: Level::Deny,
    group: Group::Links,
    summary: "a skill has at most 512 files and 16 MiB",
    why: "Hosts that get skills from a server may refuse larger skills.",
    bad: Example::Files(&[
        (
            "release-notes/SKILL.md",
            Content::Text(with_body!("List every merged change.\n")),
        ),
        ("release-notes/assets/old-", Content::Many { files: 600 }),
    ]),
    marks: "",
    good: Example::Skill(with_body!("List every merged change.\n")),
    fix: FixKind::No,
    check: Check::Files(check),
};

/// Limits of the Skills extension of the Model Context Protocol.
const MAX_FILES: usize = 512;
const MAX_BYTES: u64 = 16 << 20;

fn check(view: &SkillView<'_>) -> Vec<Diagnostic> {
    let files = view.skill.files.len();
    let bytes = view
        .skill
        .files
        .iter()
        .fold(0_u64, |sum, file| sum.saturating_add(file.size));
    let mut found = Vec::new();
    if files > MAX_FILES {
        let message = format!("the skill has {files} files, at most {MAX_FILES} are allowed");
        found.push(view.folder(message).help("join files, or leave some out"));
    }
    if bytes > MAX_BYTES {
        let message = format!("the skill has {bytes} bytes, at most {MAX_BYTES} are allowed");
        found.push(
            view.folder(message)
                .help("leave files out, or fetch them when they are needed"),
        );
    }
    found
}
