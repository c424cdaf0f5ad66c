//! Converts sources to and from their form in a lock.

use crate::git::object::is_id;
use crate::install::crate_source::CRATE;
use crate::install::source::{Origin, Source, is_path};
use crate::install::url::named;
use serde::Serialize;
use skills_format::disk::{resolve, resolved};
use skills_format::text::path::PathText as _;
use skills_repository::Provenance;
use skills_store::{Error, ErrorKind};
use std::io;
use std::path::{Component, Path, PathBuf};

/// Returns the text of a source. A folder or archive inside the repository that holds the lock is written relative to
/// the lock, so that the source exists in every clone.
pub(crate) fn source_text(origin: &Origin, target: &Path, repository: Option<&Path>) -> String {
    match origin {
        Origin::Git(_) | Origin::Url(_) | Origin::Program(_) => origin.to_string(),
        Origin::Folder(path) | Origin::Archive(path) => {
            let target = resolved(target);
            let inside = repository
                .and_then(|root| resolve(root).ok())
                .filter(|root| path.starts_with(root) && target.starts_with(root));
            match inside {
                Some(_) => relative(path, &target),
                None => path.shown().into_owned(),
            }
        }
    }
}

/// Returns the source of an entry; `None` for a skill that a program exported or a crate ships. Every field is checked:
/// a lock may be untrusted, and its words become arguments of git and paths.
pub(crate) fn source_of(from: &Provenance, target: &Path) -> Option<Result<Source, Error>> {
    if is_exported(from) {
        return None;
    }
    let source = Source::of_lock(&from.source, target);
    Some(source.and_then(|source| {
        check_commit(from)?;
        let source = match &from.path {
            Some(path) => source.at(path)?,
            None => source,
        };
        match &from.requested {
            Some(revision) => source.revision(revision),
            None => Ok(source),
        }
    }))
}

/// A source in a lock that would be fetched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LockedSource {
    /// The source, without secrets.
    pub source: String,
    /// The skills of the source.
    pub skills: Vec<String>,
    /// The location of the source.
    pub place: SourcePlace,
}

/// Returns whether a program exported the skill, or a crate ships it: nothing is fetched for either.
pub(crate) fn is_exported(from: &Provenance) -> bool {
    from.source.starts_with("program ") || is_of_crate(from)
}

/// Returns whether a dependency of a cargo workspace ships the skill.
pub(crate) fn is_of_crate(from: &Provenance) -> bool {
    from.source.starts_with(CRATE)
}

/// The folder of a lock, and the repository that the lock came with. Resolved once for all entries.
pub(crate) struct LockPlace {
    folder: PathBuf,
    repository: Option<PathBuf>,
}

/// The location of a source in a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SourcePlace {
    /// In the repository that holds the lock.
    Inside,
    /// On this machine, and outside of the repository: a cloned lock must not choose what is read here.
    Local,
    /// Anywhere else.
    Remote,
}

impl LockPlace {
    pub(crate) fn new(target: &Path, repository: Option<&Path>) -> Self {
        Self {
            folder: resolved(target),
            repository: repository.map(resolved),
        }
    }

    /// Returns where a source is. Reads the text as [`Source::of_lock`] does, which would follow it.
    pub(crate) fn of(&self, source: &str) -> SourcePlace {
        if is_path(source) {
            if self.holds(source) {
                SourcePlace::Inside
            } else {
                SourcePlace::Local
            }
        } else if source.starts_with("file:") {
            SourcePlace::Local
        } else {
            SourcePlace::Remote
        }
    }

    /// Returns whether a path is in the repository. A missing file is in the folder that its path names.
    fn holds(&self, path: &str) -> bool {
        let Some(root) = &self.repository else {
            return false;
        };
        let path = self.folder.join(path);
        // The text first: to look for a path can already mount a disk, or call another machine.
        without_parents(&path).starts_with(root)
            && match resolve(&path) {
                Ok(real) => real.starts_with(root),
                Err(error) => error.kind() == io::ErrorKind::NotFound,
            }
    }
}

/// Removes `..` and the folder before it, by the text alone.
pub(crate) fn without_parents(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

/// Rejects a commit that is not a complete id: git would read `--upload-pack=…` as an option that names a program.
fn check_commit(from: &Provenance) -> Result<(), Error> {
    match &from.commit {
        Some(commit) if !is_id(commit) => {
            let message = format!("'{}' in the lock is not a commit", named(commit));
            Err(Error::new(ErrorKind::Refused, message)
                .help("restore `skills.lock` from version control, or install the skill again"))
        }
        _ => Ok(()),
    }
}

/// Makes a path relative to a folder, with `/`.
pub(crate) fn relative(path: &Path, folder: &Path) -> String {
    let common = path
        .components()
        .zip(folder.components())
        .take_while(|(a, b)| a == b)
        .count();
    let up = folder
        .components()
        .skip(common)
        .map(|_| Component::ParentDir);
    let relative: PathBuf = up.chain(path.components().skip(common)).collect();
    let parts: Vec<_> = relative
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    let text = parts.join("/");
    if text.starts_with("..") {
        text
    } else {
        format!("./{text}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths() {
        let path = |a: &str, b: &str| relative(Path::new(a), Path::new(b));
        assert_eq!(path("/r/vendor/x", "/r/.agents/skills"), "../../vendor/x");
        assert_eq!(path("/r/a/b", "/r/a"), "./b");
    }

    #[test]
    #[cfg_attr(windows, ignore = "Windows has no folder `x:`")]
    fn places_of_sources() {
        let dir = tempfile::tempdir().unwrap();
        let root = resolve(dir.path()).unwrap().join("r");
        let skills = root.join("a/skills");
        std::fs::create_dir_all(&skills).unwrap();
        std::fs::create_dir_all(root.join("x:")).unwrap();
        std::fs::create_dir(dir.path().join("private")).unwrap();
        let place = LockPlace::new(&skills, Some(&root));
        let absolute = |path: &str| root.join(path).to_string_lossy().into_owned();
        for (source, expected) in [
            ("./x", SourcePlace::Inside),
            ("../../x:", SourcePlace::Inside),
            (&absolute("x:"), SourcePlace::Inside),
            ("../../../private", SourcePlace::Local),
            ("../../x://../../private", SourcePlace::Local),
            (&absolute("x://../../private"), SourcePlace::Local),
            ("../../missing/../../private", SourcePlace::Local),
            ("/", SourcePlace::Local),
            ("file:///x", SourcePlace::Local),
            ("https://a.example/x", SourcePlace::Remote),
            ("host:x", SourcePlace::Remote),
        ] {
            assert_eq!(place.of(source), expected, "{source}");
        }
        let nowhere = LockPlace::new(&skills, None);
        assert_eq!(nowhere.of("./x"), SourcePlace::Local);
    }
}
