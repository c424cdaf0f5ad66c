use crate::rules::example::{Content, Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::Severity;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::tree::limits::{Limits, total};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::SkillTooLarge,
    level: Level::Deny,
    group: Group::Links,
    summary: "a skill has at most 512 files and 16 MiB, or what `limits` in `skills.toml` says",
    why: "Hosts that get skills from a server may refuse larger skills. A build refuses a skill with more \
          files: an error. In a repository, where other programs may load the skill, the number of files is a \
          warning up to 10,000. A larger skill is not read, so this is all that is checked in it.",
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

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let limits = view.tree.limits;
    let (most_files, most_bytes) = (limits.skill_files, limits.skill_bytes);
    let files = view.skill.files.len();
    let bytes = total(view.skill.files);
    let mut found = Vec::new();
    if files > most_files {
        let message = format!("the skill has {files} files, at most {most_files} are allowed");
        let finding = view
            .folder(RULE.id, message)
            .help("join files, or leave some out");
        // The default is a limit of programs that bake or serve skills. A keeper of a repository may write for others.
        let is_own = most_files != Limits::default().skill_files;
        let is_read = view.tree.limits_of_reading().hold(view.skill.files);
        let is_milder = view.tree.scope.around.is_some() && is_read && !is_own;
        found.push(if is_milder {
            finding.at_most(Severity::Warning)
        } else {
            finding
        });
    }
    if bytes > most_bytes {
        let message = format!("the skill has {bytes} bytes, at most {most_bytes} are allowed");
        found.push(
            view.folder(RULE.id, message)
                .help("leave files out, or fetch them when they are needed"),
        );
    }
    found
}
