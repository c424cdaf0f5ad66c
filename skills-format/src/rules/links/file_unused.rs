use crate::diagnostic::Diagnostic;
use crate::diagnostic::rule_id::RuleId;
use crate::rules::example::{Content, Example, with_body, with_link};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::skill::SkillView;
use crate::view::target::Target;
use memchr::memmem;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::FileUnused,
    level: Level::Allow,
    group: Group::Links,
    summary: "every file of the skill is named in the skill",
    why: "A model opens only files that it learns of. A file that is not named is shipped and \
          never read.",
    bad: Example::Files(&[
        (
            "release-notes/SKILL.md",
            Content::Text(with_body!("List every change.\n")),
        ),
        (
            "release-notes/references/style.md",
            Content::Text("# Style\n"),
        ),
    ]),
    marks: "",
    good: with_link!("references/style.md", "references/style.md"),
    fix: FixKind::No,
    check: Check::Contents(check),
};

fn check(view: &SkillView<'_>) -> Vec<Diagnostic> {
    let files = view.skill.files.iter();
    files
        .filter(|file| {
            let path = view.relative(&file.path).unwrap_or_default();
            !is_for_people(path) && !is_named(view, path)
        })
        .map(|file| {
            view.about(file, "nothing in the skill names the file")
                .help("link it from `SKILL.md`, or remove it")
        })
        .collect()
}

/// `SKILL.md` itself, and what stands in a folder for people and their tools.
fn is_for_people(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name).to_ascii_uppercase();
    path == "SKILL.md"
        || name.starts_with('.')
        || matches!(
            stem.as_str(),
            "LICENSE" | "LICENCE" | "NOTICE" | "README" | "CHANGELOG" | "__INIT__"
        )
}

/// By a link, or by its path or its name in the text of `SKILL.md` or of another file.
fn is_named(view: &SkillView<'_>, path: &str) -> bool {
    let is_linked = |target: &Target<'_>| matches!(target, Target::File(file) if file == path);
    if view.targets().iter().any(|(_, target)| is_linked(target)) {
        return true;
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = memmem::Finder::new(name.as_bytes());
    let others = view.skill.files.iter();
    others
        .filter(|file| view.relative(&file.path) != Some(path))
        .filter_map(|file| file.bytes.as_deref())
        .any(|bytes| name.find(bytes).is_some())
}
