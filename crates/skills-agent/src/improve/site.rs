//! The dependencies of an improvement.

use skills_host::install::Host;
use skills_runtime::Catalog;
use skills_session::options::ToolNames;
use std::path::Path;

/// The dependencies of an improvement, which uses nothing else of the machine.
#[derive(Clone, Copy)]
pub struct Site<'s> {
    /// Folders, git, the clock and the observer.
    pub host: Host<'s>,
    /// The skills.
    pub catalog: &'s Catalog,
    /// The host's names of tools.
    pub tool_names: &'s ToolNames,
    /// The folder of the user's own skills. A bundled skill is improved as a copy in this folder.
    pub user: &'s Path,
    /// The mode: apply a change at once, or wait for approval.
    pub mode: Mode,
    /// The instructions of an agent: the text of the bundled `improve-skill`.
    pub instructions: &'s str,
    /// The name and the version of the program that carries the bundled skills.
    pub program: (&'s str, &'s str),
}

/// The treatment of a change with which an agent repairs a skill after a failed run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Mode {
    /// The change becomes a proposal, which the user accepts or rejects.
    Propose,
    /// A change of the user's own skill is made at once.
    Automatic,
}

/// The names of the profiles whose systems make changes at once.
const AUTOMATIC: &[&str] = &["agenvoy"];

impl Mode {
    /// Returns the mode of the system that the profile of this name describes.
    pub fn of(profile: &str) -> Self {
        if AUTOMATIC.contains(&profile) {
            Self::Automatic
        } else {
            Self::Propose
        }
    }
}
