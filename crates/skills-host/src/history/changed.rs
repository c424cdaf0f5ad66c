//! The skills that each commit changed.
//!
//! For each commit, only the tree of the folder of skills is read, and nothing below. `git log --name-only` compares
//! all files: for a tree that repeats itself, which fits in a few kilobytes, it holds a billion names in memory.

use crate::git::object::{contents, is_id};
use crate::history::repository::History;
use skills_store::{Error, ErrorKind};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum bytes of all trees of a history.
const MOST_BYTES: u64 = 256 << 20;

/// The folders in a tree: the id of each, by name.
type Tree = BTreeMap<String, Vec<u8>>;

/// The trees of the folder of skills, by commit.
pub(crate) struct Changed {
    folders: BTreeMap<String, String>,
    trees: BTreeMap<String, Tree>,
}

impl Changed {
    /// Reads the trees of commits.
    pub(crate) fn read(history: &History<'_>, commits: &BTreeSet<&str>) -> Result<Self, Error> {
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
        let found = ask(history, "--batch-check", &asked.join("\n"))?;
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
        let read = ask(history, "--batch", &asked.join("\n"))?;
        let bytes = contents(&read, sizes.len());
        let bytes = bytes.ok_or_else(|| Error::new(ErrorKind::Program, "trees are missing"))?;
        let trees = sizes.keys().zip(bytes);
        let trees = trees.map(|(id, bytes)| ((*id).to_owned(), entries(&bytes, id.len() / 2)));
        Ok(Self {
            folders,
            trees: trees.collect(),
        })
    }

    /// Returns the names of the entries that differ between a commit and its parent.
    pub(crate) fn between<'c>(&'c self, commit: &str, parent: Option<&str>) -> BTreeSet<&'c str> {
        let none = Tree::new();
        let tree = |commit: &str| self.trees.get(self.folders.get(commit)?);
        let new = tree(commit);
        let old = parent.and_then(tree);
        let names = |tree: Option<&'c Tree>| tree.into_iter().flat_map(BTreeMap::keys);
        let all = names(new).chain(names(old));
        let (new, old) = (new.unwrap_or(&none), old.unwrap_or(&none));
        all.filter(|name| new.get(*name) != old.get(*name))
            .map(String::as_str)
            .collect()
    }
}

fn ask(history: &History<'_>, option: &str, input: &str) -> Result<Vec<u8>, Error> {
    let call = history.call("its history cannot be read");
    let call = call
        .arguments(&["cat-file", option])
        .input(format!("{input}\n").as_bytes());
    history.git.output(call, history.observer)
}

/// Parses a tree of git, and returns its folders. An entry is: mode, space, name, NUL, the bytes of the id.
fn entries(mut bytes: &[u8], id: usize) -> Tree {
    let mut all = Tree::new();
    while let Some(end) = bytes.iter().position(|byte| *byte == 0) {
        let (head, rest) = bytes.split_at(end);
        let Some((id, rest)) = rest.get(1..).and_then(|rest| rest.split_at_checked(id)) else {
            break;
        };
        bytes = rest;
        if let Some(name) = head.strip_prefix(b"40000 ") {
            let name = String::from_utf8_lossy(name).into_owned();
            all.insert(name, id.to_vec());
        }
    }
    all
}
