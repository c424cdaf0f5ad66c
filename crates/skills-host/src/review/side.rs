//! The skills of a folder or of a commit, with the bytes of their files.

use crate::install::item::{Item, ItemKind};
use crate::install::walk::{read_files, walk};
use skills_compiler::LOCK_FILE;
use skills_format::skill::file::SkillFile;
use skills_format::{Digest, Powers, Skill, join};
use skills_lint::PowerFile;
use skills_store::Error;
use skills_store::files::snapshot::{FileBytes, Snapshot, is_skill_file};
use std::collections::BTreeMap;
use std::path::Path;

/// The skills of one version, in order of their folders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Side {
    /// The skills.
    pub skills: Vec<ReviewedSkill>,
    /// The version of each lock file, by its path.
    pub locks: BTreeMap<String, u64>,
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
    /// If the folder cannot be listed, or a file cannot be read.
    pub fn of_folder(root: &Path) -> Result<Self, Error> {
        let items = walk(root, "")?;
        let locks = lock_version(
            std::fs::read_to_string(root.join(LOCK_FILE))
                .ok()
                .as_deref(),
        );
        let mut side = Self::of_items(&items, |paths| read_files(root, paths))?;
        side.locks
            .extend(locks.map(|version| (LOCK_FILE.to_owned(), version)));
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
        // A `SKILL.md` below a skill is a file of that skill.
        let mut outer: Vec<String> = Vec::new();
        for folder in folders {
            if !outer.iter().any(|known| holds(known, &folder)) {
                outer.push(folder);
            }
        }
        let mut side = Self::default();
        for folder in outer {
            let inside = items.iter().filter(|item| holds(&folder, &shown(item)));
            let (files, others): (Vec<&Item>, Vec<&Item>) =
                inside.partition(|item| matches!(item.kind, ItemKind::File { .. }));
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
                folder: folder.clone(),
            });
        }
        Ok(side)
    }
}

fn holds(folder: &str, path: &str) -> bool {
    folder.is_empty()
        || path
            .strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/') || rest.is_empty())
}

/// Returns the version in the text of a lock: lowering it would take the powers out of the lock.
pub(super) fn lock_version(text: Option<&str>) -> Option<u64> {
    let line = text?
        .lines()
        .find(|line| line.trim_start().starts_with("version"))?;
    line.split_once('=')?.1.trim().parse().ok()
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
