use crate::rules::example::{Content, Example, with_body, with_link};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use crate::view::target::Target;
use memchr::memmem;
use skills_format::ARGUMENTS_FILE;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::map::{TextMap, TextSet};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::FileUnused,
    level: Level::Allow,
    group: Group::Links,
    summary: "every file of the skill is named in the skill",
    why: "A model opens only files that it learns of. A file that is not named is shipped and \
          never read. Modules that a program of the skill imports, files below a folder that is \
          named, signatures and `agents/*.yaml` count as named.",
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
    let mut folders: TextMap<'_, bool> = TextMap::default();
    let mut is_in_named_folder = |path: &str| {
        let above = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
        above.into_iter().any(|folder| {
            let known = folders.get(folder).copied();
            known.unwrap_or_else(|| {
                let is_named = names_folder(view, folder);
                folders.insert(folder.to_owned(), is_named);
                is_named
            })
        })
    };
    let files = view.skill.files.iter();
    files
        .filter(|file| {
            let path = view.relative(&file.path).unwrap_or_default();
            let is_used = is_for_people(path)
                || is_named(view, path)
                || is_code(path) && imported.contains(stem(path))
                || is_in_named_folder(path);
            !is_used
        })
        .map(|file| {
            Finding::new(RULE.id, &file.path, "nothing in the skill names the file")
                .help("link it from `SKILL.md`, or remove it")
        })
        .collect()
}

/// Returns whether a file is the `SKILL.md`, or a file for people and their tools.
fn is_for_people(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let upper = stem(path).to_ascii_uppercase();
    let is_signature = [".sig", ".asc", ".minisig", ".sigstore"]
        .iter()
        .any(|end| name.ends_with(end));
    // A description of the skill that a client displays.
    let is_interface = path.starts_with("agents/") && extension(path) == "yaml";
    path == "SKILL.md"
        || path == ARGUMENTS_FILE
        || name.starts_with('.')
        || is_signature
        || is_interface
        || matches!(
            upper.as_str(),
            "LICENSE"
                | "LICENCE"
                | "NOTICE"
                | "README"
                | "CHANGELOG"
                | "__INIT__"
                | "METADATA"
                | "PACKAGE"
                | "PACKAGE-LOCK"
                | "TSCONFIG"
                | "PYPROJECT"
                | "REQUIREMENTS"
        )
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

fn extension(path: &str) -> &str {
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
fn imported<'a>(view: &SkillView<'a>) -> TextSet<'a> {
    const IMPORTS: [&str; 6] = ["import", "from", "require", "source", "include", "export"];
    let files = view.skill.files.iter().filter(|file| is_code(&file.path));
    let texts = files.filter_map(|file| std::str::from_utf8(file.bytes.as_deref()?).ok());
    let words =
        |line: &'a str| line.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-'));
    texts
        .flat_map(str::lines)
        .filter(|line| words(line).any(|word| IMPORTS.contains(&word)) || line.starts_with(". "))
        .flat_map(words)
        .collect()
}

/// Returns whether a text of the skill names a whole folder, not a file in the folder: `data/`, `data/*.csv`.
fn names_folder(view: &SkillView<'_>, folder: &str) -> bool {
    let folder = memmem::Finder::new(folder.as_bytes());
    let length = folder.needle().len();
    let is_word = |byte: Option<&u8>| {
        byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
    };
    let files = view.skill.files.iter();
    files.filter_map(|file| file.bytes.as_deref()).any(|bytes| {
        folder.find_iter(bytes).any(|at| {
            let byte = |at: usize| bytes.get(at);
            let before = at.checked_sub(1).and_then(byte);
            let is_own = match byte(at + length) {
                Some(b'/') => !is_word(byte(at + length + 1)),
                Some(b'`') => before == Some(&b'`'),
                _ => false,
            };
            let is_begun = before != Some(&b'/') && !is_word(before)
                || bytes
                    .get(..at)
                    .is_some_and(|before| before.ends_with(b"./"));
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
