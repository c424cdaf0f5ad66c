//! Applies plans, one skill after the other. A failure of one skill does not stop the others.

use crate::files::lock::{LockChange, LockEntry};
use crate::files::snapshot::{Seen, Snapshot};
use crate::files::store::Store;
use crate::files::trash::Operation;
use crate::files::work::{Keep, New, SkillChange, Work};
use crate::history::History;
use crate::install::fetch::Host;
use crate::install::pins::Pins;
use crate::install::plan::{Action, Plan, PlannedSkill};
use skills_repository::{Lock, Locked};
use skills_store::{Error, ErrorKind};
use std::collections::BTreeSet;
use std::path::Path;

/// The result for one skill.
#[derive(Debug)]
pub struct Applied {
    /// The name of the skill.
    pub name: String,
    /// The planned action; [`Action::Current`] if another process had made the change already.
    pub action: Action,
    /// The error, if the action failed.
    pub error: Option<Error>,
}

/// Applies a plan: keeps the new versions in the store, puts the skills into place, writes the lock.
///
/// # Errors
///
/// If nothing can be done, for example when the folder cannot be locked. The error of one skill is in its
/// [`Applied`].
pub fn apply(plan: &Plan, host: Host<'_>) -> Result<Vec<Applied>, Error> {
    apply_as(plan, &Operation::new(host.clock), host)
}

/// Applies a plan as a part of a command that changes several folders: [`plan_restore`](crate::install::plan_restore)
/// brings back what the whole command displaced. The errors are those of [`apply`].
pub fn apply_as(plan: &Plan, operation: &Operation, host: Host<'_>) -> Result<Vec<Applied>, Error> {
    if plan.changes().next().is_none() {
        return Ok(Vec::new());
    }
    let work = Work::open(&plan.target, host.data, &|path, holder| {
        host.observer.waiting(path, holder);
    })?;
    // Before the lock names a version: `collect` removes versions that only the lock of an unknown folder names.
    host.data.note(&plan.target)?;
    for skill in plan.changes() {
        // One commit for each skill, so that the history names exactly the skills with local changes.
        record(&plan.target, &[&skill.name], "by hand", host);
    }
    let (store, lock) = (host.data.store(), work.lock()?);
    let pinned = if plan.heeds_pins {
        Pins::of(host.data).names(&plan.target)?
    } else {
        BTreeSet::new()
    };
    let applying = Applying {
        plan,
        operation,
        work: &work,
        store: &store,
        lock: &lock,
        pinned: &pinned,
        host,
    };
    let applied = applying.all();
    let is_changed =
        |applied: &&Applied| applied.error.is_none() && applied.action != Action::Current;
    let done = applied.iter().filter(is_changed);
    let names: Vec<&str> = done.map(|applied| applied.name.as_str()).collect();
    record(&plan.target, &names, plan.why, host);
    // The folder is locked until after the commit, which could otherwise hold another process's change of the lock.
    drop(work);
    Ok(applied)
}

/// Commits the present state of skills, if their folder is a person's own and a git repository.
pub(crate) fn record(target: &Path, names: &[&str], why: &str, host: Host<'_>) {
    let Some(history) = History::of(target, host.git, host.clock, host.observer) else {
        return;
    };
    let message = match names.len() {
        0 => return,
        1..=5 => format!("{why}: {}\n", names.join(", ")),
        count => format!("{why}: {count} skills\n\n{}\n", names.join("\n")),
    };
    history.record(names, &message);
}

/// The open folder of a plan that is carried out.
struct Applying<'a> {
    plan: &'a Plan,
    operation: &'a Operation,
    work: &'a Work,
    store: &'a Store,
    lock: &'a Lock,
    pinned: &'a BTreeSet<String>,
    host: Host<'a>,
}

