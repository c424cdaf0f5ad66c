//! A folder of skills as data: paths and bytes, sorted.

pub mod contents;
pub mod filled;
pub mod left_out;
pub mod limits;
pub mod read;

use crate::disk::Kind;
use crate::skill::openai::{MAX_OPENAI_FILE, OPENAI_FILE, OpenAiFile};

/// The typed arguments of a skill, in its folder.
pub const ARGUMENTS_FILE: &str = "arguments.schema.json";

/// The maximum number of bytes of [`ARGUMENTS_FILE`] that are read.
pub const MAX_ARGUMENTS_FILE: u64 = 64 * 1024;

/// The name of the file that makes a folder a skill.
pub const SKILL_FILE: &str = "SKILL.md";

/// A folder's files, sorted by the bytes of their paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// The files, links and all other items that are not folders.
    pub files: Vec<TreeFile>,
    /// The parts that could not be read.
    pub faults: Vec<TreeFault>,
}

/// One file of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeFile {
    /// The path relative to the root, with `/`. Bytes that are not UTF-8 are replaced; `utf8` is then false.
    pub path: String,
    /// True if the path is UTF-8.
    pub utf8: bool,
    /// The kind of the file.
    pub kind: FileKind,
    /// The length in bytes, as the file system reports it.
    pub size: u64,
    /// The bytes, if they were requested and are within the limits.
    pub bytes: Option<Vec<u8>>,
}

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    Regular,
    /// A symbolic link, which is not followed.
    Link,
    /// A pipe, a socket, a device: never opened.
    Other,
}

impl From<Kind> for FileKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::File => Self::Regular,
            Kind::Link => Self::Link,
            Kind::Folder | Kind::Other => Self::Other,
        }
    }
}

/// A part of a tree that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeFault {
    /// The path relative to the root, with `/`; empty for the root.
    pub path: String,
    /// The message of the operating system.
    pub message: String,
}

impl TreeFault {
    pub(crate) fn new(path: &str, error: &std::io::Error) -> Self {
        Self {
            path: path.to_owned(),
            message: error.to_string(),
        }
    }
}

/// The files of one skill.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SkillFiles<'t> {
    /// The skill's folder relative to the tree's root; empty when the root is the skill.
    pub dir: &'t str,
    /// The `SKILL.md`.
    pub file: &'t TreeFile,
    /// Every file below the folder, the `SKILL.md` included.
    pub files: &'t [TreeFile],
}

impl Tree {
    /// Returns the skills, in order of their folders. A `SKILL.md` below a skill's folder is a file of
    /// that skill.
    pub fn skills(&self) -> Vec<SkillFiles<'_>> {
        self.skills_of(|file| is_skill_file(&file.path))
    }

    /// Returns the skills, also skills whose file is called `skill.md` or `Skill.md`. A `SKILL.md` in the
    /// same folder takes precedence.
    pub fn skills_of_any_case(&self) -> Vec<SkillFiles<'_>> {
        self.skills_of(|file| {
            let (dir, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
            name == SKILL_FILE
                || name.eq_ignore_ascii_case(SKILL_FILE)
                    && self.get(&join(dir, SKILL_FILE)).is_none()
        })
    }

    pub(super) fn skills_of(&self, is_entry: impl Fn(&TreeFile) -> bool) -> Vec<SkillFiles<'_>> {
        let mut skills: Vec<SkillFiles<'_>> = Vec::new();
        let entries = self.files.iter().enumerate();
        for (at, file) in entries.filter(|(_, file)| is_entry(file)) {
            let length = file.path.len().saturating_sub(SKILL_FILE.len());
            let dir = file.path.get(..length).unwrap_or_default();
            // The files are sorted, so the files of the folder stand around the entry.
            let (before, after) = self.files.split_at(at);
            let is_inside = |file: &&TreeFile| file.path.starts_with(dir);
            let start = at - before.iter().rev().take_while(is_inside).count();
            let end = at + after.iter().take_while(is_inside).count();
            let files = self.files.get(start..end).unwrap_or_default();
            skills.push(SkillFiles {
                dir: dir.trim_end_matches('/'),
                file,
                files,
            });
        }
        skills.sort_unstable_by_key(|skill| skill.dir);
        let mut outer: Vec<SkillFiles<'_>> = Vec::new();
        for skill in skills {
            if !folders_above(skill.dir).any(|dir| place(&outer, dir).is_ok()) {
                outer.push(skill);
            }
        }
        outer
    }

    /// Returns a file by its path relative to the root.
    pub fn get(&self, path: &str) -> Option<&TreeFile> {
        let index = self
            .files
            .binary_search_by(|file| file.path.as_bytes().cmp(path.as_bytes()))
            .ok()?;
        self.files.get(index)
    }
}

