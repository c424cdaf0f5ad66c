//! A folder of skills as data: paths and bytes, sorted. The only part of this crate that reads a disk.

#![expect(
    clippy::disallowed_methods,
    reason = "the one place of this crate that reads a disk"
)]

use crate::litter::is_litter;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// Deepest folder in which a skill is looked for, counted from the root.
pub(crate) const MAX_DEPTH: usize = 6;
/// Most files and folders of one tree.
pub(crate) const MAX_ENTRIES: usize = 200_000;

/// Longest file that may be a symbolic link written as text.
const MAX_LINK_TEXT: u64 = 100;
/// The name of the file that makes a folder a skill.
const SKILL_FILE: &str = "SKILL.md";

/// A folder's files, sorted by the bytes of their paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// The files, links and other things that are no folder.
    pub files: Vec<TreeFile>,
    /// What could not be read.
    pub faults: Vec<TreeFault>,
}

/// One file of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeFile {
    /// Relative to the root, with `/`. Bytes that are no UTF-8 are replaced, and `utf8` says so.
    pub path: String,
    /// Whether the path is UTF-8.
    pub utf8: bool,
    /// What it is.
    pub kind: FileKind,
    /// Length in bytes, as the file system has it.
    pub size: u64,
    /// The bytes, where they were asked for and are within the limits.
    pub bytes: Option<Vec<u8>>,
}

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A file with bytes.
    Regular,
    /// A symbolic link, which is not followed.
    Link,
    /// A pipe, a socket, a device: never opened.
    Other,
}

/// A part of a tree that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeFault {
    /// Relative to the root, with `/`; empty for the root.
    pub path: String,
    /// What the operating system says.
    pub message: String,
}

/// Which bytes [`Tree::read`] reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Those of `SKILL.md` files, up to `max` bytes each, and of files so small that they may be
    /// symbolic links that were checked out as text.
    Skills {
        /// The largest file that is read.
        max: u64,
    },
    /// Those of every file, up to `max` bytes each.
    All {
        /// The largest file that is read.
        max: u64,
    },
}

/// The files of one skill.
#[derive(Clone, Copy, Debug)]
pub struct SkillFiles<'t> {
    /// The skill's folder relative to the tree's root; empty when the root is the skill.
    pub dir: &'t str,
    /// The `SKILL.md`.
    pub file: &'t TreeFile,
    /// Every file below the folder, the `SKILL.md` included.
    pub files: &'t [TreeFile],
}

impl Tree {
    /// Reads a folder. An unreadable part is a fault of the tree, an unreadable root an error.
    ///
    /// Not entered: `.git`, and, above a skill, hidden folders, `node_modules` and `target`. Not
    /// listed: what editors and desktops leave behind (`*~`, `*.swp`, `.DS_Store`, `Thumbs.db`).
    pub fn read(root: &Path, contents: Contents) -> io::Result<Self> {
        let mut tree = Self::default();
        let mut folders = vec![Folder {
            path: root.to_owned(),
            relative: String::new(),
            utf8: true,
            depth: 0,
            in_skill: false,
        }];
        let mut first = true;
        while let Some(folder) = folders.pop() {
            match fs::read_dir(&folder.path) {
                Err(error) if first => return Err(error),
                Err(error) => tree.fault(folder.relative, &error),
                Ok(entries) => tree.read_folder(&folder, entries, contents, &mut folders),
            }
            first = false;
            if tree.files.len() + folders.len() > MAX_ENTRIES {
                tree.faults.push(TreeFault {
                    path: String::new(),
                    message: format!("more than {MAX_ENTRIES} files; the rest is not read"),
                });
                break;
            }
        }
        tree.files
            .sort_by(|a, b| a.path.as_bytes().cmp(b.path.as_bytes()));
        tree.faults.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(tree)
    }

