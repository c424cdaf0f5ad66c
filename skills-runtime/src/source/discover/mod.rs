//! Finds the skills of one source's folders.
//!
//! A folder is a skill if a `SKILL.md` can be opened in it. Opening is tried first: a folder of skills
//! is listed once, and each skill costs one `open`, one `read` and one `close`. Links are followed last,
//! and only to folders that were not read yet, so that a skill keeps its own path.

pub(crate) mod links;
pub(crate) mod skill;

use crate::source::diagnostics::reading::{self, RootFile};
use crate::source::folder::{FolderSkill, FolderSkills, Reach, Root, UnusableSkill};
use crate::source::options::{Limits, Reading};
use crate::source::stamp;
use skills_format::disk::{self, Folder, Identity, Item, Kind, Refused};
use skills_format::tree::filled::is_filled;
use skills_format::{Diagnostic, SKILL_FILE};
use std::collections::{HashMap, HashSet, VecDeque};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The factor between the limit of folders and the number of names that are read of one folder.
const NAMES_A_FOLDER: usize = 16;

/// Reads the roots of one source, the nearest first. Files in `before` are read again only if they have
/// changed.
pub(crate) fn read(
    roots: &[Root],
    reading: Reading,
    before: Option<&FolderSkills>,
    diagnostics: &mut Vec<Diagnostic>,
) -> FolderSkills {
    let mut walk = Walk {
        reading,
        began: stamp::now(),
        buffer: Vec::new(),
        before: before.map(Before::new).unwrap_or_default(),
        root: 0,
        full: false,
        too_deep: None,
        links: VecDeque::new(),
        seen: None,
        found: FolderSkills {
            roots: roots.to_vec(),
            ..FolderSkills::default()
        },
        diagnostics,
    };
    for (index, root) in roots.iter().enumerate() {
        walk.root = index;
        walk.read_root(root);
    }
    let mut found = walk.found;
    found.sort();
    found
}

/// The state of reading one source.
pub(crate) struct Walk<'a> {
    pub(crate) reading: Reading,
    /// When the walk began, in nanoseconds since 1970.
    pub(crate) began: i128,
    /// The bytes of the last `SKILL.md`: one buffer for all.
    pub(crate) buffer: Vec<u8>,
    before: Before<'a>,
    /// Index of the root that is read.
    pub(crate) root: usize,
    /// `true` once a limit of the source is reached.
    pub(crate) full: bool,
    /// The first folder that is too deep, and the number of further folders.
    too_deep: Option<(PathBuf, usize)>,
    /// The links to follow, each with its depth.
    pub(crate) links: VecDeque<(PathBuf, usize)>,
    /// The folders that were read. `None` until the first link.
    pub(crate) seen: Option<HashSet<Identity>>,
    pub(crate) found: FolderSkills,
    pub(crate) diagnostics: &'a mut Vec<Diagnostic>,
}

/// The files of the last load, by folder. The key is the written path: a `Path` as a key is hashed component by component,
/// which took a tenth of a reload. A folder that is written otherwise is read again.
#[derive(Default)]
struct Before<'a> {
    skills: HashMap<&'a OsStr, &'a Arc<FolderSkill>, foldhash::fast::RandomState>,
    unusable: HashMap<&'a OsStr, &'a Arc<UnusableSkill>, foldhash::fast::RandomState>,
}

impl<'a> Before<'a> {
    fn new(found: &'a FolderSkills) -> Self {
        let skills = found.skills.iter();
        let unusable = found.unusable.iter();
        Self {
            skills: skills.map(|it| (it.dir.as_os_str(), it)).collect(),
            unusable: unusable.map(|it| (it.dir.as_os_str(), it)).collect(),
        }
    }
}

/// The lengths of the lists of a walk before a root was read, and before the folders in it were.
struct Counts {
    skills: usize,
    unusable: usize,
    visited: usize,
    diagnostics: usize,
}

/// The result of reading a folder as a skill.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tried {
    /// A skill, or a faulty skill. Folders below it are not skills.
    Skill,
    /// A folder without a `SKILL.md`.
    NoFile,
    /// A folder whose `SKILL.md` is not a regular file. The fault was reported.
    NotAFile,
    /// Not a folder, or a folder that cannot be opened.
    Nothing,
}

