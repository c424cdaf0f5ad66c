//! The skills that each commit changed.
//!
//! For each commit, only the tree of the folder of skills is read, and nothing below. `git log --name-only` compares
//! all files: for a tree that repeats itself, which fits in a few kilobytes, it holds a billion names in memory.

use crate::git::object::{contents, is_id};
use crate::history::repository::{History, UNREAD};
use skills_store::{Error, ErrorKind};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum bytes of all trees of a history.
const MOST_BYTES: u64 = 256 << 20;
/// Maximum number of entries that are compared. A few trees with many entries, in turn, make a history of a few
/// kilobytes whose comparison would take minutes.
const MOST_ENTRIES: usize = 20_000_000;
/// Maximum number of changed skills of all commits.
const MOST_NAMES: usize = 500_000;

/// The folders in a tree: the id of each, by name.
type Tree<'b> = BTreeMap<&'b [u8], &'b [u8]>;

/// The trees of the folder of skills, by commit.
pub(crate) struct Changed {
    folders: BTreeMap<String, String>,
    /// The bytes of each tree. Of a history of one skill, only the entry of the skill.
    trees: BTreeMap<String, Vec<u8>>,
    entries: usize,
    names: usize,
}

impl Changed {
    /// Reads the trees of commits, for the skill with a name, or for all skills.
    pub(crate) fn read(
        history: &History<'_>,
        commits: &BTreeSet<&str>,
        name: Option<&str>,
    ) -> Result<Self, Error> {
        let folder = history.path("");
        let folder = folder.trim_end_matches('/');
        if folder.contains('\n') {
            let message = "the name of a folder above the skills has a line end";
            return Err(Error::new(ErrorKind::Refused, message).help("rename the folder"));
        }
        let asked: Vec<String> = commits
            .iter()
            .map(|commit| format!("{commit}:{folder}"))
            .collect();
        let found = history.ask(UNREAD, "--batch-check", &asked.join("\n"))?;
        let found = String::from_utf8_lossy(&found);
        let mut folders = BTreeMap::new();
        let mut sizes: BTreeMap<&str, u64> = BTreeMap::new();
        // One line for each commit, in order. A commit without the folder is reported as missing.
        for (commit, line) in commits.iter().zip(found.lines()) {
            let mut words = line.split(' ');
            let words = (words.next(), words.next(), words.next());
            if let (Some(id), Some("tree"), Some(size)) = words
                && is_id(id)
            {
                folders.insert((*commit).to_owned(), id.to_owned());
                sizes.insert(id, size.parse().unwrap_or(MOST_BYTES));
            }
        }
        if sizes.values().copied().fold(0, u64::saturating_add) > MOST_BYTES {
            let message = format!("its trees have more than {} MiB", MOST_BYTES >> 20);
            return Err(Error::new(ErrorKind::Refused, message).help("`git log` there shows it"));
        }
        let asked: Vec<&str> = sizes.keys().copied().collect();
        let read = history.ask(UNREAD, "--batch", &asked.join("\n"))?;
        let bytes = contents(&read, sizes.len());
        drop(read);
        let bytes = bytes.ok_or_else(|| Error::new(ErrorKind::Program, "trees are missing"))?;
        let trees = sizes.keys().zip(bytes).map(|(id, bytes)| {
            let kept = match name {
                Some(name) => only(&bytes, name, id.len() / 2),
                None => bytes,
            };
            ((*id).to_owned(), kept)
        });
        Ok(Self {
            folders,
            trees: trees.collect(),
            entries: MOST_ENTRIES,
            names: MOST_NAMES,
        })
    }

    /// Returns the names of the entries that differ between a commit and its parent. `None` when the bounds of a history
    /// are reached.
    pub(crate) fn between(&mut self, commit: &str, parent: Option<&str>) -> Option<Vec<String>> {
        let new = self.folders.get(commit);
        let old = parent.and_then(|parent| self.folders.get(parent));
        if new == old {
            return Some(Vec::new());
        }
        let tree = |id: Option<&String>| {
            let tree = id.and_then(|id| Some((self.trees.get(id)?, id.len() / 2)));
            tree.map(|(bytes, id)| tree_of(bytes, id))
                .unwrap_or_default()
        };
        let (new, old) = (tree(new), tree(old));
        let left = self.entries.checked_sub(new.len() + old.len())?;
        let changed = new.iter().filter(|(name, id)| old.get(*name) != Some(id));
        let removed = old.keys().filter(|name| !new.contains_key(*name));
        let names: BTreeSet<&[u8]> = changed
            .map(|(name, _)| *name)
            .chain(removed.copied())
            .collect();
        let names_left = self.names.checked_sub(names.len())?;
        let names = names
            .into_iter()
            .map(|name| String::from_utf8_lossy(name).into_owned())
            .collect();
        (self.entries, self.names) = (left, names_left);
        Some(names)
    }
}

/// An entry of a tree: mode, space, name, NUL, the bytes of the id.
struct TreeEntry<'b> {
    whole: &'b [u8],
    head: &'b [u8],
    id: &'b [u8],
}

impl<'b> TreeEntry<'b> {
    /// Returns the name, if the entry is a folder.
    fn folder(&self) -> Option<&'b [u8]> {
        self.head.strip_prefix(b"40000 ")
    }
}

/// Parses a tree of git. `id` is the length of an id.
fn entries(mut bytes: &[u8], id: usize) -> impl Iterator<Item = TreeEntry<'_>> {
    std::iter::from_fn(move || {
        let end = bytes.iter().position(|byte| *byte == 0)?;
        let (whole, rest) = bytes.split_at_checked(end + 1 + id)?;
        bytes = rest;
        let head = whole.get(..end)?;
        let id = whole.get(end + 1..)?;
        Some(TreeEntry { whole, head, id })
    })
}

fn tree_of(bytes: &[u8], id: usize) -> Tree<'_> {
    let folders = entries(bytes, id).filter_map(|entry| Some((entry.folder()?, entry.id)));
    folders.collect()
}

/// Returns the bytes of the entries with a name.
fn only(bytes: &[u8], name: &str, id: usize) -> Vec<u8> {
    let is_it = |entry: &TreeEntry<'_>| entry.folder() == Some(name.as_bytes());
    let found = entries(bytes, id).filter(is_it);
    found.flat_map(|entry| entry.whole).copied().collect()
}