    fn read_folder(
        &mut self,
        folder: &Folder,
        entries: fs::ReadDir,
        contents: Contents,
        folders: &mut Vec<Folder>,
    ) {
        let mut found = Vec::new();
        for entry in entries {
            match entry.and_then(|entry| Ok((entry.file_name(), entry.path(), entry.file_type()?)))
            {
                Ok(entry) => found.push(entry),
                Err(error) => self.fault(folder.relative.clone(), &error),
            }
        }
        let in_skill = folder.in_skill || found.iter().any(|(name, ..)| name == SKILL_FILE);
        for (name, path, kind) in found {
            let text = name.to_string_lossy();
            let relative = if folder.relative.is_empty() {
                text.to_string()
            } else {
                format!("{}/{text}", folder.relative)
            };
            let utf8 = folder.utf8 && name.to_str().is_some();
            if kind.is_dir() {
                let skipped = text == ".git"
                    || !in_skill
                        && (text.starts_with('.') || text == "node_modules" || text == "target");
                if !skipped && (in_skill || folder.depth < MAX_DEPTH) {
                    folders.push(Folder {
                        path,
                        relative,
                        utf8,
                        depth: folder.depth + 1,
                        in_skill,
                    });
                }
            } else if (in_skill || text.eq_ignore_ascii_case(SKILL_FILE)) && !is_litter(&text) {
                self.read_file(&path, relative, utf8, kind, contents);
            }
        }
    }

    fn read_file(
        &mut self,
        path: &Path,
        relative: String,
        utf8: bool,
        kind: fs::FileType,
        contents: Contents,
    ) {
        let kind = if kind.is_symlink() {
            FileKind::Link
        } else if kind.is_file() {
            FileKind::Regular
        } else {
            FileKind::Other
        };
        let size = fs::symlink_metadata(path).map_or(0, |metadata| metadata.len());
        let wanted = match contents {
            Contents::All { max } => size <= max,
            Contents::Skills { max } => {
                size <= max && is_skill_file(&relative) || size <= MAX_LINK_TEXT
            }
        };
        let bytes = match (kind, wanted) {
            (FileKind::Regular, true) => match read_up_to(path, size) {
                Ok(bytes) => Some(bytes),
                Err(error) => {
                    self.fault(relative.clone(), &error);
                    None
                }
            },
            _ => None,
        };
        self.files.push(TreeFile {
            path: relative,
            utf8,
            kind,
            size,
            bytes,
        });
    }

    fn fault(&mut self, path: String, error: &io::Error) {
        self.faults.push(TreeFault {
            path,
            message: error.to_string(),
        });
    }

    /// The skills, in order of their folders. Nothing below a skill is a skill of its own.
    pub fn skills(&self) -> Vec<SkillFiles<'_>> {
        let mut skills: Vec<SkillFiles<'_>> = Vec::new();
        for file in self.files.iter().filter(|file| is_skill_file(&file.path)) {
            let dir = file.path.strip_suffix(SKILL_FILE).unwrap_or_default();
            let start = self.files.partition_point(|f| f.path.as_str() < dir);
            let length = self
                .files
                .iter()
                .skip(start)
                .take_while(|f| f.path.starts_with(dir))
                .count();
            let files = self.files.get(start..start + length).unwrap_or_default();
            skills.push(SkillFiles {
                dir: dir.trim_end_matches('/'),
                file,
                files,
            });
        }
        skills.sort_by(|a, b| a.dir.as_bytes().cmp(b.dir.as_bytes()));
        let mut outer: Vec<SkillFiles<'_>> = Vec::new();
        for skill in skills {
            let nested = outer.iter().rev().any(|o| is_below(skill.dir, o.dir));
            if !nested {
                outer.push(skill);
            }
        }
        outer
    }

    /// One file, by its path relative to the root.
    pub fn get(&self, path: &str) -> Option<&TreeFile> {
        let index = self
            .files
            .binary_search_by(|file| file.path.as_bytes().cmp(path.as_bytes()))
            .ok()?;
        self.files.get(index)
    }
}

struct Folder {
    path: PathBuf,
    relative: String,
    utf8: bool,
    depth: usize,
    in_skill: bool,
}

/// Whether a path's last part is `SKILL.md`.
pub fn is_skill_file(path: &str) -> bool {
    path.rsplit('/').next() == Some(SKILL_FILE)
}

fn is_below(dir: &str, outer: &str) -> bool {
    outer.is_empty() && !dir.is_empty()
        || dir
            .strip_prefix(outer)
            .is_some_and(|rest| rest.starts_with('/'))
}

/// Reads at most one byte more than `size`, so that a file that grows meanwhile has an end.
fn read_up_to(path: &Path, size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0).min(1 << 24));
    fs::File::open(path)?
        .take(size.saturating_add(1))
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}
