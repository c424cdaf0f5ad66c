//! The names of folders that a walk does not enter: those that programs fill, tests, built files and templates.

use crate::repository::start::Start;
use skills_format::disk::{Folder, Item, Kind};
use std::path::Path;

/// Names of folders of version control, which are never entered.
pub(crate) const NEVER: &[&str] = &[".git", ".hg", ".svn"];
/// Names of folders that programs write or fill. Such a folder is entered if it is a skill itself, holds a skill that git
/// tracks, or is requested.
const FILLED: &[&str] = &[
    "node_modules",
    "target",
    ".venv",
    "__pycache__",
    ".tox",
    ".nox",
    ".cache",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".gradle",
    ".next",
    ".terraform",
    ".direnv",
    ".idea",
];

/// Returns whether a folder is entered, whatever is in it.
pub(crate) fn is_entered(item: &Item) -> bool {
    let mut names = NEVER.iter().chain(FILLED);
    item.kind == Kind::Folder && !names.any(|name| item.name == *name)
}

/// Returns a path up to its last part that is the name of a filled folder.
pub(crate) fn filled_part(path: &str) -> Option<&str> {
    let ends = path.match_indices('/').map(|(at, _)| at);
    let parts = ends.chain([path.len()]).filter_map(|end| path.get(..end));
    let mut parts = parts.filter(|part| {
        part.rsplit('/')
            .next()
            .is_some_and(|name| FILLED.contains(&name))
    });
    parts.next_back()
}

/// Names of folders of tests, and of the folder of built files, which holds copies of the skills.
const TESTS: &[&str] = &[
    "dist",
    "test",
    "tests",
    "__tests__",
    "fixtures",
    "__fixtures__",
    "testdata",
    "test-data",
    "test-fixtures",
    "test_fixtures",
    "e2e",
];

/// Returns whether a requested path is a folder of tests or of built files, or is in such a folder.
pub(crate) fn names_tests(start: &Start) -> bool {
    let walked = start.walked();
    let mut paths = start.asked.iter().chain([&walked]);
    paths.any(|path| path.split('/').any(|part| TESTS.contains(&part)))
}

/// Returns whether a path names a folder of tests or of built files, and is not below a folder `skills`.
pub fn is_below_tests<'p>(parts: impl IntoIterator<Item = &'p str>) -> bool {
    let above = parts.into_iter().take_while(|part| *part != "skills");
    above.into_iter().any(|part| TESTS.contains(&part))
}

/// Returns whether an item is a folder of tests or of built files, and neither a skill nor below a folder `skills`.
pub(crate) fn is_of_tests(folder: &Folder, path: &str, item: &Item) -> bool {
    let is_named = TESTS.iter().any(|name| item.name == *name);
    is_named
        && item.kind == Kind::Folder
        && !path.split('/').any(|part| part == "skills")
        && !folder
            .child(&item.name)
            .is_ok_and(|folder| folder.stat(Path::new("SKILL.md")).is_ok())
}

/// Returns whether a part of a path names a folder of templates. A template has the form of a skill, and is none.
pub(crate) fn is_below_templates(path: &str) -> bool {
    path.split('/')
        .any(|part| matches!(part, "_template" | "_templates"))
}
