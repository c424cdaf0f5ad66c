//! A skill of a folder. Its front matter is in memory; its body stays on disk until the body is needed.

use crate::source::memory::MemoryFiles;
use crate::source::stamp::{Seen, SeenSkill};
use skills_format::disk::{Folder, Refused};
use skills_format::{Diagnostic, Fields, FrontMatter, SKILL_FILE, Skill, SkillName};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The skills of one source's folders.
#[derive(Clone, Debug, Default)]
pub(crate) struct FolderSkills {
    /// The roots, the nearest first.
    pub(crate) roots: Vec<Root>,
    /// Sorted by name. Skills with the same name are in order of precedence.
    pub(crate) skills: Vec<Arc<FolderSkill>>,
    /// The files without a skill, kept so that a reload need not read them again.
    pub(crate) unusable: Vec<Arc<UnusableSkill>>,
    /// Every folder that was read, the roots included.
    pub(crate) visited: Vec<PathBuf>,
}

/// A folder that a source reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Root {
    pub(crate) path: PathBuf,
    /// The folder that links below `path` must not leave. `None`: links may lead anywhere.
    pub(crate) base: Option<PathBuf>,
    /// Names of folders directly below the root that are not read.
    pub(crate) skip: Vec<String>,
    pub(crate) reach: Reach,
}

/// The folders below a root in which skills are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Reach {
    /// The root itself, and every folder below it. Links of a root with a base stay below the root.
    #[default]
    Tree,
    /// The folders directly in the root, as the specification of Agent Plugins says. Links stay below the base: the
    /// plugin.
    Children,
}

/// A skill read from a folder at run time.
#[derive(Clone, Debug)]
pub(crate) struct FolderSkill {
    /// The skill's folder.
    pub(crate) dir: Box<Path>,
    /// The name of the `SKILL.md`, which can differ in case.
    pub(crate) file_name: Cow<'static, str>,
    /// The index of the root below which the skill was found.
    pub(crate) root: usize,
    pub(crate) name: Box<str>,
    pub(crate) description: Box<str>,
    /// The typed fields. `None` if the front matter holds only name and description.
    fields: Option<Box<Fields>>,
    front_matter: FrontMatter,
    /// The version of the files at the time of reading. `None`: unknown.
    pub(crate) seen: Option<SeenSkill>,
    /// The files, if the host handed them over: then none is read on the disk.
    pub(crate) memory: Option<Box<MemoryFiles>>,
    /// The folders of the skills below this one, relative to its folder: only a skill at the root of a source has some. Their
    /// files are not its own.
    pub(crate) inner: Vec<PathBuf>,
    /// The findings about the files.
    pub(crate) diagnostics: Box<[Diagnostic]>,
}

/// A `SKILL.md` that cannot be used as a skill.
#[derive(Debug)]
pub(crate) struct UnusableSkill {
    pub(crate) dir: PathBuf,
    pub(crate) file_name: String,
    /// `true` for a regular file. Other items do not make their folder a skill.
    pub(crate) is_file: bool,
    pub(crate) seen: Option<Seen>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// The match between the name of a skill's folder and the name of the skill. The best match is first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fit {
    Same,
    /// The names match once the folder's name is corrected to a valid name.
    Corrected,
    Other,
}

impl FolderSkill {
    pub(crate) fn fields(&self) -> &Fields {
        static NONE: Fields = Fields::NONE;
        self.fields.as_deref().unwrap_or(&NONE)
    }

    pub(crate) fn front_matter(&self) -> String {
        self.front_matter.values(&self.name, &self.description)
    }

    /// Returns whether the skill's name was corrected.
    pub(crate) fn is_corrected(&self) -> bool {
        self.fields().display_name.is_some()
    }

    /// Returns the number of components in the path of the skill's folder.
    pub(crate) fn depth(&self) -> usize {
        self.dir.components().count()
    }

    /// Returns how well the folder's name fits the skill's name.
    pub(crate) fn fit(&self) -> Fit {
        match self.dir.file_name().and_then(|folder| folder.to_str()) {
            Some(folder) if *folder == *self.name => Fit::Same,
            Some(folder) if SkillName::make(folder).is_some_and(|n| n.as_str() == &*self.name) => {
                Fit::Corrected
            }
            _ => Fit::Other,
        }
    }

