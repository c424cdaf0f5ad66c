//! Repairs skills after a run in which tools failed, and rolls repairs back.
//!
//! [`after`] is the one call that a host makes at the end of a run. For each active skill, an agent gets the trace and
//! a copy of the skill. The result is checked, and then kept as a proposal or taken. A change that is taken is
//! committed; [`rollback`] restores an earlier version.
//!
//! The agent is a program of the user, with the user's rights. A write of the agent into the folder of skills or into
//! its repository is detected by comparison, and refuses the change. A write elsewhere is not detected.
//!
//! ```
//! use skills_host::files::data::DataFolder;
//! use skills_host::git::{Git, Quiet};
//! use skills_agent::improve::{self, Improver, AttemptOutcome, Site, Step, Task, Trace};
//! use skills_host::install::Host;
//! use skills_runtime::Catalog;
//! use skills_session::options::ToolNames;
//!
//! /// An agent that knows one repair.
//! struct Scripted;
//!
//! impl Improver for Scripted {
//!     fn improve(&self, task: &Task, _: &dyn Fn() -> bool) -> Result<String, skills_host::Error> {
//!         let file = task.folder.join("SKILL.md");
//!         let failed = |error| skills_host::Error::new(skills_host::ErrorKind::Program, format!("{error}"));
//!         let text = std::fs::read_to_string(&file).map_err(failed)?;
//!         std::fs::write(&file, text.replace("FileSearch", "Grep")).map_err(failed)?;
//!         Ok("changed: name the search tool that exists".to_owned())
//!     }
//! }
//!
//! # let home = tempfile::tempdir().unwrap();
//! # let skills = home.path().join("skills");
//! # std::fs::create_dir_all(skills.join("find")).unwrap();
//! # std::fs::write(skills.join("find/SKILL.md"), "---\nname: find\ndescription: Finds code. Use when asked to find.\n---\nCall FileSearch.\n").unwrap();
//! let catalog = Catalog::builder().directory("user", &skills).load();
//! let data = DataFolder::new(home.path().join("data"));
//! let (git, clock) = (Git::default().own([skills.clone()]), jiff::Timestamp::UNIX_EPOCH);
//! let host = Host { data: &data, git: &git, clock: &clock, observer: &Quiet };
//! let site = Site {
//!     host,
//!     tool_names: &ToolNames::NONE,
//!     user: &skills,
//!     automatic: true,
//!     instructions: "Repair the skill.",
//! };
//! let step = Step { tool: "FileSearch".into(), error: Some("no such tool".into()), ..Step::default() };
//! let trace = Trace::new(["find".into()], vec![step]);
//! let attempt = improve::attempt(&site, &catalog.get("find").unwrap(), &trace, &Scripted)?;
//! assert_eq!(attempt.record.outcome, AttemptOutcome::Taken, "{attempt:?}");
//! let text = std::fs::read_to_string(skills.join("find/SKILL.md")).unwrap();
//! assert!(text.ends_with("Call Grep.\n"));
//!
//! improve::rollback(&skills, "find", None, host)?;
//! let text = std::fs::read_to_string(skills.join("find/SKILL.md")).unwrap();
//! assert!(text.ends_with("Call FileSearch.\n"));
//! # Ok::<(), skills_host::Error>(())
//! ```

mod attempt;
mod candidate;
mod improver;
mod judge;
mod prompt;
mod proposal;
mod proposals;
mod record;
mod rollback;
mod surroundings;
mod take;
mod trace;

pub use crate::agent::Step;
pub use attempt::{Attempt, attempt};
pub use improver::{CommandImprover, Improver, LIMIT, TOOLS, Task};
pub use proposal::{Proposal, Taken};
pub use proposals::Proposals;
pub use record::{AttemptLog, AttemptOutcome, AttemptRecord};
pub use rollback::{RolledBack, rollback, versions};
pub use trace::{MAX_TRACE, Trace};

use skills_format::Prose;
use skills_host::install::Host;
use skills_session::options::ToolNames;
use skills_store::{Error, ErrorKind};
use std::path::Path;

/// The dependencies of an improvement, which uses nothing else of the machine.
#[derive(Clone, Copy)]
pub struct Site<'s> {
    /// Folders, git, the clock and the observer.
    pub host: Host<'s>,
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

/// The help of an attempt of which nothing is taken.
pub(crate) const AGAIN: &str = "nothing was applied; try again, or change the skill manually";

/// Creates the error of a skill that is not improved.
pub(crate) fn refused(why: impl Into<Prose>, help: impl Into<Prose>) -> Error {
    Error::new(ErrorKind::Refused, why).help(help)
}
