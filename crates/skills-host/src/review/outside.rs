//! Paths: what lies above and below them, and behind links.

use crate::files::snapshot::FileBytes;
use crate::review::step;
use skills_store::Error;
use std::collections::BTreeSet;

/// The most links on the way to a file, as on Linux.
const MOST_LINKS: usize = 40;

/// The files of a version: of a folder, or of a commit.
pub(super) trait Tree {
    /// Returns whether a path is that of a file, and of no link.
    fn is_file(&self, path: &str) -> bool;
    /// Returns the text of a link.
    fn link(&self, path: &str) -> Option<String>;
    /// Lists the files below a folder, by their paths from the root.
    fn below(&self, folder: &str) -> Result<Vec<String>, Error>;
    /// Reads files by their paths, in order.
    fn read(&self, paths: &[Vec<u8>]) -> Result<Vec<FileBytes>, Error>;
}

/// Returns the paths of the files at targets and below them.
pub(super) fn paths(targets: BTreeSet<String>, tree: &dyn Tree) -> Result<BTreeSet<String>, Error> {
    let (mut found, mut listed) = (BTreeSet::new(), BTreeSet::new());
    for target in targets {
        if tree.is_file(&target) {
            found.insert(target);
        } else if !above(&target).any(|folder| listed.contains(folder)) {
            // A folder above was listed with all that is below.
            found.extend(tree.below(&target)?);
            listed.insert(target);
        }
    }
    Ok(found)
}

/// Returns the folders above a path, the nearest first, the root last.
pub(super) fn above(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(parent(path), |path| parent(path))
}

fn parent(path: &str) -> Option<&str> {
    step(1);
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    (!path.is_empty()).then_some(folder)
}

/// Returns a path relative to a folder above it.
pub(super) fn below(path: &str, folder: &str) -> String {
    path[folder.len()..].trim_start_matches('/').to_owned()
}

/// Returns whether a path is below a folder; every path is below the root.
pub(super) fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty()
        || path
            .strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/'))
}

/// Returns where a link leads in the side, over links on the way.
pub(super) fn end_of(
    path: &str,
    text: &str,
    link: &dyn Fn(&str) -> Option<String>,
) -> Option<String> {
    let mut links = 0;
    let mut done: Vec<String> = path.split('/').map(str::to_owned).collect();
    done.pop();
    let parts = |text: &str| text.split('/').rev().map(str::to_owned).collect();
    let mut left: Vec<String> = parts(text);
    if text.starts_with('/') {
        return None;
    }
    while let Some(part) = left.pop() {
        step(1);
        match part.as_str() {
            "" | "." => continue,
            ".." => drop(done.pop()?),
            _ => done.push(part),
        }
        if let Some(text) = link(&done.join("/")) {
            links += 1;
            if links > MOST_LINKS || text.starts_with('/') {
                return None;
            }
            done.pop();
            left.extend::<Vec<String>>(parts(&text));
        }
    }
    Some(done.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_links() {
        let resolved = |path: &str, text: &str| end_of(path, text, &|_| None);
        assert_eq!(resolved("a/b", "../c/./d").as_deref(), Some("c/d"));
        assert_eq!(resolved("a", ".").as_deref(), Some(""));
        assert_eq!(resolved("a", "../c"), None);
        assert_eq!(resolved("a", "/c"), None);
    }
}
