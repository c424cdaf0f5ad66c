//! Finds the skills of one source's folders.
//!
//! A folder is a skill when a `SKILL.md` can be opened in it, so that is what is tried first: a
//! folder of skills is listed once, and each skill costs one `open`, one `read` and one `close`.
//! Links are followed after everything else, and only where they lead to something new.

pub(crate) mod links;
pub(crate) mod nested;

use crate::disk::is_not_a_folder;
use crate::disk::stamp::{Seen, Stamps};
use crate::disk::{self, Folder, Identity, Item, Kind, Refused};
use crate::source::diagnostics::reading;
use crate::source::folder::{Fault, FolderSkill, FolderSkills, Place, Root};
use crate::source::options::Limits;
use crate::source::skill_file::Reader;
use skills_format::{Diagnostic, RuleId};
use std::collections::{HashMap, HashSet, VecDeque};
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) const SKILL_FILE: &str = "SKILL.md";
/// Most names of one folder that are kept for each folder that may be looked into.
const NAMES_A_FOLDER: usize = 16;

/// How a source is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub(crate) limits: Limits,
    pub(crate) links: Links,
    pub(crate) stamps: Stamps,
    pub(crate) care: Care,
}

/// Where a link may lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    /// Anywhere.
    Followed,
    /// Below the source's root.
    Confined,
}

/// How much is asked of the system to tell what is wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Care {
    /// What the skills need.
    #[default]
    Usual,
    /// Lengths of files, and what is below skills.
    Thorough,
}

/// Reads the roots of one source, the nearest first. What `before` holds and is unchanged is not
/// read again.
pub(crate) fn read(
    roots: &[Root],
    reading: Reading,
    before: Option<&FolderSkills>,
    diagnostics: &mut Vec<Diagnostic>,
) -> FolderSkills {
    let mut walk = Walk {
        reading,
        reader: Reader::new(reading.stamps, reading.care),
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
    found.skills.sort_by(|a, b| {
        // Whoever has the name as it is written comes before whoever was given it.
        let key = |skill: &FolderSkill| (skill.root, skill.fields().display_name.is_some());
        (&a.name, key(a), a.dir.as_os_str()).cmp(&(&b.name, key(b), b.dir.as_os_str()))
    });
    found
}

pub(crate) struct Walk<'a> {
    pub(crate) reading: Reading,
    reader: Reader,
    before: Before<'a>,
    /// Index of the root that is read.
    pub(crate) root: usize,
    /// Whether a limit of the source is reached.
    pub(crate) full: bool,
    /// The first folder that is too deep, and how many others are.
    too_deep: Option<(PathBuf, usize)>,
    pub(crate) links: VecDeque<(PathBuf, usize)>,
    /// The folders that were looked into. `None` while there was no link.
    pub(crate) seen: Option<HashSet<Identity>>,
    pub(crate) found: FolderSkills,
    pub(crate) diagnostics: &'a mut Vec<Diagnostic>,
}

/// What stood in the source's folders when they were read last.
#[derive(Default)]
struct Before<'a> {
    skills: HashMap<&'a Path, &'a Arc<FolderSkill>>,
    faults: HashMap<&'a Path, &'a Arc<Fault>>,
}

impl<'a> Before<'a> {
    fn new(found: &'a FolderSkills) -> Self {
        Self {
            skills: found
                .skills
                .iter()
                .map(|skill| (&*skill.dir, skill))
                .collect(),
            faults: found
                .faults
                .iter()
                .map(|fault| (&*fault.dir, fault))
                .collect(),
        }
    }
}

/// What a folder turned out to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tried {
    /// A skill, or what should be one: nothing below it is.
    Skill,
    /// No `SKILL.md` can be opened in it.
    NoFile,
    /// Its `SKILL.md` is something else, and told.
    NotAFile,
    /// It is no folder, or cannot be opened.
    Nothing,
}

