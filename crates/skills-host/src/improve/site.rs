//! What an improvement is given.

use crate::history::Projects;
use crate::install::Host;
use skills_runtime::{Catalog, Profile};
use std::path::Path;

/// What an improvement is given. Nothing else is asked of the machine.
#[derive(Clone, Copy)]
pub struct Site<'s> {
    /// Folders, git, the time, and who watches.
    pub host: Host<'s>,
    /// The skills.
    pub catalog: &'s Catalog,
    /// Whose names of tools count.
    pub profile: &'s Profile,
    /// The folder of the person's own skills. A bundled skill is improved as a copy in it.
    pub user: &'s Path,
    /// Whether a change is taken at once.
    pub mode: Mode,
    /// Whether a change is committed to the repository of a project.
    pub projects: Projects,
    /// What an agent is told to do: the text of the bundled `improve-skill`.
    pub instructions: &'s str,
    /// The name and the version of the program that carries the bundled skills.
    pub program: (&'s str, &'s str),
}

pub use skills_runtime::profile::Improvement as Mode;
