//! The skills of a folder or of a commit, with the bytes of their files.

use crate::install::item::{Item, ItemKind, MAX_ITEMS};
use crate::install::walk::{read_files, walk};
use crate::review::leads::Leads;
use crate::review::locks::ReviewedLock;
use skills_compiler::LOCK_FILE;
use skills_format::disk::resolved;
use skills_format::skill::file::SkillFile;
use skills_format::{Digest, PowerKind, Powers, Skill, join, prose};
use skills_lint::{CONFIG_FILE, PowerFile};
use skills_store::files::snapshot::{FileBytes, Snapshot, is_skill_file};
use skills_store::{Error, ErrorKind};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The skills of one version, in order of their folders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Side {
    /// The skills.
    pub skills: Vec<ReviewedSkill>,
    /// Each `skills.lock`, and each `skills.toml` that can ask for one, by its path.
    pub locks: BTreeMap<String, ReviewedLock>,
    /// The links and submodules outside of the skills, by their paths. They are not followed.
    pub links: BTreeMap<String, Leads>,
}

/// One skill with its files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReviewedSkill {
    /// The folder, relative to the side's root, with `/`; empty if the root is the skill.
    pub folder: String,
    /// The files by their paths in the folder.
    pub files: BTreeMap<String, FileBytes>,
    /// The links by their paths in the folder. They are not followed.
    pub links: BTreeMap<String, Leads>,
}

impl Side {
    /// Reads the skills below a folder.
    ///
    /// # Errors
    ///
    /// If the folder cannot be listed or holds too many files, or a file cannot be read.
    pub fn of_folder(root: &Path) -> Result<Self, Error> {
        // A person who names a link means the folder behind it.
        let root = &resolved(root);
        let items = walk(root, "", &[LOCK_FILE, CONFIG_FILE])?;
        if items.len() > MAX_ITEMS {
            let message = prose!("{} holds more than {MAX_ITEMS} files", root);
            return Err(Error::new(ErrorKind::Refused, message).help("name a folder below it"));
        }
        let links = items.iter().filter(|item| item.kind == ItemKind::Link);
        let leads = links.map(|item| {
            let shown = shown(&item.path);
            let leads = fs::read_link(root.join(&shown)).map_or(Leads::Nowhere, |target| {
                Leads::To(target.to_string_lossy().into_owned())
            });
            (shown, leads)
        });
        let leads = leads.collect();
        let mut side = Self::of_items(&items, leads, |paths| read_files(root, paths))?;
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
                links: BTreeMap::new(),
            }],
            ..Self::default()
        }
    }

    /// Reads every lock among listed files.
    pub(super) fn read_locks(
        &mut self,
        items: &[Item],
        mut read: impl FnMut(&[Vec<u8>]) -> Result<Vec<FileBytes>, Error>,
    ) -> Result<(), Error> {
        let is_lock = |item: &&Item| {
            let path = shown(&item.path);
            let name = path.rsplit('/').next().unwrap_or(&path);
            [LOCK_FILE, CONFIG_FILE].contains(&name) && !is_filled(&path)
        };
        let (files, others): (Vec<&Item>, Vec<&Item>) = items
            .iter()
            .filter(is_lock)
            .partition(|item| matches!(item.kind, ItemKind::File { .. }));
        // A link could lead to a lock that no review sees.
        for item in others {
            self.locks
                .insert(shown(&item.path), ReviewedLock::damaged());
        }
        let paths: Vec<Vec<u8>> = files.iter().map(|item| item.path.clone()).collect();
        let files = match paths.as_slice() {
            // Nothing is asked of a folder that is not there.
            [] => Vec::new(),
            paths => read(paths)?,
        };
        for (path, file) in paths.iter().zip(files) {
            let path = shown(path);
            let lock = ReviewedLock::of(&path, &file.bytes);
            self.locks.insert(path, lock);
        }
        Ok(())
    }

    /// Groups listed files by their skills, and reads them. `leads` has the links and submodules by their paths.
    pub(super) fn of_items(
        items: &[Item],
        mut leads: BTreeMap<String, Leads>,
        mut read: impl FnMut(&[Vec<u8>]) -> Result<Vec<FileBytes>, Error>,
    ) -> Result<Self, Error> {
        let mut folders: Vec<String> = items
            .iter()
            .filter_map(|item| {
                let path = shown(&item.path);
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
            let path = shown(&item.path);
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
                let path = shown(&item.path);
                path.get(folder.len()..)
                    .unwrap_or(&path)
                    .trim_start_matches('/')
                    .to_owned()
            };
            let mut skill = ReviewedSkill {
                folder: folder.to_owned(),
                ..ReviewedSkill::default()
            };
            for (item, file) in files.iter().zip(bytes) {
                let mut path = relative(item);
                // Two names that are not UTF-8 can be shown alike.
                while skill.files.contains_key(&path) {
                    path.push('\u{FFFD}');
                }
                skill.files.insert(path, file);
            }
            for item in others {
                let leads = leads.remove(&shown(&item.path)).unwrap_or(Leads::Nowhere);
                skill.links.insert(relative(item), leads);
            }
            side.skills.push(skill);
        }
        side.links = leads;
        Ok(side)
    }
}

/// Returns a path as text. Bytes that are not UTF-8 are written as `\xFF`.
pub(super) fn shown(path: &[u8]) -> String {
    let mut text = String::new();
    for chunk in path.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02X}");
        }
    }
    text
}

/// Returns whether a path is below a folder that tools fill.
pub(super) fn is_filled(path: &str) -> bool {
    path.split('/')
        .any(|part| part == "node_modules" || part == "target")
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
        let mut powers = skills_lint::powers(files);
        for (path, leads) in &self.links {
            let text = format!("file {path}, {leads}");
            powers.add(PowerKind::Unreadable, text, path, 0);
        }
        powers
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
