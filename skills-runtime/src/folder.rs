//! A skill of a folder: its front matter in memory, its body on disk until it is needed.

#[cfg(feature = "discover")]
use crate::disk::Stamp;
use skills_format::{Diagnostic, Fields};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The skills of one source's folders.
#[derive(Clone, Debug, Default)]
#[cfg_attr(
    not(feature = "discover"),
    expect(dead_code, reason = "nothing reads folders")
)]
pub(crate) struct FolderSkills {
    /// The nearest first.
    pub(crate) roots: Vec<Root>,
    /// Sorted by name; of equal names the nearest root's first, then by path.
    pub(crate) skills: Vec<Arc<FolderSkill>>,
    /// Files that are no skills, so that a reload need not read them again.
    pub(crate) faults: Vec<Arc<Fault>>,
    /// Every folder that was looked into, the roots included.
    pub(crate) visited: Vec<PathBuf>,
}

/// A folder that a source reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Root {
    pub(crate) path: PathBuf,
    /// The folder that `path` must not lead out of, where the source is not trusted.
    pub(crate) base: Option<PathBuf>,
    /// Names of folders directly below it that are left alone.
    pub(crate) skip: Vec<String>,
}

/// A skill read from a folder at run time.
#[derive(Clone, Debug)]
pub(crate) struct FolderSkill {
    /// The skill's folder.
    pub(crate) dir: Box<Path>,
    /// The name of its `SKILL.md`, which can differ in case.
    pub(crate) file_name: Cow<'static, str>,
    /// Index of the root that it was found below.
    pub(crate) root: usize,
    pub(crate) name: Box<str>,
    pub(crate) description: Box<str>,
    /// Absent when nothing beyond name and description is said.
    fields: Option<Box<Fields>>,
    front_matter: Json,
    /// What tells whether the file is still the one that was read. `None`: that is not known.
    #[cfg(feature = "discover")]
    pub(crate) stamp: Option<Stamp>,
    /// What was odd about the file.
    pub(crate) diagnostics: Box<[Diagnostic]>,
}

/// A file that should be a `SKILL.md` and gives no skill.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) dir: PathBuf,
    #[cfg(feature = "discover")]
    pub(crate) stamp: Option<Stamp>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// JSON without the text of the description, which is kept once.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Json {
    text: Box<str>,
    /// Where the description goes, escaped.
    hole: Option<usize>,
}

impl FolderSkill {
    pub(crate) fn fields(&self) -> &Fields {
        static NONE: Fields = Fields::NONE;
        self.fields.as_deref().unwrap_or(&NONE)
    }

    pub(crate) fn front_matter(&self) -> Cow<'_, str> {
        self.front_matter.with(&self.description)
    }

    /// Whether both say the same. Where they stand and when they were read counts for nothing.
    #[cfg(feature = "discover")]
    pub(crate) fn says_the_same(&self, other: &Self) -> bool {
        self.name == other.name
            && self.description == other.description
            && self.fields == other.fields
            && self.front_matter == other.front_matter
    }
}

impl Json {
    #[cfg(feature = "discover")]
    fn without(text: &str, description: &str) -> Self {
        const KEY: &str = "\"description\":\"";
        let escaped = skills_format::json_escaped(description);
        let hole = text
            .find(KEY)
            .map(|at| at + KEY.len())
            .filter(|&at| text.get(at..).is_some_and(|rest| rest.starts_with(&*escaped)));
        let (before, after) = hole.map_or((text, ""), |at| {
            (
                text.get(..at).unwrap_or_default(),
                text.get(at + escaped.len()..).unwrap_or_default(),
            )
        });
        Self {
            text: [before, after].concat().into(),
            hole,
        }
    }
}
