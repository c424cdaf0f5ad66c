//! Reads the bytes of a listed tree.

use crate::disk::{Folder, read_regular};
use crate::skill::openai::{MAX_OPENAI_FILE, OPENAI_FILE};
use crate::tree::limits::Limits;
use crate::tree::{
    ARGUMENTS_FILE, FileKind, MAX_ARGUMENTS_FILE, SkillFiles, Tree, TreeFault, TreeFile,
    is_skill_file_of_any_case,
};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::ops::Range;
use std::path::Path;

/// The maximum length of a file that can be a symbolic link which git checked out as text.
const MAX_LINK_TEXT: u64 = 100;

/// The choice of the bytes that [`Tree::read`] reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Contents {
    /// No bytes and no lengths, for `skills_lint::check_bundle`, which reads one skill at a
    /// time.
    Names,
    /// The bytes of `SKILL.md` files, up to `max` bytes each, of `agents/openai.yaml`, of `arguments.schema.json`, and of
    /// files small enough to be symbolic links that git checked out as text.
    Skills {
        /// The maximum length of a file that is read, in bytes.
        max: u64,
    },
    /// The bytes of every file of a skill, up to `max` bytes each. Skills over the limits are not read. If
    /// all skills together are over their limit, no skill is read.
    All {
        /// The maximum length of a file that is read, in bytes.
        max: u64,
        /// The limits of a skill and of all skills together.
        limits: Limits,
    },
}

impl Contents {
    fn want(self, file: &TreeFile) -> bool {
        let most = match self {
            Self::Names => return false,
            Self::All { max, .. } => max,
            Self::Skills { max } if is_skill_file_of_any_case(&file.path) => max.max(MAX_LINK_TEXT),
            Self::Skills { .. } if file.path.ends_with(OPENAI_FILE) => MAX_OPENAI_FILE,
            Self::Skills { .. } if file.path.ends_with(ARGUMENTS_FILE) => MAX_ARGUMENTS_FILE,
            Self::Skills { .. } => MAX_LINK_TEXT,
        };
        file.utf8 && file.kind == FileKind::Regular && file.size <= most
    }
}

impl Tree {
    /// Returns the tree with the lengths of all files and the requested bytes. A part that cannot be read is
    /// a fault of the tree.
    ///
    /// # Cost
    ///
    /// Reads the length of each file once, and the requested bytes.
    #[must_use]
    pub fn filled(&self, root: &Folder, contents: Contents) -> Self {
        let mut tree = self.clone();
        measure(&mut tree.files, &mut Opener::new(root), &mut tree.faults);
        read(&mut tree, root, contents);
        tree.faults.sort_by(|a, b| a.path.cmp(&b.path));
        tree
    }
}

/// Reads the lengths of files.
fn measure(files: &mut [TreeFile], opener: &mut Opener<'_>, faults: &mut Vec<TreeFault>) {
    for file in files.iter_mut().filter(|file| file.utf8) {
        if let Err(error) = file.measure(opener) {
            faults.push(TreeFault::new(&file.path, &error));
        }
    }
}

/// Reads the requested bytes of a tree. The lengths of the files must be known: the limits are checked first.
pub(super) fn read(tree: &mut Tree, root: &Folder, contents: Contents) {
    let mut opener = Opener::new(root);
    for range in wanted(tree, contents) {
        let files = &mut tree.files[range];
        read_files(
            &mut files.iter_mut(),
            &mut opener,
            contents,
            &mut tree.faults,
        );
    }
}

/// Reads the requested bytes of files whose lengths are known.
fn read_files(
    files: &mut dyn Iterator<Item = &mut TreeFile>,
    opener: &mut Opener<'_>,
    contents: Contents,
    faults: &mut Vec<TreeFault>,
) {
    for file in files.filter(|file| contents.want(file)) {
        if let Err(error) = file.read(opener) {
            faults.push(TreeFault::new(&file.path, &error));
        }
    }
}

