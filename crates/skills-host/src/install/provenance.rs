//! Converts sources to and from their form in a lock.

use crate::git::object::is_id;
use crate::install::source::{Origin, Source};
use crate::install::url::named;
use skills_compiler::Provenance;
use skills_format::disk::{resolve, resolved};
use skills_format::text::path::PathText as _;
use skills_store::{Error, ErrorKind};
use std::path::{Component, Path, PathBuf};

/// Returns the text of a source. A folder or archive inside the repository that holds the lock is written relative to
/// the lock, so that the source exists in every clone.
pub(crate) fn source_text(origin: &Origin, target: &Path, repository: Option<&Path>) -> String {
    match origin {
        Origin::Git(url) => url.clone(),
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

/// Returns the source of an entry; `None` for a skill that a program exported. Every field is checked: a lock may be
/// untrusted, and its words become arguments of git and paths.
pub(crate) fn source_of(from: &Provenance, target: &Path) -> Option<Result<Source, Error>> {
    if from.source.starts_with("program ") {
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

/// Returns whether a source of a lock is on this machine, and outside of the repository that holds the lock.
pub(crate) fn is_outside(source: &str, target: &Path, repository: Option<&Path>) -> bool {
    if source.starts_with("file:") {
        return true;
    }
    if source.starts_with("program ") || source.contains("://") {
        return false;
    }
    let is_path = Path::new(source).is_absolute() || source.starts_with('.');
    let inside = || {
        let path = resolve(&target.join(source)).ok()?;
        let root = resolve(repository?).ok()?;
        Some(path.starts_with(root))
    };
    is_path && !inside().unwrap_or(false)
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
fn relative(path: &Path, folder: &Path) -> String {
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
}
