//! Commits changes of schedules, if their folder has a history.

use crate::git::{Git, Observer};
use crate::history::History;
use crate::schedule::scheduler::Scheduler;
use skills_store::files::clock::Clock;

/// The kind of a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Commit<'c> {
    /// The local changes of the skill, before the skill is changed.
    ByHand,
    /// A change of the schedule, described in one or two words, with the present skill.
    Change(&'c str),
}

impl Scheduler {
    /// Commits a schedule and its skill, if the folder of scheduled skills is a git repository of its own, or is
    /// directly in a repository: then together with `schedules.json`. Does nothing otherwise. A failure of git is
    /// reported to the observer, and the change itself stays.
    pub fn commit(
        &self,
        name: &str,
        commit: Commit<'_>,
        git: &Git,
        clock: &dyn Clock,
        observer: &dyn Observer,
    ) {
        let file = self.file.path().file_name().and_then(|name| name.to_str());
        let (file, why) = match commit {
            // The runs recorded in the file are not a change of the user.
            Commit::ByHand => (None, "by hand"),
            Commit::Change(why) => (file, why),
        };
        let message = format!("{why}: {name}\n");
        if let Some(history) = History::to_record(&self.skills, git, clock, observer) {
            history.record(&[name], &[], &message);
        } else if let Some(above) = self.skills.parent()
            && let Some(folder) = self.skills.file_name().and_then(|name| name.to_str())
            && let Some(history) = History::to_record(above, git, clock, observer)
        {
            let path = format!("{folder}/{name}");
            history.record(&[&path], file.as_slice(), &message);
        }
    }
}