    /// Returns whether a path in the folder is this skill's, and not that of a skill below.
    pub(crate) fn owns(&self, path: &Path) -> bool {
        let path = path.strip_prefix(".").unwrap_or(path);
        !self.inner.iter().any(|inner| path.starts_with(inner))
    }

    /// Returns whether the files have an address, and no folder where a model finds them.
    pub(crate) fn is_address(&self) -> bool {
        self.memory.as_ref().is_some_and(|files| files.is_address)
    }

    /// Returns the path of the `SKILL.md`.
    pub(crate) fn path(&self) -> PathBuf {
        self.dir.join(&*self.file_name)
    }

    pub(crate) fn new(
        dir: &Path,
        file_name: &str,
        skill: Skill,
        seen: Option<SeenSkill>,
        diagnostics: Vec<Diagnostic>,
    ) -> Self {
        Self {
            dir: dir.into(),
            file_name: match file_name {
                SKILL_FILE => SKILL_FILE.into(),
                other => other.to_owned().into(),
            },
            root: 0,
            name: skill.name.into_string().into(),
            front_matter: skill.front_matter,
            description: skill.description.into(),
            fields: (skill.fields != Fields::NONE).then(|| Box::new(skill.fields)),
            seen,
            memory: None,
            inner: Vec::new(),
            diagnostics: diagnostics.into(),
        }
    }

    /// Returns whether a later version of the skill differs, as far as it is known.
    pub(crate) fn has_changed(&self, now: &Self) -> bool {
        // Not that of `agents/openai.yaml`: what it says is one of the fields.
        let has_new_stamp = match (self.seen, now.seen) {
            (Some([file, _, schema]), Some([new_file, _, new_schema])) => {
                file.has_changed(&new_file) || schema.has_changed(&new_schema)
            }
            _ => false,
        };
        let has_new_bytes = match (&self.memory, &now.memory) {
            (Some(before), Some(now)) => !before.iter().eq(now.iter()),
            _ => false,
        };
        has_new_stamp
            || has_new_bytes
            || self.name != now.name
            || self.description != now.description
            || self.fields != now.fields
            || self.front_matter != now.front_matter
    }
}

impl FolderSkills {
    /// Sorts the skills by name. Of skills with one name, the skill that answers to it is first.
    pub(crate) fn sort(&mut self) {
        self.skills.sort_by(|a, b| a.name.cmp(&b.name));
        let rank = |it: &FolderSkill| (it.root, it.fit() as usize, it.is_corrected(), it.depth());
        for rivals in self.skills.chunk_by_mut(|a, b| a.name == b.name) {
            rivals.sort_by(|a, b| {
                let by_path = || a.dir.as_os_str().cmp(b.dir.as_os_str());
                rank(a).cmp(&rank(b)).then_with(by_path)
            });
        }
    }
}

impl Root {
    pub(crate) fn new(path: PathBuf, base: Option<PathBuf>) -> Self {
        Self {
            path,
            base,
            skip: Vec::new(),
            reach: Reach::Tree,
        }
    }

    /// Opens the folder. A path that leaves its base is refused.
    pub(crate) fn open(&self) -> Result<Folder, Refused> {
        let Some(base) = &self.base else {
            return Folder::open(&self.path).map_err(Refused::Io);
        };
        let below = self.path.strip_prefix(base).map_err(|_| Refused::Escape)?;
        open_base(base)?.folder_within(below)
    }

    /// Returns the folder that links below the root must not leave.
    pub(crate) fn bounds(&self) -> &Path {
        match (&self.base, self.reach) {
            (Some(base), Reach::Children) => base,
            _ => &self.path,
        }
    }

    /// Opens the folder that links below the root must not leave.
    pub(crate) fn open_bounds(&self) -> Result<Folder, Refused> {
        match (&self.base, self.reach) {
            (Some(base), Reach::Children) => open_base(base),
            _ => self.open(),
        }
    }
}

fn open_base(base: &Path) -> Result<Folder, Refused> {
    // The parent of a relative path of one part is an empty path, which cannot be opened.
    let base = if base.as_os_str().is_empty() {
        Path::new(".")
    } else {
        base
    };
    Folder::open(base).map_err(Refused::Io)
}
