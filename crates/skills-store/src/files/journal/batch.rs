//! Many changes in one journal: all are prepared and recorded, then made one after the other.
//!
//! A journal for each of 300 skills waits 300 times for the disk, which takes five seconds. One journal for all waits as long
//! as for one.

use crate::error::Error;
use crate::files::journal::{Journal, Site};
use crate::files::lock::{self, EntryChange};
use skills_format::prose;

impl Journal {
    /// Writes one journal for changes whose new versions are prepared, and carries it out. Returns the result of each
    /// change, in order. The failure of one change stops no other.
    pub(crate) fn commit_all(changes: Vec<Self>, site: &Site) -> Vec<Result<(), Error>> {
        let count = changes.len();
        let Some(mut journal) = Self::joined(changes.clone()) else {
            return Vec::new();
        };
        match journal.write(site) {
            Ok(()) => Self::carry_out_all(changes, site),
            Err(error) => {
                // Nothing was changed. If the journal cannot be removed, the next command makes the changes.
                let ended = Self::end(site);
                repeated(&ended.err().unwrap_or(error), count)
            }
        }
    }

    /// Continues the changes of a killed process.
    pub(super) fn finish_all(self, site: &Site) -> Result<(), Error> {
        let changes = self.split();
        let results = Self::carry_out_all(changes.clone(), site);
        let failed = changes.iter().zip(results).find_map(|(change, result)| {
            let error = result.err()?;
            (!change.is_untouched(site)).then_some((&change.name, error))
        });
        let Some((name, error)) = failed else {
            return Ok(());
        };
        Err(error.help(prose!(
            "a change of `{name}` in {} was interrupted, and this must be possible to finish it",
            site.skills.path()
        )))
    }

    fn carry_out_all(mut changes: Vec<Self>, site: &Site) -> Vec<Result<(), Error>> {
        let count = changes.len();
        if let Err(error) = site.check() {
            let all_untouched = changes.iter().all(|change| change.is_untouched(site));
            let ended = if all_untouched {
                Self::end(site)
            } else {
                Ok(())
            };
            return repeated(&ended.err().unwrap_or(error), count);
        }
        // A change that exchanges single files writes the journal again, with all the others.
        site.together.replace(changes.clone());
        let exchange = |change: &mut Self| match change.new {
            Some(_) => change.put(site),
            None => change.take(site),
        };
        let mut results: Vec<Result<(), Error>> = changes.iter_mut().map(exchange).collect();
        site.together.take();
        let made = changes
            .iter()
            .zip(&results)
            .filter(|(_, result)| result.is_ok());
        let locks: Vec<EntryChange> = made
            .map(|(change, _)| (change.name.clone(), change.lock.clone()))
            .collect();
        // As for one change: the lock before the old versions leave the work folder.
        let written = site
            .check()
            .and_then(|()| lock::change(&site.skills, &*site.lock, &locks));
        if let Err(error) = written {
            return repeated(&error, count);
        }
        for (change, result) in changes.iter().zip(&mut results) {
            if result.is_ok() {
                *result = change.leave(site);
            }
        }
        let failed = changes.into_iter().zip(&results);
        let failed =
            failed.filter(|(change, result)| result.is_err() && !change.is_untouched(site));
        let left = failed.map(|(change, _)| change).collect();
        let ended = match Self::joined(left) {
            // The next command finishes what was begun.
            Some(mut journal) => journal.write(site),
            None => Self::end(site),
        };
        if let (Err(error), Some(last)) = (ended, results.last_mut()) {
            *last = Err(error);
        }
        results
    }

    /// Removes what the change displaced, and the entry of the trash that it restored.
    fn leave(&self, site: &Site) -> Result<(), Error> {
        self.dispose(site)?;
        self.consume()
    }

    pub(super) fn joined(mut changes: Vec<Self>) -> Option<Self> {
        if changes.is_empty() {
            return None;
        }
        let mut first = changes.remove(0);
        first.with = changes;
        Some(first)
    }

    fn split(mut self) -> Vec<Self> {
        let mut with = std::mem::take(&mut self.with);
        with.insert(0, self);
        with
    }
}

/// Returns an error for each of several changes.
fn repeated(error: &Error, count: usize) -> Vec<Result<(), Error>> {
    let help = error.remedy_or("run the same command again");
    let again = || Err(Error::new(error.kind(), error).help(&help));
    std::iter::repeat_with(again).take(count).collect()
}