impl Walk<'_> {
    fn read_root(&mut self, root: &Root) {
        if self.full || self.found.visited.contains(&root.path) {
            return;
        }
        let opened = if self.reading.confined {
            root.open()
        } else {
            Folder::open(&root.path).map_err(Refused::Io)
        };
        let folder = match opened {
            Ok(folder) => folder,
            Err(Refused::Io(error)) if error.kind() == io::ErrorKind::NotFound => return,
            Err(refused) => return self.refused(&root.path, refused),
        };
        if root.reach == Reach::Children {
            return self.read_children(&folder, root);
        }
        // A link below an earlier root can already have led to this root.
        if let Some(seen) = &mut self.seen
            && !disk::identity(&root.path).is_ok_and(|identity| seen.insert(identity))
        {
            return;
        }
        self.found.visited.push(root.path.clone());
        let (skills, unusable) = (self.found.skills.len(), self.found.unusable.len());
        let mut tried = self.try_skill(&folder, &folder, &root.path, Path::new(""));
        if tried == Tried::Nothing {
            return;
        }
        let Some(items) = self.items(&folder, &root.path) else {
            return;
        };
        if tried == Tried::NoFile && self.read_misnamed(&folder, &folder, &root.path, &items) {
            tried = Tried::Skill;
        }
        let before = Counts {
            skills,
            unusable,
            visited: self.found.visited.len(),
            diagnostics: self.diagnostics.len(),
        };
        self.read_items(&folder, &folder, &root.path, 0, items);
        self.read_links(&folder, root);
        if tried == Tried::Skill {
            self.part_from_inner(&root.path, &before);
        }
        if let Some((path, others)) = self.too_deep.take() {
            let finding = reading::too_deep(&path, self.reading.limits.depth, others);
            self.diagnostics.push(finding);
        }
    }

    /// Decides what the `SKILL.md` of a root is. Without a skill below, the whole root is one skill. Otherwise it is one
    /// skill among others, if it has a name.
    fn part_from_inner(&mut self, root: &Path, before: &Counts) {
        let skills = self.found.skills[before.skills..].iter();
        let faulty = self.found.unusable[before.unusable..].iter();
        let mut inner: Vec<PathBuf> = skills
            .map(|skill| &*skill.dir)
            .chain(faulty.filter(|it| it.is_file).map(|it| &*it.dir))
            .filter_map(|dir| dir.strip_prefix(root).ok())
            .filter(|below| !below.as_os_str().is_empty())
            .map(Path::to_owned)
            .collect();
        inner.sort_unstable();
        if inner.is_empty() {
            // The findings are about folders of the skill, which are not searched for skills.
            self.diagnostics.truncate(before.diagnostics);
            self.too_deep = None;
            if std::mem::take(&mut self.full) {
                self.found.visited.truncate(before.visited);
            }
        }
        let mut own = self.found.skills[before.skills..].iter();
        let own = own.position(|skill| *skill.dir == *root);
        let own = own.map(|at| before.skills + at);
        if !inner.is_empty() {
            let skill = own.map(|at| &self.found.skills[at]);
            let fate = RootFile::of(skill.map(|skill| &*skill.diagnostics));
            let path = skill.map_or_else(|| root.join(SKILL_FILE), |skill| skill.path());
            let found = reading::skill_above(&path, fate, &inner);
            self.diagnostics.push(found);
            if let (Some(at), RootFile::Unnamed) = (own, fate) {
                self.found.skills.remove(at);
                return;
            }
        }
        // A reload takes the skill of the load before, which can have had others below.
        if let Some(at) = own
            && self.found.skills[at].inner != inner
        {
            Arc::make_mut(&mut self.found.skills[at]).inner = inner;
        }
    }

    /// Reads the folders directly in the root.
    fn read_children(&mut self, folder: &Folder, root: &Root) {
        let bounds = match root.open_bounds() {
            Ok(bounds) => bounds,
            Err(refused) => return self.refused(&root.path, refused),
        };
        self.reading.limits.depth = self.reading.limits.depth.min(1);
        self.found.visited.push(root.path.clone());
        // A `SKILL.md` in the root itself is not a skill, and a `skill.md` is not one either.
        self.read_category(&bounds, folder, &root.path, 0, Tried::NotAFile);
        self.read_links(&bounds, root);
        if let Some((path, others)) = self.too_deep.take() {
            self.diagnostics.push(reading::below_plugin(&path, others));
        }
    }

    /// Reads every folder in a folder that is not a skill itself.
    fn read_category(
        &mut self,
        top: &Folder,
        folder: &Folder,
        path: &Path,
        depth: usize,
        tried: Tried,
    ) {
        let Some(items) = self.items(folder, path) else {
            return;
        };
        if tried == Tried::NoFile && self.read_misnamed(top, folder, path, &items) {
            return;
        }
        self.read_items(top, folder, path, depth, items);
    }

    /// Lists a folder, or reports that it cannot be listed.
    fn items(&mut self, folder: &Folder, path: &Path) -> Option<Vec<Item>> {
        let limit = self.reading.limits.folders.saturating_mul(NAMES_A_FOLDER);
        match folder.items(limit) {
            Ok(items) => Some(items),
            Err(error) => {
                self.diagnostics.push(reading::unreadable(path, &error));
                None
            }
        }
    }

    fn read_items(
        &mut self,
        top: &Folder,
        folder: &Folder,
        path: &Path,
        depth: usize,
        items: Vec<Item>,
    ) {
        for Item { name, kind, .. } in items {
            if self.full {
                return;
            }
            if !is_entered(folder, &name) || depth == 0 && self.is_skipped(&name) {
                continue;
            }
            let path = path.join(&name);
            match kind {
                Kind::File | Kind::Other => {}
                Kind::Link => self.links.push_back((path, depth + 1)),
                Kind::Folder => self.read_folder(top, folder, &path, Path::new(&name), depth + 1),
            }
        }
    }

    /// Reads a folder that may be a skill or hold skills. `below` is its path from `folder`.
    pub(crate) fn read_folder(
        &mut self,
        top: &Folder,
        folder: &Folder,
        path: &Path,
        below: &Path,
        depth: usize,
    ) {
        if !self.counts(path, depth) {
            return;
        }
        match self.try_skill(top, folder, path, below) {
            Tried::Nothing | Tried::Skill => {}
            tried @ (Tried::NoFile | Tried::NotAFile) => {
                match self.open_folder(top, folder, path, below) {
                    Ok(folder) => self.read_category(top, &folder, path, depth, tried),
                    Err(refused) => self.refused(path, refused),
                }
            }
        }
    }

    /// Counts a folder. Returns `false`, and reports it once, if the folder is too deep or exceeds a
    /// limit.
    fn counts(&mut self, path: &Path, depth: usize) -> bool {
        let Limits {
            depth: deepest,
            folders,
            skills,
            ..
        } = self.reading.limits;
        if depth > deepest {
            match &mut self.too_deep {
                Some((_, others)) => *others += 1,
                None => self.too_deep = Some((path.to_owned(), 0)),
            }
            return false;
        }
        let reached = if self.found.visited.len() > folders {
            Some((folders, "folders"))
        } else if self.found.skills.len() >= skills {
            Some((skills, "skills"))
        } else {
            None
        };
        if let Some((limit, what)) = reached {
            self.full = true;
            self.diagnostics.push(reading::too_many(path, limit, what));
            return false;
        }
        if self.is_repeated(path) {
            return false;
        }
        self.found.visited.push(path.to_owned());
        true
    }

    fn is_skipped(&self, name: &OsStr) -> bool {
        let root = self.found.roots.get(self.root);
        root.is_some_and(|root| root.skip.iter().any(|skip| name == skip.as_str()))
    }
}

/// Returns whether a folder is read. Hidden folders are not read, and neither are folders with the output of a build
/// that are not skills themselves.
pub(crate) fn is_entered(folder: &Folder, name: &OsStr) -> bool {
    !name.as_encoded_bytes().starts_with(b".") && !is_filled(folder, name)
}
