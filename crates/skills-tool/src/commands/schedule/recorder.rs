//! Commits of changes of schedules, and the warnings of git.

use crate::environment::SystemClock;
use crate::output::{Output, one_line};
use skills_host::git::{Git, Observer};
use skills_host::schedule::{Commit, Scheduler};
use std::cell::RefCell;

/// A recorder that commits changes of schedules, if their folder has a history.
pub(crate) struct Recorder<'r> {
    scheduler: &'r Scheduler,
    git: Git,
}

impl<'r> Recorder<'r> {
    pub(crate) fn new(scheduler: &'r Scheduler) -> Self {
        let git = Git::default();
        Self { scheduler, git }
    }

    /// Creates a change and commits it. Local changes are committed before, in a commit of their own.
    pub(crate) fn record<T, E>(
        &self,
        name: &str,
        why: &str,
        output: &mut Output,
        change: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        // `change` itself reports a schedule that does not exist.
        let Ok(name) = self.scheduler.find(name) else {
            return change();
        };
        self.commit(&name, Commit::ByHand, output);
        let done = change()?;
        self.commit(&name, Commit::Change(why), output);
        Ok(done)
    }

    /// Returns whether a schedule has ended, as after a single run.
    pub(crate) fn has_ended(&self, name: &str) -> bool {
        let stored = self.scheduler.file().read();
        stored.is_ok_and(|stored| {
            let schedule = stored.value.get(name);
            schedule.is_some_and(skills_host::schedule::Schedule::is_ended)
        })
    }

    pub(crate) fn commit(&self, name: &str, commit: Commit<'_>, output: &mut Output) {
        let warnings = Warnings(RefCell::new(output));
        self.scheduler
            .commit(name, commit, &self.git, &SystemClock, &warnings);
    }
}

/// An observer that prints the warnings of git.
struct Warnings<'o>(RefCell<&'o mut Output>);

impl Observer for Warnings<'_> {
    fn warning(&self, line: &str) {
        self.0.borrow_mut().warning(one_line(line));
    }
}
