use crate::rules::example::{Content, Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::FileTooLarge,
    level: Level::Warn,
    group: Group::Links,
    summary: "a file of a skill has at most 1 MiB",
    why: "Files of a skill are read into a conversation, or shipped in a program. A larger file \
          is usually there by mistake.",
    bad: Example::Files(&[
        (
            "release-notes/SKILL.md",
            Content::Text(with_body!("Follow [the style](references/style.md).\n")),
        ),
        ("release-notes/references/style.md", Content::Sized(3 << 20)),
    ]),
    marks: "",
    good: Example::Skill(with_body!("List every merged change.\n")),
    fix: FixKind::No,
    check: Check::Files(check),
};

const MAX_FILE: u64 = 1 << 20;

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let files = view.skill.files.iter();
    files
        .filter(|file| file.size > MAX_FILE && view.relative(&file.path) != Some("SKILL.md"))
        .map(|file| {
            let message = format!(
                "the file has {} bytes, at most {MAX_FILE} are advised",
                file.size
            );
            Finding::new(RULE.id, &file.path, message)
                .help("split it, or fetch it when it is needed")
        })
        .collect()
}
