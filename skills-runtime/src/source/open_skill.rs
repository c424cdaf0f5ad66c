//! Reads the files of a folder's skill. No path leads out of the skill.
//!
//! A skill's folder is opened once, and every file is opened relative to that open folder: see the
//! chapter `disk`. The kind and the length are read from the open file and never from its path, which
//! could name another file by then.

use crate::error::{Error, ErrorKind};
use crate::source::diagnostics::shown;
use crate::source::folder::{FolderSkill, Root};
use crate::source::options::Limits;
use crate::source::skill_file::{NOWHERE, leads_openai_nowhere};
use skills_format::disk::{FileStat, Folder, Kind, Refused, is_absent, read_regular};
use skills_format::text::path::PathText as _;
use skills_format::{MAX_OPENAI_FILE, OPENAI_FILE, left_out};
use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The maximum depth of a skill's folders that are listed and watched.
pub(crate) const MAX_DEPTH: usize = 32;

/// An open skill of a folder.
pub(crate) struct OpenSkill<'a> {
    pub(crate) skill: &'a FolderSkill,
    pub(crate) folder: Folder,
    /// The open folder that the skill's own files must not leave, and the skill's path below that folder.
    confined: Option<(Folder, PathBuf)>,
    pub(crate) limits: Limits,
}

/// A file of a skill.
pub(crate) struct Listed {
    /// The path relative to the skill's folder, with `/`.
    pub(crate) path: String,
    pub(crate) stat: FileStat,
}

impl<'a> OpenSkill<'a> {
    /// Opens a skill's folder. A skill of an untrusted source must lie below `confined`, the source's
    /// root.
    pub(crate) fn open(
        skill: &'a FolderSkill,
        confined: Option<&Root>,
        limits: Limits,
    ) -> Result<Self, Error> {
        let refused = |refused| error(skill, &skill.dir, refused);
        let (folder, confined) = match confined {
            None => (
                Folder::open(&skill.dir)
                    .map_err(Refused::Io)
                    .map_err(refused)?,
                None,
            ),
            Some(root) => {
                let top = root.open_bounds().map_err(refused)?;
                let below = skill.dir.strip_prefix(root.bounds());
                let below = below.map_err(|_| refused(Refused::Escape))?.to_owned();
                let folder = top.folder_within(&below).map_err(refused)?;
                (folder, Some((top, below)))
            }
        };
        Ok(Self {
            skill,
            folder,
            confined,
            limits,
        })
    }

    /// Reads the current `SKILL.md`.
    pub(crate) fn skill_file(&self) -> Result<Vec<u8>, Error> {
        let name = Path::new(&*self.skill.file_name);
        let opened = self.open_as_listed(name);
        let file = opened.map_err(|refused| error(self.skill, name, refused))?;
        self.bytes(&file, name, skills_format::MAX_SKILL_FILE)
    }

    /// Opens a file that decides who may start the skill. Links are followed under the same rule as when the skill was
    /// listed.
    fn open_as_listed(&self, name: &Path) -> Result<File, Refused> {
        match &self.confined {
            None => self.folder.file(name).map_err(Refused::Io),
            Some((top, below)) => top.file_within(&below.join(name)),
        }
    }

    /// Reads the current `agents/openai.yaml`. `None`: the skill has no such file.
    pub(crate) fn openai_file(&self) -> Option<Result<Vec<u8>, Error>> {
        let name = Path::new(OPENAI_FILE);
        match self.open_as_listed(name) {
            Err(Refused::Io(io)) if is_absent(&io) => {
                let nowhere = leads_openai_nowhere(&self.skill.dir);
                nowhere.then(|| Err(self.error(ErrorKind::NotFound, name, NOWHERE)))
            }
            Err(refused) => Some(Err(error(self.skill, name, refused))),
            Ok(file) => Some(self.bytes(&file, name, MAX_OPENAI_FILE)),
        }
    }

