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
    /// The folder of the user's own skills.
    pub user: &'s Path,
    /// True if a change of the user's own skill that needs no review is made at once; false if it waits for approval.
    pub automatic: bool,
    /// The instructions of an agent: the text of the bundled `improve-skill`.
    pub instructions: &'s str,
}

/// Returns whether the system of a profile makes changes at once.
pub fn is_automatic(profile: &str) -> bool {
    profile == "agenvoy"
}