/// Returns the ranges of the files within the limits.
fn wanted(tree: &Tree, contents: Contents) -> Vec<Range<usize>> {
    match contents {
        Contents::Names => Vec::new(),
        Contents::Skills { .. } => std::iter::once(0..tree.files.len()).collect(),
        Contents::All { limits, .. } => {
            let skills = tree.skills();
            if !limits.hold_all(skills.iter().map(|skill| skill.files)) {
                return Vec::new();
            }
            let within = skills.iter().filter(|skill| limits.hold(skill.files));
            let range = |skill: &SkillFiles<'_>| {
                let first = skill.files.first().map_or("", |file| file.path.as_str());
                let before = |file: &TreeFile| file.path.as_bytes() < first.as_bytes();
                let start = tree.files.partition_point(before);
                start..start + skill.files.len()
            };
            within.map(range).collect()
        }
    }
}

impl TreeFile {
    /// Reads the bytes of the file. A file that grew since its length was read is an error.
    fn read(&mut self, opener: &mut Opener<'_>) -> io::Result<()> {
        let (folder, name) = opener.open(&self.path)?;
        let file = folder.child_file(name).map_err(io::Error::from)?;
        let bytes = read_regular(&file, self.size)?;
        self.size = bytes.len() as u64;
        self.bytes = Some(bytes);
        Ok(())
    }

    fn measure(&mut self, opener: &mut Opener<'_>) -> io::Result<()> {
        let (folder, name) = opener.open(&self.path)?;
        let stat = folder.stat(Path::new(name))?;
        self.size = stat.len;
        // Between the listing and this call, a file can be replaced by a link or a pipe.
        if stat.is_file == (self.kind == FileKind::Regular) {
            Ok(())
        } else {
            Err(io::Error::other("it was replaced while it was read"))
        }
    }
}

impl SkillFiles<'_> {
    /// Returns the files with the requested bytes. `root` is the folder from which the tree was read.
    /// Of a skill over the limits, only the lengths are read.
    ///
    /// A file whose name is not UTF-8 gets no bytes: its path in the tree differs from the path on
    /// the disk.
    pub fn read(
        &self,
        root: &Folder,
        contents: Contents,
        limits: Limits,
    ) -> (Vec<TreeFile>, Vec<TreeFault>) {
        let (mut files, mut faults) = (self.files.to_vec(), Vec::new());
        let mut opener = Opener::new(root);
        measure(&mut files, &mut opener, &mut faults);
        if limits.hold(&files) {
            // A file without a length is not read: it has its fault.
            let lost: BTreeSet<&str> = faults.iter().map(|fault| &*fault.path).collect();
            let mut files = files.iter_mut().filter(|file| !lost.contains(&*file.path));
            let mut unread = Vec::new();
            read_files(&mut files, &mut opener, contents, &mut unread);
            faults.append(&mut unread);
        }
        (files, faults)
    }
}

/// Opens the folders of files, one file after the other. The folders above the last file stay open, so that
/// each folder of sorted files is opened once.
struct Opener<'f> {
    root: &'f Folder,
    /// The open folders, each below the folder before, with the length of the folder's path in `path`.
    open: Vec<(usize, Folder)>,
    /// The path of the last open folder.
    path: String,
}

impl<'f> Opener<'f> {
    fn new(root: &'f Folder) -> Self {
        Self {
            root,
            open: Vec::new(),
            path: String::new(),
        }
    }

    /// Returns the open folder of a file, and the file's name in the folder.
    fn open<'p>(&mut self, path: &'p str) -> io::Result<(&Folder, &'p OsStr)> {
        let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
        while !is_at_or_below(dir, &self.path) {
            self.open.pop();
            let length = self.open.last().map_or(0, |(length, _)| *length);
            self.path.truncate(length);
        }
        let below = dir.get(self.path.len()..).unwrap_or_default();
        for step in below.split('/').filter(|step| !step.is_empty()) {
            let folder = self.last().child(OsStr::new(step))?;
            if !self.path.is_empty() {
                self.path.push('/');
            }
            self.path.push_str(step);
            self.open.push((self.path.len(), folder));
        }
        Ok((self.last(), name.as_ref()))
    }

    fn last(&self) -> &Folder {
        self.open.last().map_or(self.root, |(_, folder)| folder)
    }
}

/// Returns whether a path is a folder, or below the folder.
fn is_at_or_below(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder);
    folder.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