impl Applying<'_> {
    /// Makes the changes together: one journal waits for the disk once.
    fn all(&self) -> Vec<Applied> {
        let mut applied = Vec::new();
        let mut changes = Vec::new();
        for skill in self.plan.changes() {
            let mut one = Applied {
                name: skill.name.clone(),
                action: skill.action,
                error: None,
            };
            if self.is_done(skill) {
                one.action = Action::Current;
            } else if self.host.observer.is_cancelled() {
                let error = Error::new(ErrorKind::Cancelled, "stopped");
                one.error = Some(error.help("run the same command again"));
            } else {
                self.host.observer.progress(&skill.name);
                match self.one(skill) {
                    Ok(change) => changes.push((applied.len(), change)),
                    Err(error) => one.error = Some(error),
                }
            }
            applied.push(one);
        }
        let (places, changes): (Vec<usize>, Vec<_>) = changes.into_iter().unzip();
        for (at, done) in places.into_iter().zip(self.work.make(changes)) {
            // The place of the change in this list.
            applied[at].error = done.err();
        }
        applied
    }

    /// Returns the change of a skill.
    fn one<'s>(&self, skill: &'s PlannedSkill) -> Result<(New<'s>, SkillChange<'s>), Error> {
        let Self {
            plan, lock, host, ..
        } = *self;
        let old = lock.skills.get(&skill.name).map(LockEntry::new);
        let is_known = old.is_some();
        let trash = host.data.trash();
        let trash = trash.place(&skill.name, self.work.target(), plan.why, old, host.clock);
        let mut change = SkillChange {
            name: &skill.name,
            before: None,
            keep: Keep::InTrash,
            trash: trash.of_operation(self.operation),
            lock: LockChange::Remove,
            consumed: None,
        };
        if let Some(trashed) = &skill.trashed {
            // Whatever lies in its place goes to the trash, so it need not be what the plan saw.
            if let Some(entry) = &trashed.record.entry {
                change.lock = LockChange::Set(entry.clone());
            }
            change.consumed = trashed.folder.parent().map(ToOwned::to_owned);
            return Ok((New::Copy(&trashed.folder), change));
        }
        let locked = skill.prepared.as_ref().map(|prepared| &prepared.locked);
        // Under the hold of the folder: the plan was made before, and a person was asked in between. A person who uninstalls a
        // skill means every version.
        if locked.is_some() || is_known {
            self.check_entry(&skill.name, locked)?;
        }
        let Some(prepared) = &skill.prepared else {
            return Ok((New::Nothing, change));
        };
        // Before the skill: once the lock names this version, a merge or a restore looks for it in the store.
        self.store.put(&prepared.upstream)?;
        change.before = prepared.before;
        // What is displaced goes to the trash, from where `restore` brings it back.
        let is_same = |before: Seen| before.fingerprint == prepared.result.fingerprint();
        if prepared.before.is_none_or(is_same) {
            change.keep = Keep::No;
        }
        change.lock = if plan.is_frozen {
            LockChange::Keep
        } else {
            LockChange::Set(LockEntry::new(&prepared.locked))
        };
        Ok((New::Files(&prepared.result), change))
    }

    /// Fails for a skill that another process uninstalled, moved, updated or pinned since the plan. Its files alone do not
    /// show that: a removed skill looks like a missing one, which an update puts back. `planned` is the entry that the plan
    /// writes.
    fn check_entry(&self, name: &str, planned: Option<&Locked>) -> Result<(), Error> {
        let before = self.plan.seen.as_ref().and_then(|seen| seen.get(name));
        let (Some(before), now) = (before, self.lock.skills.get(name)) else {
            return Ok(());
        };
        // The powers of an old entry can be filled in meanwhile.
        let is_same = |before: &Locked, now: &Locked| {
            before.is_same(now) && before.provenance == now.provenance
        };
        let what = match (before, now) {
            _ if self.pinned.contains(name) => "pinned",
            // Another process brought the same version. Whether the files are the same, their comparison shows.
            (_, Some(now)) if planned == Some(now) => return Ok(()),
            (Some(_), None) => "uninstalled or moved",
            (None, Some(_)) => "installed",
            (Some(before), Some(now)) if !is_same(before, now) => "updated",
            _ => return Ok(()),
        };
        Err(
            Error::new(ErrorKind::Refused, format!("it was {what} meanwhile"))
                .help("run the same command again, if you still want the change"),
        )
    }

    /// Returns whether another process has made the change of a skill since the plan. A skill that cannot be read reports its
    /// error when it is changed.
    fn is_done(&self, skill: &PlannedSkill) -> bool {
        let Some(prepared) = &skill.prepared else {
            return false;
        };
        let path = self.plan.target.join(&skill.name);
        self.lock.skills.get(&skill.name) == Some(&prepared.locked)
            && !path.is_symlink()
            && Snapshot::read(&path).is_ok_and(|now| now == prepared.result)
    }
}
