//! A folder of skills, read as another program reads it.
//!
//! Other programs follow links, which a `Folder` of the format refuses: so the paths are walked by hand.

use crate::catalog::clients::Offered;
use crate::environment::Environment;
use skills_clients::reading::{Found, Reader};
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The maximum depth of the walk: deeper than any program searches, and an end for links in circles.
const DEPTH: usize = 16;
/// The maximum size of a file that is read.
const SIZE: u64 = 1 << 20;

/// The skills of a folder, as a program lists them.
pub(crate) struct ClientFolder {
    pub(crate) skills: Vec<Offered>,
    /// The files that the program does not list, as paths below the folder.
    pub(crate) others: Vec<String>,
}

/// Reads a folder as a program does. Returns `None` if no folder directly in it holds a `SKILL.md`.
pub(crate) fn read_as(
    reader: Reader,
    path: &Path,
    environment: &Environment,
) -> Option<ClientFolder> {
    let root = environment.absolute(path);
    let mut walk = Walk {
        root: &root,
        above: Vec::new(),
        found: Vec::new(),
    };
    walk.folder(&root, DEPTH);
    let found = walk.found;
    if !found.iter().any(|file| file.path.split('/').count() == 2) {
        return None;
    }
    let paths: Vec<String> = found.iter().map(|file| file.path.clone()).collect();
    let listed = reader.read(found);
    let is_listed = |path: &String| listed.iter().any(|skill| skill.path == *path);
    let others = paths.into_iter().filter(|path| !is_listed(path)).collect();
    let root = written(&root);
    Some(ClientFolder {
        skills: listed
            .into_iter()
            .map(|skill| Offered::read(skill, &root))
            .collect(),
        others,
    })
}

/// A walk through a folder and all links in it.
struct Walk<'a> {
    root: &'a Path,
    /// The folders above, with their links resolved: a folder that is among them is a circle.
    above: Vec<PathBuf>,
    found: Vec<Found>,
}

impl Walk<'_> {
    fn folder(&mut self, folder: &Path, depth: usize) {
        let Ok(resolved) = fs::canonicalize(folder) else {
            return;
        };
        if depth == 0 || self.above.contains(&resolved) {
            return;
        }
        let items = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut items: Vec<PathBuf> = items.map(|item| item.path()).collect();
        items.sort();
        self.above.push(resolved);
        for item in items {
            if item.is_dir() {
                self.folder(&item, depth - 1);
            } else if item.file_name().is_some_and(|name| name == "SKILL.md") {
                self.found.extend(self.file(&item));
            }
        }
        self.above.pop();
    }

    fn file(&self, path: &Path) -> Option<Found> {
        let below = path.strip_prefix(self.root).ok()?;
        let policy = path.parent()?.join("agents/openai.yaml");
        Some(Found {
            path: written(below),
            resolved: written(&fs::canonicalize(path).ok()?),
            is_link: path.is_symlink(),
            text: read(path)?,
            policy: read(&policy).and_then(|text| String::from_utf8(text).ok()),
        })
    }
}

/// Reads a regular file of a bounded size.
fn read(path: &Path) -> Option<Vec<u8>> {
    if !path.is_file() {
        return None;
    }
    let mut text = Vec::new();
    let file = fs::File::open(path).ok()?;
    file.take(SIZE).read_to_end(&mut text).ok()?;
    Some(text)
}

/// Formats a path with `/`.
fn written(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}
