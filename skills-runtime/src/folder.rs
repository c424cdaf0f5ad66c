//! A skill of a folder: its front matter in memory, its body on disk until it is needed.

use skills_format::Fields;
#[cfg(feature = "discover")]
use skills_format::Skill;
use std::path::{Path, PathBuf};

/// A skill read from a folder at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FolderSkill {
    /// The skill's folder.
    pub(crate) dir: PathBuf,
    /// The name of its `SKILL.md`, which can differ in case.
    pub(crate) file_name: String,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) fields: Fields,
    /// JSON.
    pub(crate) front_matter: String,
}

impl FolderSkill {
    #[cfg(feature = "discover")]
    pub(crate) fn new(dir: PathBuf, file_name: String, skill: Skill) -> Self {
        Self {
            dir,
            file_name,
            name: skill.name.into_string(),
            description: skill.description,
            fields: skill.fields,
            front_matter: skill.front_matter,
        }
    }

    /// The path of its `SKILL.md`.
    #[cfg(feature = "discover")]
    pub(crate) fn path(&self) -> PathBuf {
        self.dir.join(&self.file_name)
    }

    /// The skill's folder.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }
}
