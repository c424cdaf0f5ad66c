//! Reads a folder of skills: the only part of this crate that touches a disk.

#![expect(
    clippy::disallowed_methods,
    reason = "the one place of this crate that reads a disk"
)]

use crate::tree::{
    FileKind, SKILL_FILE, SkillFiles, Tree, TreeFault, TreeFile, is_litter, is_skill_file,
};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// Deepest folder in which a skill is looked for, counted from the root.
pub(crate) const MAX_FOLDERS: usize = 6;
/// Most files and folders of one tree.
pub(crate) const MAX_ENTRIES: usize = 200_000;

/// Largest file that [`read_text`] reads.
const MAX_TEXT: u64 = 16 * 1024 * 1024;

/// Longest file that may be a symbolic link written as text.
const MAX_LINK_TEXT: u64 = 100;

/// Which bytes [`Tree::read`] reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    /// No bytes and no lengths, for [`check_folder`](crate::check_folder), which reads one skill at a
    /// time.
    Names,
    /// The bytes of `SKILL.md` files, up to `max` bytes each, and of files so small that they may be
    /// symbolic links that were checked out as text.
    Skills {
        /// The largest file that is read.
        max: u64,
    },
    /// The bytes of every file, up to `max` bytes each.
    All {
        /// The largest file that is read.
        max: u64,
    },
}

impl Tree {
    /// Reads a folder. A part that cannot be read is a fault of the tree.
    ///
    /// Links are not followed. Above the skills, a link is listed if it leads to a skill or to
    /// nothing. `.git` is not entered, and, above the skills, neither are hidden folders,
    /// `node_modules`, `target` and folders more than 6 deep. Files that editors and desktops leave
    /// behind are not listed.
    ///
    /// # Errors
    ///
    /// The root cannot be read.
    ///
    /// # Cost
    ///
    /// Lists every folder once, up to 200,000 files and folders, and reads the requested bytes.
    pub fn read(root: &Path, contents: Contents) -> io::Result<Self> {
        let mut tree = Self::default();
        let mut folders = vec![Folder {
            relative: String::new(),
            odd: None,
            depth: 0,
            in_skill: false,
        }];
        let mut first = true;
        while let Some(folder) = folders.pop() {
            let path = folder.path(root);
            match fs::read_dir(&path) {
                Err(error) if first => return Err(error),
                Err(error) => tree.fault(folder.relative, &error),
                Ok(entries) => tree.read_folder(&folder, &path, entries, contents, &mut folders),
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
            .sort_unstable_by(|a, b| a.path.as_bytes().cmp(b.path.as_bytes()));
        tree.faults.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(tree)
    }

    fn read_folder(
        &mut self,
        folder: &Folder,
        path: &Path,
        entries: fs::ReadDir,
        contents: Contents,
        folders: &mut Vec<Folder>,
    ) {
        let mut found = Vec::new();
        for entry in entries {
            match entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?))) {
                Ok(entry) => found.push(entry),
                Err(error) => self.fault(folder.relative.clone(), &error),
            }
        }
        let in_skill = folder.in_skill || found.iter().any(|(name, _)| name == SKILL_FILE);
        for (name, kind) in found {
            let text = name.to_string_lossy();
            if kind.is_dir() {
                let skipped = text == ".git"
                    || !in_skill
                        && (text.starts_with('.') || text == "node_modules" || text == "target");
                if !skipped && (in_skill || folder.depth < MAX_FOLDERS) {
                    folders.push(Folder {
                        relative: folder.below(&text),
                        odd: folder.odd_below(path, &name),
                        depth: folder.depth + 1,
                        in_skill,
                    });
                }
            } else if (in_skill
                || text.eq_ignore_ascii_case(SKILL_FILE)
                || kind.is_symlink() && may_be_a_skill(&path.join(&name)))
                && !is_litter(&text)
            {
                self.add(folder, path, &name, kind, contents);
            }
        }
    }

    fn add(
        &mut self,
        folder: &Folder,
        path: &Path,
        name: &OsStr,
        of: fs::FileType,
        contents: Contents,
    ) {
        let odd = folder.odd_below(path, name);
        let mut file = TreeFile {
            path: folder.below(&name.to_string_lossy()),
            utf8: odd.is_none(),
            kind: kind(of),
            size: 0,
            bytes: None,
        };
        // A file whose path is not UTF-8 cannot be found again by its path in the tree.
        if contents != Contents::Names || odd.is_some() {
            let path = odd.unwrap_or_else(|| path.join(name));
            if let Err(error) = file.read(&path, contents) {
                self.fault(file.path.clone(), &error);
            }
        }
        self.files.push(file);
    }

    fn fault(&mut self, path: String, error: &io::Error) {
        self.faults.push(TreeFault {
            path,
            message: error.to_string(),
        });
    }
}

