//! Commits of changes of schedules, and the warnings of git.

use crate::environment::SystemClock;
use crate::output::{Output, one_line};
use skills_host::ErrorKind;
use skills_host::git::{Git, Observer};
use skills_host::schedule::{Commit, Scheduler};
use std::cell::RefCell;

/// Commits what is done to schedules, where their folder has a history.
pub(crate) struct Recorder<'r> {
    scheduler: &'r Scheduler,
    git: Git,
}

impl<'r> Recorder<'r> {
    pub(crate) fn new(scheduler: &'r Scheduler) -> Self {
        let git = Git::default();
        Self { scheduler, git }
    }

    /// Does a change. Before it, what a person changed by hand is committed.
    pub(crate) fn record<T, E>(
        &self,
        name: &str,
        why: &str,
        output: &mut Output,
        change: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        // What the change does not find, it reports.
        let Ok(name) = self.scheduler.find(name) else {
            return change();
        };
        self.commit(&name, Commit::ByHand, output);
        let done = change()?;
        self.commit(&name, Commit::Change(why), output);
        Ok(done)
    }

    /// Whether a schedule is gone, as one that ran once.
    pub(crate) fn is_gone(&self, name: &str) -> bool {
        matches!(self.scheduler.find(name), Err(error) if error.kind() == ErrorKind::NotFound)
    }

    pub(crate) fn commit(&self, name: &str, commit: Commit<'_>, output: &mut Output) {
        let warnings = Warnings(RefCell::new(output));
        self.scheduler
            .commit(name, commit, &self.git, &SystemClock, &warnings);
    }
}

/// Prints the warnings of git.
struct Warnings<'o>(RefCell<&'o mut Output>);

impl Observer for Warnings<'_> {
    fn warning(&self, line: &str) {
        self.0.borrow_mut().warning(one_line(line));
    }
}
