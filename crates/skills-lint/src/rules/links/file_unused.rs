use crate::rules::example::{Content, Example, with_body, with_link};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use crate::view::target::Target;
use memchr::memmem;
use skills_format::ARGUMENTS_FILE;
use skills_format::diagnostic::rule_id::RuleId;
use std::collections::BTreeSet;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::FileUnused,
    level: Level::Allow,
    group: Group::Links,
    summary: "every file of the skill is named in the skill",
    why: "A model opens only files that it learns of. A file that is not named is shipped and never read. Modules \
          that one of the skill's programs imports, files below a named folder, signatures and `agents/*.yaml` are \
          not reported.",
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
    check: Check::Files(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let imported = imported(view);
    let mut found = Vec::new();
    for file in view.skill.files {
        let path = view.relative(&file.path).unwrap_or_default();
        let is_imported = is_code(path) && imported.contains(stem(path));
        let mut above = path.match_indices('/').map(|(at, _)| &path[..at]);
        let is_used = is_for_people(path)
            || is_imported
            || is_named(view, path)
            || above.any(|folder| names_folder(view, folder));
        if !is_used {
            let finding = Finding::new(RULE.id, &file.path, "nothing in the skill names the file");
            found.push(finding.help("link it from `SKILL.md`, or remove it"));
        }
    }
    found
}

/// Returns whether a file is the `SKILL.md`, or a file for people and their tools.
fn is_for_people(path: &str) -> bool {
    const STEMS: [&str; 12] = [
        "license",
        "licence",
        "notice",
        "readme",
        "changelog",
        "__init__",
        "metadata",
        "package",
        "package-lock",
        "tsconfig",
        "pyproject",
        "requirements",
    ];
    let name = path.rsplit('/').next().unwrap_or(path);
    // A description of the skill that a client displays.
    let is_interface = path.starts_with("agents/") && extension(path) == "yaml";
    path == "SKILL.md"
        || path == ARGUMENTS_FILE
        || name.starts_with('.')
        || is_interface
        || matches!(extension(path), "sig" | "asc" | "minisig" | "sigstore")
        || STEMS.contains(&stem(path).to_lowercase().as_str())
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

/// Returns what follows the last dot of a path; empty without a dot.
pub(crate) fn extension(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// Returns whether a file is a program, by its extension.
fn is_code(path: &str) -> bool {
    [
        "py", "js", "mjs", "cjs", "ts", "mts", "tsx", "jsx", "rb", "pl", "sh", "bash", "lua",
        "php", "ps1",
    ]
    .contains(&extension(path))
}

/// Returns the words of import lines: the modules that the programs of the skill use.
fn imported<'a>(view: &SkillView<'a>) -> BTreeSet<&'a str> {
    const IMPORTS: [&str; 6] = ["import", "from", "require", "source", "include", "export"];
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let mut found = BTreeSet::new();
    let texts = view.texts().iter();
    for (_, text, _) in texts.filter(|(file, ..)| is_code(&file.path)) {
        for line in text.lines() {
            let words = || line.split(|c| !is_part(c));
            if line.starts_with(". ") || words().any(|word| IMPORTS.contains(&word)) {
                found.extend(words());
            }
        }
    }
    found
}

/// Returns whether a text of the skill names a whole folder, not a file in the folder: `data/`, `data/*.csv`.
fn names_folder(view: &SkillView<'_>, folder: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    view.texts().iter().any(|(_, text, _)| {
        text.match_indices(folder).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + folder.len()..]);
            let is_own = match after.strip_prefix('/') {
                Some(rest) => !rest.starts_with(is_word),
                None => after.starts_with('`') && before.ends_with('`'),
            };
            let is_begun =
                before.ends_with("./") || !before.ends_with('/') && !before.ends_with(is_word);
            is_own && is_begun
        })
    })
}

/// Returns whether a file is named: by a link, or by its path or name in the text of `SKILL.md` or of another file.
pub(crate) fn is_named(view: &SkillView<'_>, path: &str) -> bool {
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