/// Returns whether a path, relative to the folder of a skill, is in a folder for the files of that skill: a `SKILL.md` there
/// is an example or a template, and not a skill that the outer skill hides.
pub fn is_resource(path: &str) -> bool {
    const FOLDERS: [&str; 5] = ["assets", "references", "scripts", "examples", "templates"];
    path.split_once('/')
        .is_some_and(|(first, _)| FOLDERS.contains(&first))
}

/// Returns whether the last part of a path is `SKILL.md`.
pub fn is_skill_file(path: &str) -> bool {
    path.rsplit('/').next() == Some(SKILL_FILE)
}

/// Returns whether the last part of a path is `SKILL.md` in any letter case.
pub fn is_skill_file_of_any_case(path: &str) -> bool {
    let name = path.rsplit('/').next();
    name.is_some_and(|name| name.eq_ignore_ascii_case(SKILL_FILE))
}

/// Returns the index of a folder's skill among skills sorted by folder.
///
/// # Errors
///
/// No skill has the folder: the index at which such a skill would be inserted.
pub fn place(skills: &[SkillFiles<'_>], dir: &str) -> Result<usize, usize> {
    skills.binary_search_by(|skill| skill.dir.as_bytes().cmp(dir.as_bytes()))
}

/// Returns the folders above a path of a tree, from the root down. The path of the root is empty.
pub fn folders_above(path: &str) -> impl Iterator<Item = &str> {
    let root = (!path.is_empty()).then_some("");
    let others = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
    root.into_iter().chain(others)
}

/// Returns a path of a tree relative to a folder of the tree. Returns `None` if the path is not in the folder.
pub fn in_folder<'p>(dir: &str, path: &'p str) -> Option<&'p str> {
    if dir.is_empty() {
        Some(path)
    } else {
        path.strip_prefix(dir)?.strip_prefix('/')
    }
}

/// Joins a root and a path for display.
///
/// ```
/// assert_eq!(skills_format::join("skills", "a/SKILL.md"), "skills/a/SKILL.md");
/// assert_eq!(skills_format::join(".", "a/SKILL.md"), "a/SKILL.md");
/// ```
pub fn join(root: &str, path: &str) -> String {
    match (root.trim_end_matches('/'), path) {
        ("" | ".", path) => path.to_owned(),
        (root, "") => root.to_owned(),
        (root, path) => [root, "/", path].concat(),
    }
}

impl OpenAiFile {
    /// Reads the file of a skill among the files of a tree. `dir` is the skill's folder in the tree, and `root` the
    /// path of the tree for display. `None` if the skill has no such file.
    pub fn of_tree(root: &str, dir: &str, files: &[TreeFile]) -> Option<Self> {
        let path = join(dir, OPENAI_FILE);
        let file = files.iter().find(|file| file.path == path)?;
        let path = join(root, &path);
        Some(match (&file.bytes, file.size > MAX_OPENAI_FILE) {
            (Some(bytes), false) => Self::read(&path, bytes),
            (_, true) => Self::too_large(&path, file.size),
            (None, false) => Self::unreadable(&path, "the file cannot be read"),
        })
    }
}
