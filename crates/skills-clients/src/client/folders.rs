//! The folders of skills of a client, and the files that count in them.

use crate::client::named;
use crate::source::Source;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The folder that many clients read.
const SHARED: &str = ".agents/skills";

/// The folders from which a client loads skills.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Folders {
    /// The source.
    pub source: Source,
    /// The folders in a project, the one that is written first. Empty: the client reads no folder of a project.
    #[serde(default)]
    pub project: Vec<String>,
    /// The folders of a person, below the home folder, the one that is written first.
    #[serde(default)]
    pub person: Vec<String>,
    /// The variable that names the folder which holds `skills`, in place of the first of [`Folders::person`].
    pub variable: Option<String>,
    /// The folders below the home folder in which the program keeps its settings. If one of them exists, the program is
    /// used on this machine. A folder that several programs share, such as `.agents`, says nothing.
    #[serde(default)]
    pub settings: Vec<String>,
    /// True if the folders of a project are also read above the working folder, up to the root of the repository.
    #[serde(default)]
    pub up: bool,
    /// The names of other clients whose first folders are read too.
    #[serde(default)]
    pub also: Vec<String>,
}

impl Folders {
    /// Returns the folders of the other clients whose first folders are read too.
    pub fn others(&self) -> impl Iterator<Item = &'static Self> {
        let others = self.also.iter();
        others.filter_map(|other| named(other)?.folders.as_ref())
    }

    /// Returns the folders of a project in which the client looks, the one that is written first.
    pub fn in_project(&self) -> impl Iterator<Item = &str> {
        let others = self.others().filter_map(|other| other.project.first());
        self.project.iter().chain(others).map(String::as_str)
    }

    /// Returns the folder of a person that is the client's own: not the one that many clients share, if it has another.
    /// `variable` is the value of [`Folders::variable`].
    pub fn own(&self, home: &Path, variable: Option<&Path>) -> Option<PathBuf> {
        let own = self.person.iter().find(|folder| *folder != SHARED);
        match own {
            Some(own) if variable.is_none() => Some(home.join(own)),
            _ => self.of_person(home, variable),
        }
    }

    /// Returns the folder of a person that is written. `variable` is the value of [`Folders::variable`].
    pub fn of_person(&self, home: &Path, variable: Option<&Path>) -> Option<PathBuf> {
        match variable.filter(|_| self.variable.is_some()) {
            Some(folder) => Some(folder.join("skills")),
            None => Some(home.join(self.person.first()?)),
        }
    }
}

/// The files that count as skills in a folder of skills.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Discovery {
    /// The source.
    pub source: Source,
    /// The maximum number of folders between the folder of skills and `SKILL.md`. `None`: every depth is searched.
    pub depth: Option<usize>,
    /// The files that count beside `NAME/SKILL.md`.
    pub also: Vec<Also>,
    /// The links that are followed: `all`, those to `folders`, or `never` one.
    pub links: String,
    /// The names of folders that are not read.
    #[serde(default)]
    pub reserved: Vec<String>,
}

/// A file that can count as a skill beside `NAME/SKILL.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Also {
    /// A `SKILL.md` directly in the folder of skills.
    Root,
    /// A file in a folder whose name begins with a dot.
    Hidden,
}
