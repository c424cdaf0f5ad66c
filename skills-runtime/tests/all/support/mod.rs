//! Makes folders of skills for tests.

#![allow(clippy::disallowed_methods, reason = "a test makes its folders")]

pub(crate) mod names;

use skills_format::text::path::PathText as _;
use skills_runtime::{Bundle, Catalog, Diagnostic};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// A bundle of two skills. `deploy-safely` is sealed.
pub(crate) static BUNDLED: Bundle = skills_runtime::include_skills!("tests/bundled");
/// A bundle with another `code-review`.
pub(crate) static OTHER: Bundle = skills_runtime::include_skills!("tests/other");

/// A folder that is removed after the test.
pub(crate) struct Disk(TempDir);

impl Disk {
    /// Makes the folder in memory if possible: many files take long on a disk.
    pub(crate) fn new() -> Self {
        let in_memory = tempfile::tempdir_in("/dev/shm");
        let folder = in_memory.or_else(|_| tempfile::tempdir());
        Self(folder.expect("a temporary folder"))
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// Writes a file and its parent folders.
    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(&path, text).expect("a file");
        path
    }

    /// Writes a skill with the name of its folder. The description is the path.
    pub(crate) fn skill(&self, dir: &str) -> PathBuf {
        let name = dir.rsplit('/').next().expect("a name");
        self.write(&format!("{dir}/SKILL.md"), skill(name, dir));
        self.path(dir)
    }

    /// Returns the diagnostics as text, one line each, with paths relative to the folder.
    pub(crate) fn lines(&self, diagnostics: &[Diagnostic]) -> Vec<String> {
        let root = format!("{}/", self.0.path().shown());
        diagnostics
            .iter()
            .map(|found| found.to_string().replace(&root, ""))
            .collect()
    }
}

/// Returns the text of a `SKILL.md`.
pub(crate) fn skill(name: &str, description: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\n---\n\nThe body of {name}.\n")
}

/// Returns the qualified ids of all skills.
pub(crate) fn ids(catalog: &Catalog) -> Vec<String> {
    catalog.iter().map(|entry| entry.to_string()).collect()
}

/// Returns the qualified id of the skill that an id means.
pub(crate) fn get(catalog: &Catalog, id: &str) -> Option<String> {
    catalog.get(id).as_ref().map(ToString::to_string)
}

/// Links one path to another.
#[cfg(unix)]
pub(crate) fn link(target: impl AsRef<std::path::Path>, link: impl AsRef<std::path::Path>) {
    std::os::unix::fs::symlink(target, link).expect("a link");
}

/// Returns the whole content of a catalog as text, for a comparison.
#[cfg(unix)]
pub(crate) fn dump(catalog: &Catalog, diagnostics: &[Diagnostic]) -> String {
    use std::fmt::Write as _;
    let mut text = String::new();
    for entry in catalog {
        let _ = writeln!(
            text,
            "{entry} {:?} {:?} {} {:?} {} {:?}",
            entry.folder(),
            entry.place(),
            entry.front_matter(),
            entry.fields(),
            entry.is_trusted(),
            entry.shadowed_by(),
        );
    }
    for found in diagnostics {
        let _ = writeln!(text, "{found} {}", found.help);
    }
    text
}