    /// Reads one file.
    pub(crate) fn file(&self, path: &Path) -> Result<Vec<u8>, Error> {
        let leads_out = |part| !matches!(part, Component::Normal(_) | Component::CurDir);
        if path.components().any(leads_out) {
            let what = "write its path relative to the skill's folder, without `..`";
            return Err(self.error(ErrorKind::NotFound, path, what));
        }
        if path == Path::new(&*self.skill.file_name) {
            return self.skill_file();
        }
        if !self.skill.owns(path) {
            let what = "it is a file of another skill, in a folder below";
            return Err(self.error(ErrorKind::NotFound, path, what));
        }
        let opened = self.folder.file_within(path);
        let file = opened.map_err(|refused| error(self.skill, path, refused))?;
        self.bytes(&file, path, self.limits.file)
    }

    fn bytes(&self, file: &File, path: &Path, limit: u64) -> Result<Vec<u8>, Error> {
        read_regular(file, limit).map_err(|refused| match refused.kind() {
            // The form or the size of the file, and no error of the system.
            io::ErrorKind::InvalidInput => {
                self.error(ErrorKind::Refused, path, &refused.to_string())
            }
            _ => error(self.skill, path, Refused::Io(refused)),
        })
    }

    /// Lists every file including the `SKILL.md`, in the order of the paths' bytes. Links to folders are
    /// not entered. A link to a file is listed if its target is in the skill.
    pub(crate) fn list(&self) -> Result<Vec<Listed>, Error> {
        let mut files = Vec::new();
        self.list_folder(&self.folder, Path::new(""), 0, &mut files)?;
        files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        Ok(files)
    }

    fn list_folder(
        &self,
        folder: &Folder,
        below: &Path,
        depth: usize,
        files: &mut Vec<Listed>,
    ) -> Result<(), Error> {
        let failed = |source| error(self.skill, below, Refused::Io(source));
        let most = self.limits.files;
        // One name more than the limit, so that an excess is noticed and not cut off.
        for item in folder.items(most.saturating_add(1)).map_err(failed)? {
            let path = below.join(&item.name);
            if !self.skill.owns(&path) {
                continue;
            }
            if files.len() >= most || depth > MAX_DEPTH {
                let message = format!(
                    "it contains more than {most} files, or more than {MAX_DEPTH} nested folders"
                );
                return Err(self.error(ErrorKind::Refused, Path::new(""), &message));
            }
            let has = |path: &str| self.folder.stat(Path::new(path)).is_ok();
            if left_out(&shown(&path), &has).is_some() {
                continue;
            }
            if item.kind == Kind::Folder {
                if item.name != ".git" {
                    match folder.folder_within(Path::new(&item.name)) {
                        Ok(folder) => self.list_folder(&folder, &path, depth + 1, files)?,
                        Err(Refused::Io(error)) if error.kind() == io::ErrorKind::NotFound => {}
                        Err(refused) => return Err(error(self.skill, &path, refused)),
                    }
                }
                continue;
            }
            let found = match item.kind {
                Kind::Link => self.linked(&path),
                _ => folder.stat(Path::new(&item.name)).ok(),
            };
            if let Some(stat) = found.filter(|stat| stat.is_file) {
                let path = shown(&path);
                files.push(Listed { path, stat });
            }
        }
        Ok(())
    }

    /// Returns the file that a link leads to. Returns `None` if the link must not be followed or leads
    /// nowhere.
    fn linked(&self, path: &Path) -> Option<FileStat> {
        let is_skill_file = path == Path::new(&*self.skill.file_name);
        let file = match self.folder.file_within(path) {
            Err(Refused::Escape) if is_skill_file && self.confined.is_none() => {
                self.folder.file(path).ok()?
            }
            file => file.ok()?,
        };
        Some(FileStat::of(&file.metadata().ok()?))
    }

    pub(crate) fn error(&self, kind: ErrorKind, path: &Path, what: &str) -> Error {
        let (name, path) = (&self.skill.name, path.shown());
        Error::new(kind, format_args!("skill '{name}', file '{path}': {what}"))
    }
}

pub(crate) fn error(skill: &FolderSkill, path: &Path, refused: Refused) -> Error {
    let (name, path) = (&skill.name, path.shown());
    match refused {
        Refused::Escape => {
            let message = format_args!(
                "skill '{name}', file '{path}': the path leads out of the skill's folder"
            );
            Error::new(ErrorKind::NotFound, message)
        }
        Refused::Io(error) => Error::io(format_args!("skill '{name}', file '{path}'"), error),
    }
}
