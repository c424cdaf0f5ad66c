//! The folders of tests and of built files, whose skills are neither checked nor offered.

use crate::repository::start::{Start, slashed};
use skills_format::disk::{Folder, Item, Kind};
use std::path::Path;

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
    let walked = start
        .on_disk
        .strip_prefix(&start.root)
        .ok()
        .map(slashed)
        .unwrap_or_default();
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