impl TreeFile {
    /// Reads the length, and the bytes that are asked for.
    fn read(&mut self, path: &Path, contents: Contents) -> io::Result<()> {
        let metadata = fs::symlink_metadata(path)?;
        self.kind = kind(metadata.file_type());
        self.size = metadata.len();
        let is_wanted = match contents {
            Contents::Names => false,
            Contents::All { max } => self.size <= max,
            Contents::Skills { max } => {
                self.size <= max && is_skill_file(&self.path) || self.size <= MAX_LINK_TEXT
            }
        };
        if is_wanted && self.kind == FileKind::Regular {
            self.bytes = Some(read_up_to(path, self.size)?);
        }
        Ok(())
    }
}

impl SkillFiles<'_> {
    /// The files with the bytes that are asked for. `root` is the folder that the tree was read from.
    ///
    /// A file whose name is not UTF-8 gets no bytes: its path in the tree differs from the path on
    /// the disk.
    pub(crate) fn read(&self, root: &Path, contents: Contents) -> (Vec<TreeFile>, Vec<TreeFault>) {
        let mut faults = Vec::new();
        let mut files = self.files.to_vec();
        for file in files.iter_mut().filter(|file| file.utf8) {
            if let Err(error) = file.read(&root.join(&file.path), contents) {
                faults.push(TreeFault {
                    path: file.path.clone(),
                    message: error.to_string(),
                });
            }
        }
        (files, faults)
    }
}

/// Whether a link above the skills leads to the folder of one, or to nothing.
fn may_be_a_skill(link: &Path) -> bool {
    match fs::metadata(link) {
        Ok(target) => target.is_dir() && link.join(SKILL_FILE).exists(),
        Err(_) => true,
    }
}

fn kind(of: fs::FileType) -> FileKind {
    if of.is_symlink() {
        FileKind::Link
    } else if of.is_file() {
        FileKind::Regular
    } else {
        FileKind::Other
    }
}

/// A folder that is to be read.
struct Folder {
    relative: String,
    /// Its path on the disk, if the path is not UTF-8; else the root joined with `relative` is.
    odd: Option<PathBuf>,
    depth: usize,
    in_skill: bool,
}

impl Folder {
    fn path(&self, root: &Path) -> PathBuf {
        match &self.odd {
            Some(path) => path.clone(),
            None if self.relative.is_empty() => root.to_owned(),
            None => root.join(&self.relative),
        }
    }

    /// The path of an entry of the folder, from the root.
    fn below(&self, name: &str) -> String {
        let mut path = String::with_capacity(self.relative.len() + name.len() + 1);
        if !self.relative.is_empty() {
            path.push_str(&self.relative);
            path.push('/');
        }
        path.push_str(name);
        path
    }

    /// The path of an entry on the disk, if it is not UTF-8.
    fn odd_below(&self, path: &Path, name: &OsStr) -> Option<PathBuf> {
        (self.odd.is_some() || name.to_str().is_none()).then(|| path.join(name))
    }
}

/// Reads a small text file beside the skills: `skills.toml`, `skills.lock`.
///
/// A link to a file is followed. Pipes and devices are refused: a pipe may block, a device has no
/// end.
///
/// # Errors
///
/// The path cannot be read, is not a file, is larger than 16 MiB, or is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    let metadata = fs::metadata(path)?;
    let wrong = |what: String| Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    if !metadata.is_file() {
        return wrong("it is not a file".to_owned());
    }
    if metadata.len() > MAX_TEXT {
        return wrong(format!("it is larger than {MAX_TEXT} bytes"));
    }
    String::from_utf8(read_up_to(path, metadata.len())?)
        .or_else(|_| wrong("it is not UTF-8".to_owned()))
}

/// Reads at most one byte more than `size`, so that a file that grows meanwhile has an end.
fn read_up_to(path: &Path, size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0).min(1 << 24));
    fs::File::open(path)?
        .take(size.saturating_add(1))
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}
