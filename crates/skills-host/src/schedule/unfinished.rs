//! Changes of schedules that a killed process began, and how they are finished.
//!
//! A change has two halves: the skill's folder and `schedules.json`. The file decides, since it is replaced in one step.
//! A change leaves a hidden item beside the folders of the skills until both halves are made:
//!
//! - `.NAME.part`: the folder of a new skill. It gets its name after the file has the schedule.
//! - `.NAME.removed`: the time of a removal. The folder goes to the trash after the file no longer has the schedule.

use crate::schedule::names::ScheduleName;
use crate::schedule::scheduler::Scheduler;
use crate::schedule::skill;
use jiff::Timestamp;
use skills_store::Error;
use skills_store::files::copy::{is_there, list, read_json, remove, rename, write_file};
use skills_store::files::folder::Durable;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const ADDED: &str = ".part";
const REMOVED: &str = ".removed";

/// A change that is not finished.
struct Unfinished {
    name: ScheduleName,
    /// The hidden item.
    path: PathBuf,
    is_removal: bool,
}

impl Unfinished {
    fn of((name, path): (String, PathBuf)) -> Option<Self> {
        let name = name.strip_prefix('.')?;
        let (name, is_removal) = match name.strip_suffix(REMOVED) {
            Some(name) => (name, true),
            None => (name.strip_suffix(ADDED)?, false),
        };
        Some(Self {
            name: ScheduleName::new(name).ok()?,
            path,
            is_removal,
        })
    }
}

impl Scheduler {
    /// Finishes the changes that killed processes began. The next command then finds each schedule with its skill, or
    /// neither. Writes nothing if there is no such change.
    ///
    /// # Errors
    ///
    /// If `schedules.json` cannot be used, or a folder cannot be written.
    pub fn finish_changes(&self) -> Result<(), Error> {
        // First without the lock: most calls find nothing, and the lock would make the folder.
        if self.unfinished()?.is_empty() {
            return Ok(());
        }
        // Under the lock: a process that is not killed prepares its change there too.
        self.file.hold(|schedules| {
            let all = self.unfinished()?.into_iter();
            let finish = |change: Unfinished| {
                let done = self.finish_change(&change, schedules.contains_key(&change.name));
                done.map_err(|error| {
                    let help = format!(
                        "a change of the schedule {} was interrupted, and this must be possible to finish it",
                        change.name
                    );
                    error.help(help)
                })
            };
            // A change that cannot be finished keeps no other. The first error is reported.
            all.map(finish).fold(Ok(()), Result::and)
        })
    }

    fn finish_change(&self, change: &Unfinished, is_scheduled: bool) -> Result<(), Error> {
        let folder = self.skills.join(&change.name);
        match (change.is_removal, is_scheduled) {
            (false, true) if !is_there(&folder)? => return rename(&change.path, &folder),
            (true, false) => {
                // A mark that was not written whole is older than the change of the file.
                if let Ok(Some(time)) = read_json::<Timestamp>(&change.path) {
                    // The same place for each attempt: a move by copy goes on after a kill.
                    let token = time.as_nanosecond().to_string();
                    let (name, why) = (&change.name, "schedule remove");
                    let place = self
                        .trash
                        .place_again(name, &self.skills, why, time, &token);
                    place.receive_from(&folder)?;
                }
            }
            // The file has not changed: the folder stays, or was never named.
            _ => {}
        }
        remove(&change.path)
    }

    /// Prepares the folder of a new skill. The caller holds the lock of the file.
    pub(crate) fn prepare_added(&self, name: &ScheduleName, text: &str) -> Result<(), Error> {
        skill::write(&self.skills, name, &self.hidden(name, ADDED), text)
    }

    /// Takes back what [`Scheduler::prepare_added`] prepared.
    pub(crate) fn discard_added(&self, name: &ScheduleName) -> Result<(), Error> {
        remove(&self.hidden(name, ADDED))
    }

    /// Marks a skill as removed. The caller holds the lock of the file.
    pub(crate) fn mark_removed(&self, name: &ScheduleName, now: Timestamp) -> Result<(), Error> {
        let text = format!("\"{now}\"\n");
        let mark = self.hidden(name, REMOVED);
        write_file(&mark, text.as_bytes(), Durable::Yes).map(drop)
    }

