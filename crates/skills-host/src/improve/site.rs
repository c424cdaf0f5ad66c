//! The dependencies of an improvement.

use crate::history::Projects;
use crate::install::Host;
use skills_runtime::{Catalog, Profile};
use std::path::Path;

/// The dependencies of an improvement, which uses nothing else of the machine.
#[derive(Clone, Copy)]
pub struct Site<'s> {
    /// Folders, git, the clock and the observer.
    pub host: Host<'s>,
    /// The skills.
    pub catalog: &'s Catalog,
    /// The profile, with the host's names of tools.
    pub profile: &'s Profile,
    /// The folder of the user's own skills. A bundled skill is improved as a copy in this folder.
    pub user: &'s Path,
    /// The mode: whether a change is taken at once.
    pub mode: Mode,
    /// The option to commit a change to the repository of a project.
    pub projects: Projects,
    /// The instructions of an agent: the text of the bundled `improve-skill`.
    pub instructions: &'s str,
    /// The name and the version of the program that carries the bundled skills.
    pub program: (&'s str, &'s str),
}

/// What happens to a change with which an agent repairs a skill after a run that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Mode {
    /// It waits for a person.
    Propose,
    /// It is made at once, for the person's own skills.
    Automatic,
}

/// The names of the profiles whose systems make a change at once.
const AUTOMATIC: &[&str] = &["agenvoy"];

impl Mode {
    /// The mode of the system that a profile describes.
    pub fn of(profile: &Profile) -> Self {
        if AUTOMATIC.contains(&&*profile.name) {
            Self::Automatic
        } else {
            Self::Propose
        }
    }
}
