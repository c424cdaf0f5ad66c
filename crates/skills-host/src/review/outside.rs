//! Paths: what lies above and below them, and behind links.

use crate::files::relative_path::folded;
use crate::files::snapshot::FileBytes;
use crate::review::step;
use skills_store::Error;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The most links on the way to a file, as on Linux.
const MOST_LINKS: usize = 40;

/// The files of a version: of a folder, or of a commit.
pub(super) trait Tree {
    /// Returns whether a path is that of a file, and of no link.
    fn is_file(&self, path: &str) -> bool;
    /// Returns the item of a name in a folder, in any letter case and normal form: a system can ignore both.
    fn entry(&self, folder: &str, name: &str) -> Option<Entry>;
    /// Lists the files below a folder, by their paths from the root.
    fn below(&self, folder: &str) -> Result<Vec<String>, Error>;
    /// Reads files by their paths, in order.
    fn read(&self, paths: &[Vec<u8>]) -> Result<Vec<FileBytes>, Error>;
}

/// An item of a folder: its own name, and the text of a link.
pub(super) type Entry = (String, Option<String>);

/// The items of folders by their folded names. Each folder is listed once: most words of a text name nothing, and cost no look at
/// the disk.
#[derive(Default)]
pub(super) struct Entries(RefCell<BTreeMap<String, Names>>);

type Names = BTreeMap<String, Vec<Entry>>;

impl Entries {
    /// Makes the items of all folders from the paths of the files and links.
    pub(super) fn of(paths: impl Iterator<Item = (String, Option<String>)>) -> Self {
        let mut all = BTreeMap::new();
        for (path, mut target) in paths {
            let mut below = &*path;
            for folder in above(&path) {
                let name = below[folder.len()..].trim_start_matches('/').to_owned();
                let names: &mut Names = all.entry(folder.to_owned()).or_default();
                let alike = names.entry(folded(&name)).or_default();
                if alike.iter().any(|(one, _)| *one == name) {
                    break;
                }
                alike.push((name, target.take()));
                below = folder;
            }
        }
        Self(RefCell::new(all))
    }

    /// Returns the item of a name in a folder that `list` lists: of the same name, or one that differs in letter case or normal form.
    pub(super) fn find(
        &self,
        folder: &str,
        name: &str,
        list: impl FnOnce() -> Vec<Entry>,
    ) -> Option<Entry> {
        let mut known = self.0.borrow_mut();
        if !known.contains_key(folder) {
            let mut names = Names::new();
            for entry in list() {
                step(1);
                names.entry(folded(&entry.0)).or_default().push(entry);
            }
            known.insert(folder.to_owned(), names);
        }
        let alike = known.get(folder)?.get(&folded(name))?;
        let same = alike.iter().find(|(other, _)| other == name);
        same.or(alike.first()).cloned()
    }
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

/// Returns where a link leads in the side, over links on the way. `entry` returns the item of a name in a folder.
pub(super) fn end_of(
    path: &str,
    text: &str,
    entry: &dyn Fn(&str, &str) -> Option<Entry>,
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
            "" | "." => {}
            ".." => drop(done.pop()?),
            name => match entry(&done.join("/"), name)? {
                (name, None) => done.push(name),
                (_, Some(text)) => {
                    links += 1;
                    if links > MOST_LINKS || text.starts_with('/') {
                        return None;
                    }
                    left.extend::<Vec<String>>(parts(&text));
                }
            },
        }
    }
    Some(done.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_links() {
        let resolved =
            |path: &str, text: &str| end_of(path, text, &|_, name| Some((name.to_owned(), None)));
        assert_eq!(resolved("a/b", "../c/./d").as_deref(), Some("c/d"));
        assert_eq!(resolved("a", ".").as_deref(), Some(""));
        assert_eq!(resolved("a", "../c"), None);
        assert_eq!(resolved("a", "/c"), None);
    }
}