    /// Removes the mark of a removal that failed.
    pub(crate) fn unmark_removed(&self, name: &ScheduleName) -> Result<(), Error> {
        remove(&self.hidden(name, REMOVED))
    }

    /// Returns the names of the folders whose removal is not finished. They count as removed if they have no schedule.
    pub(crate) fn marked_removed(&self) -> Result<BTreeSet<String>, Error> {
        let all = self.unfinished()?.into_iter();
        let removed = all.filter(|change| change.is_removal);
        Ok(removed.map(|change| change.name.to_string()).collect())
    }

    fn unfinished(&self) -> Result<Vec<Unfinished>, Error> {
        let all = list(&self.skills)?.into_iter();
        Ok(all.filter_map(Unfinished::of).collect())
    }

    fn hidden(&self, name: &str, ending: &str) -> PathBuf {
        let folder: &Path = &self.skills;
        folder.join(format!(".{name}{ending}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::{Limit, Missed, NewSchedule, TaskWords, TimeWords, Zone};
    use skills_runtime::Profile;
    use skills_store::files::trash::Trash;
    use std::fs;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    /// Adds the schedule `r` to an empty folder.
    fn added(folder: &Path) -> (Scheduler, ScheduleName) {
        let trash = Trash::new(folder.join("trash"));
        let (skills, runs) = (folder.join("scheduler"), folder.join("runs"));
        let scheduler = Scheduler::new(skills, runs, trash, Profile::DEFAULT);
        let zone = Zone::named("UTC").unwrap();
        let new = NewSchedule {
            words: TaskWords {
                short: "r",
                task: "Do it.",
                output: None,
            },
            time: Some(TimeWords::Cron("0 9 * * *")),
            zone: &zone,
            missed: Missed::default(),
            limit: Limit::DEFAULT,
        };
        let draft = scheduler.draft(&new, NOW).unwrap();
        scheduler.add(&draft).unwrap();
        (scheduler, draft.schedule.name)
    }

    fn forget(scheduler: &Scheduler) {
        let file = scheduler.file();
        file.update(|schedules| {
            schedules.clear();
            Ok(())
        })
        .unwrap();
    }

    /// Returns the names of the schedules, of the skills without one, and of the skills in the trash.
    fn found(scheduler: &Scheduler) -> [usize; 3] {
        let found = scheduler.list().unwrap();
        let hidden = list(scheduler.folder()).unwrap();
        assert!(
            hidden.iter().all(|(name, _)| !name.starts_with('.')),
            "{hidden:?}"
        );
        let trashed = scheduler.trash.list().unwrap();
        [
            found.schedules.len(),
            found.unscheduled.len(),
            trashed.len(),
        ]
    }

    #[test]
    fn an_added_schedule_has_its_skill_or_neither_is_there() {
        let dir = tempfile::tempdir().unwrap();
        let (scheduler, name) = added(dir.path());
        let part = scheduler.hidden(&name, ADDED);
        let folder = scheduler.folder().join(&name);
        fs::rename(&folder, &part).unwrap();
        assert_eq!(found(&scheduler), [1, 0, 0]);
        assert!(folder.join("SKILL.md").exists());
        fs::rename(&folder, &part).unwrap();
        forget(&scheduler);
        assert_eq!(found(&scheduler), [0, 0, 0]);
    }

    #[test]
    fn a_removed_schedule_takes_its_skill_or_both_stay() {
        let dir = tempfile::tempdir().unwrap();
        let (scheduler, name) = added(dir.path());
        scheduler.mark_removed(&name, NOW).unwrap();
        assert_eq!(found(&scheduler), [1, 0, 0]);
        // Killed while the mark was written.
        fs::write(scheduler.hidden(&name, REMOVED), "").unwrap();
        forget(&scheduler);
        assert_eq!(found(&scheduler), [0, 1, 0]);
        scheduler.mark_removed(&name, NOW).unwrap();
        assert_eq!(found(&scheduler), [0, 0, 1]);
    }
}
