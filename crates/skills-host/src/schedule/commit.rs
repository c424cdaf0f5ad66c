//! Changes of schedules, committed where their folder has a history.

use crate::git::{Git, Observer};
use crate::history::History;
use crate::schedule::scheduler::Scheduler;
use skills_store::files::clock::Clock;

/// What is committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Commit<'c> {
    /// What a person changed of the skill by hand, before it is changed.
    ByHand,
    /// A change of the schedule, in one or two words, and the skill as it is after it.
    Change(&'c str),
}

impl Scheduler {
    /// Commits a schedule and its skill, where the folder of scheduled skills is a git repository of its own,
    /// or lies directly in a folder that is: then with `schedules.json`. Else nothing is done. A failure of
    /// git is reported to the observer, and the change itself stays.
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
            // What it holds of runs is not a person's change.
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
