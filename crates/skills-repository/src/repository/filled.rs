//! Folders that programs write or fill.

use skills_format::disk::{Item, Kind};

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
