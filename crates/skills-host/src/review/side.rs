//! The skills of a folder or of a commit, with the bytes of their files.

use crate::install::item::{Item, ItemKind, MAX_ITEMS};
use crate::install::walk::{read_files, walk};
use serde::Serialize;
use skills_compiler::{LOCK_FILE, Lock};
use skills_format::skill::file::SkillFile;
use skills_format::{Digest, Powers, Skill, join, prose};
use skills_lint::PowerFile;
use skills_store::files::snapshot::{FileBytes, Snapshot, is_skill_file};
use skills_store::{Error, ErrorKind};
use std::collections::BTreeMap;
use std::path::Path;

/// The skills of one version, in order of their folders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Side {
    /// The skills.
    pub skills: Vec<ReviewedSkill>,
    /// Each lock file, by its path.
    pub locks: BTreeMap<String, LockState>,
}

/// Whether a lock file holds what its skills may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum LockState {
    /// The lock holds powers.
    Held,
    /// The lock has a version without powers.
    Older,
    /// The lock cannot be read.
    Damaged,
    /// The file is not there.
    Removed,
}

/// One skill with its files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReviewedSkill {
    /// The folder, relative to the side's root, with `/`; empty if the root is the skill.
    pub folder: String,
    /// The files by their paths in the folder.
    pub files: BTreeMap<String, FileBytes>,
    /// The links, which are not followed.
    pub links: Vec<String>,
}

impl Side {
    /// Reads the skills below a folder.
    ///
    /// # Errors
    ///
    /// If the folder cannot be listed or holds too many files, or a file cannot be read.
    pub fn of_folder(root: &Path) -> Result<Self, Error> {
        let items = walk(root, "", Some(LOCK_FILE))?;
        if items.len() > MAX_ITEMS {
            let message = prose!("{} holds more than {MAX_ITEMS} files", root);
            return Err(Error::new(ErrorKind::Refused, message).help("name a folder below it"));
        }
        let mut side = Self::of_items(&items, |paths| read_files(root, paths))?;
        side.read_locks(&items, |paths| read_files(root, paths))?;
        Ok(side)
    }

    /// Makes a side of one skill.
    pub fn of_snapshot(folder: &str, snapshot: &Snapshot) -> Self {
        let files = snapshot.files();
        let files = files.map(|(path, file)| (path.to_owned(), file.clone()));
        Self {
            skills: vec![ReviewedSkill {
                folder: folder.to_owned(),
                files: files.collect(),
                links: Vec::new(),
            }],
            locks: BTreeMap::new(),
        }
    }

    /// Reads every lock among listed files.
    pub(super) fn read_locks(
        &mut self,
        items: &[Item],
        mut read: impl FnMut(&[Vec<u8>]) -> Result<Vec<FileBytes>, Error>,
    ) -> Result<(), Error> {
        let shown = |path: &[u8]| String::from_utf8_lossy(path).into_owned();
        let is_lock = |item: &&Item| {
            let path = shown(&item.path);
            path.rsplit('/').next() == Some(LOCK_FILE) && !is_filled(&path)
        };
        let (files, others): (Vec<&Item>, Vec<&Item>) = items
            .iter()
            .filter(is_lock)
            .partition(|item| matches!(item.kind, ItemKind::File { .. }));
        // A link could lead to a lock that no review sees.
        for item in others {
            self.locks.insert(shown(&item.path), LockState::Damaged);
        }
        let paths: Vec<Vec<u8>> = files.iter().map(|item| item.path.clone()).collect();
        let files = match paths.as_slice() {
            // Nothing is asked of a folder that is not there.
            [] => Vec::new(),
            paths => read(paths)?,
        };
        for (path, file) in paths.iter().zip(files) {
            self.locks.insert(shown(path), LockState::of(&file.bytes));
        }
        Ok(())
    }

