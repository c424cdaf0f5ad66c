//! A skill of a folder: its front matter in memory, its body on disk until it is needed.

#![cfg_attr(
    not(feature = "discover"),
    expect(dead_code, reason = "nothing reads folders")
)]

#[cfg(feature = "discover")]
use crate::disk::stamp::Seen;
#[cfg(feature = "discover")]
use crate::disk::{Folder, Refused};
#[cfg(feature = "discover")]
pub(crate) use new::Place;
use skills_format::{Diagnostic, Fields, insert_description};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The skills of one source's folders.
#[derive(Clone, Debug, Default)]
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

#[cfg(feature = "discover")]
impl Root {
    /// Opens it so that it cannot lead out of its base.
    pub(crate) fn open(&self) -> Result<Folder, Refused> {
        let Some(base) = &self.base else {
            return Folder::open(&self.path).map_err(Refused::Io);
        };
        let below = self.path.strip_prefix(base).map_err(|_| Refused::Escape)?;
        Folder::open(base)
            .map_err(Refused::Io)?
            .folder_within(below)
    }
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
    pub(crate) seen: Option<Seen>,
    /// What was odd about the file.
    pub(crate) diagnostics: Box<[Diagnostic]>,
}

/// A file that should be a `SKILL.md` and gives no skill.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) dir: PathBuf,
    pub(crate) file_name: String,
    #[cfg(feature = "discover")]
    pub(crate) seen: Option<Seen>,
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
        let Json { text, hole } = &self.front_matter;
        insert_description(text, *hole, &self.description)
    }
}

#[cfg(feature = "discover")]
mod new {
    use super::{Cow, FolderSkill, Json, Seen};
    use skills_format::{Diagnostic, Fields, Skill, cut_description};
    use std::path::Path;

    /// Where a skill was read.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Place<'a> {
        /// The skill's folder.
        pub(crate) dir: &'a Path,
        pub(crate) file_name: &'a str,
        /// Index of the root that it was found below.
        pub(crate) root: usize,
    }

    impl FolderSkill {
        pub(crate) fn new(
            place: Place<'_>,
            skill: Skill,
            seen: Option<Seen>,
            diagnostics: Vec<Diagnostic>,
        ) -> Self {
            Self {
                dir: place.dir.into(),
                file_name: if place.file_name == "SKILL.md" {
                    Cow::Borrowed("SKILL.md")
                } else {
                    Cow::Owned(place.file_name.to_owned())
                },
                root: place.root,
                name: skill.name.into_string().into(),
                front_matter: Json::without(&skill.front_matter, &skill.description),
                description: skill.description.into(),
                fields: (skill.fields != Fields::NONE).then(|| Box::new(skill.fields)),
                seen,
                diagnostics: diagnostics.into(),
            }
        }

        /// Whether both say the same. Where they stand and when they were read counts for nothing.
        pub(crate) fn says_the_same(&self, other: &Self) -> bool {
            self.name == other.name
                && self.description == other.description
                && self.fields == other.fields
                && self.front_matter == other.front_matter
        }
    }

    impl Json {
        fn without(text: &str, description: &str) -> Self {
            let (text, hole) = cut_description(text, description);
            Self {
                text: text.into(),
                hole,
            }
        }
    }
}