impl Walk<'_> {
    fn read_root(&mut self, root: &Root) {
        if self.full || self.found.visited.contains(&root.path) {
            return;
        }
        let opened = match self.reading.links {
            Links::Followed => Folder::open(&root.path).map_err(Refused::Io),
            Links::Confined => root.open(),
        };
        let folder = match opened {
            Ok(folder) => folder,
            Err(Refused::Io(error)) if error.kind() == io::ErrorKind::NotFound => return,
            Err(refused) => return self.refused(&root.path, refused),
        };
        if let Some(seen) = &mut self.seen
            && !disk::identity(&root.path).is_ok_and(|identity| seen.insert(identity))
        {
            return;
        }
        self.found.visited.push(root.path.clone());
        match self.try_skill(&folder, &folder, &root.path, Path::new("")) {
            Tried::Skill => self.tell_nested(&folder, &root.path),
            Tried::Nothing => {}
            tried @ (Tried::NoFile | Tried::NotAFile) => {
                self.read_category(&folder, &folder, &root.path, 0, tried);
                self.read_links(&folder, root);
            }
        }
        if let Some((path, others)) = self.too_deep.take() {
            let finding = reading::too_deep(&path, self.reading.limits.depth, others);
            self.diagnostics.push(finding);
        }
    }

    /// Looks into every folder of a folder that is no skill.
    fn read_category(
        &mut self,
        top: &Folder,
        folder: &Folder,
        path: &Path,
        depth: usize,
        tried: Tried,
    ) {
        let limit = self.reading.limits.folders.saturating_mul(NAMES_A_FOLDER);
        let items = match folder.items(limit) {
            Ok(items) => items,
            Err(error) => {
                self.diagnostics.push(reading::unreadable(path, &error));
                return;
            }
        };
        if tried == Tried::NoFile && self.read_misnamed(top, folder, path, &items) {
            return;
        }
        for Item { name, kind } in items {
            if self.full {
                return;
            }
            if !is_entered(&name) || depth == 0 && self.is_left_alone(&name) {
                continue;
            }
            let path = path.join(&name);
            match kind {
                Kind::Other => {}
                Kind::Link => self.links.push_back((path, depth + 1)),
                Kind::Folder => self.read_folder(top, folder, &path, Path::new(&name), depth + 1),
            }
        }
    }

    /// Looks into a folder that may be a skill or hold some. `below` is its path from `folder`.
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
            Tried::Nothing => {}
            Tried::Skill => {
                if self.reading.care == Care::Thorough
                    && let Ok(folder) = self.open_folder(top, folder, path, below)
                {
                    self.tell_nested(&folder, path);
                }
            }
            tried @ (Tried::NoFile | Tried::NotAFile) => {
                match self.open_folder(top, folder, path, below) {
                    Ok(folder) => self.read_category(top, &folder, path, depth, tried),
                    Err(refused) => self.refused(path, refused),
                }
            }
        }
    }

    /// Counts a folder. Tells when it is one too many, or too deep.
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

    fn try_skill(&mut self, top: &Folder, folder: &Folder, path: &Path, below: &Path) -> Tried {
        if self.is_unchanged(path, SKILL_FILE) {
            return Tried::Skill;
        }
        match self.open_file(top, folder, path, &below.join(SKILL_FILE)) {
            Ok(file) => self.read_skill(&file, path, SKILL_FILE),
            Err(Refused::Io(error)) if error.kind() == io::ErrorKind::NotFound => Tried::NoFile,
            Err(Refused::Io(error)) if is_not_a_folder(&error) => Tried::Nothing,
            Err(refused) => {
                self.refused(&path.join(SKILL_FILE), refused);
                Tried::Skill
            }
        }
    }

    fn read_skill(&mut self, file: &File, dir: &Path, file_name: &str) -> Tried {
        let place = Place {
            dir,
            file_name,
            root: self.root,
        };
        match self.reader.read(file, place) {
            Ok(skill) => {
                self.diagnostics.extend_from_slice(&skill.diagnostics);
                self.found.skills.push(Arc::new(skill));
                Tried::Skill
            }
            Err(fault) => {
                let is_file = fault
                    .diagnostics
                    .iter()
                    .all(|found| !found.is(RuleId::NotAFile));
                self.diagnostics.extend_from_slice(&fault.diagnostics);
                self.found.faults.push(fault.into());
                if is_file {
                    Tried::Skill
                } else {
                    Tried::NotAFile
                }
            }
        }
    }

    /// Takes over what was read before, when the file is still the same.
    fn is_unchanged(&mut self, dir: &Path, name: &str) -> bool {
        let root = self.root;
        let same = |seen: Option<Seen>| {
            seen.is_some_and(|seen| {
                disk::metadata(&dir.join(name)).is_ok_and(|now| seen.is_same(&now))
            })
        };
        if let Some(&skill) = self.before.skills.get(dir)
            && skill.file_name == name
            && skill.root == root
            && same(skill.seen)
        {
            self.diagnostics.extend_from_slice(&skill.diagnostics);
            self.found.skills.push(Arc::clone(skill));
            return true;
        }
        if let Some(&fault) = self.before.faults.get(dir)
            && fault.file_name == name
            && same(fault.seen)
        {
            self.diagnostics.extend_from_slice(&fault.diagnostics);
            self.found.faults.push(Arc::clone(fault));
            return true;
        }
        false
    }

    /// A folder whose `SKILL.md` cannot be opened may have one in another case, or a broken link.
    fn read_misnamed(
        &mut self,
        top: &Folder,
        folder: &Folder,
        path: &Path,
        items: &[Item],
    ) -> bool {
        let is_broken = |item: &Item| item.name == SKILL_FILE && item.kind == Kind::Link;
        if items.iter().any(is_broken) {
            let link = path.join(SKILL_FILE);
            self.diagnostics.push(reading::broken_link(&link));
            return false;
        }
        let mut names = items
            .iter()
            .filter(|item| item.kind != Kind::Folder && item.name != SKILL_FILE)
            .filter_map(|item| item.name.to_str())
            .filter(|name| name.eq_ignore_ascii_case(SKILL_FILE));
        let Some(name) = names.next() else {
            return false;
        };
        let file = path.join(name);
        let is_skill = self.is_unchanged(path, name)
            || match self.open_file(top, folder, path, Path::new(name)) {
                Ok(open) => matches!(self.read_skill(&open, path, name), Tried::Skill),
                Err(refused) => {
                    self.refused(&file, refused);
                    return false;
                }
            };
        if is_skill {
            self.diagnostics.push(reading::file_name(&file, name));
        }
        is_skill
    }

    fn is_left_alone(&self, name: &OsStr) -> bool {
        let root = self.found.roots.get(self.root);
        root.is_some_and(|root| root.skip.iter().any(|skip| name == skip.as_str()))
    }
}

/// Hidden folders and those that hold what programs made are left alone.
pub(crate) fn is_entered(name: &OsStr) -> bool {
    !name.as_encoded_bytes().starts_with(b".") && name != "node_modules" && name != "target"
}