    /// Groups listed files by their skills, and reads them.
    pub(super) fn of_items(
        items: &[Item],
        mut read: impl FnMut(&[Vec<u8>]) -> Result<Vec<FileBytes>, Error>,
    ) -> Result<Self, Error> {
        let shown = |item: &Item| String::from_utf8_lossy(&item.path).into_owned();
        let mut folders: Vec<String> = items
            .iter()
            .filter_map(|item| {
                let path = shown(item);
                let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
                is_skill_file(name).then(|| folder.to_owned())
            })
            .collect();
        folders.sort();
        folders.dedup();
        // A file belongs to the nearest skill above it. A skill below another is a skill of its own, as clients list it:
        // otherwise a `SKILL.md` in the root would hide what the skills below it gain.
        let mut inside: BTreeMap<&str, Vec<&Item>> = folders
            .iter()
            .map(|folder| (folder.as_str(), Vec::new()))
            .collect();
        for item in items {
            let path = shown(item);
            let mut above = path.as_str();
            while !above.is_empty() {
                above = above.rsplit_once('/').map_or("", |(above, _)| above);
                if let Some(files) = inside.get_mut(above) {
                    files.push(item);
                    break;
                }
            }
        }
        let mut side = Self::default();
        for (folder, inside) in inside {
            let (files, others): (Vec<&Item>, Vec<&Item>) = inside
                .into_iter()
                .partition(|item| matches!(item.kind, ItemKind::File { .. }));
            let paths: Vec<Vec<u8>> = files.iter().map(|item| item.path.clone()).collect();
            let bytes = read(&paths)?;
            let relative = |item: &Item| {
                let path = shown(item);
                path.get(folder.len()..)
                    .unwrap_or(&path)
                    .trim_start_matches('/')
                    .to_owned()
            };
            let files = files
                .iter()
                .zip(bytes)
                .map(|(item, file)| (relative(item), file));
            side.skills.push(ReviewedSkill {
                files: files.collect(),
                links: others.iter().map(|item| relative(item)).collect(),
                folder: folder.to_owned(),
            });
        }
        Ok(side)
    }
}

/// Returns whether a path is below a folder that tools fill.
pub(super) fn is_filled(path: &str) -> bool {
    path.split('/')
        .any(|part| part == "node_modules" || part == "target")
}

impl LockState {
    fn of(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes).map(Lock::parse) {
            Ok(Ok(lock)) if lock.skills.values().all(|skill| skill.powers.is_some()) => Self::Held,
            Ok(Ok(_)) => Self::Older,
            Ok(Err(error)) if error.newer => Self::Held,
            _ => Self::Damaged,
        }
    }

    /// Says what is wrong with a lock that held powers before.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Held => "holds powers",
            Self::Older => "was lowered to a version without powers",
            Self::Damaged => "cannot be read any more",
            Self::Removed => "was removed",
        }
    }
}

impl ReviewedSkill {
    /// Returns the text of the `SKILL.md`, if it is UTF-8.
    pub fn text(&self) -> Option<&str> {
        let (_, file) = self.files.iter().find(|(path, _)| is_skill_file(path))?;
        std::str::from_utf8(&file.bytes).ok()
    }

    /// Returns the skill, read leniently.
    pub fn skill(&self) -> Option<Skill> {
        let name = self.folder.rsplit('/').next().unwrap_or_default();
        let text = self.text()?;
        SkillFile::read(join(&self.folder, "SKILL.md"), name, text.as_bytes())
            .lenient()
            .0
    }

    /// Returns the name: that of the front matter, or that of the folder.
    pub fn name(&self) -> String {
        let folder = self.folder.rsplit('/').next().unwrap_or_default();
        self.skill()
            .map_or_else(|| folder.to_owned(), |skill| skill.name.to_string())
    }

    /// Reads what the skill may do.
    pub fn powers(&self) -> Powers {
        let files = self.files.iter().map(|(path, file)| PowerFile {
            path,
            bytes: Some(&file.bytes),
            is_executable: file.executable,
        });
        let links = self.links.iter().map(|path| PowerFile {
            path,
            bytes: None,
            is_executable: false,
        });
        skills_lint::powers(files.chain(links))
    }

    /// Returns the digest over paths, lengths and bytes.
    pub fn digest(&self) -> Digest {
        let files = self.files.iter();
        Digest::of_files(files.map(|(path, file)| {
            (
                path.as_str(),
                file.bytes.len() as u64,
                Digest::of(&file.bytes),
            )
        }))
    }
}
