//! Applies plans, one skill after the other. A failure of one skill does not stop the others.

use crate::files::lock::LockChange;
use crate::files::snapshot::{Seen, Snapshot};
use crate::files::store::Store;
use crate::files::trash::Operation;
use crate::files::work::{Keep, New, SkillChange};
use crate::history::History;
use crate::install::host::Host;
use crate::install::pins::Pins;
use crate::install::plan::{Action, Plan, PlannedSkill, Prepared};
use crate::install::seen::Heed;
use crate::lock::{SkillsFolder, to_entry};
use skills_repository::{Lock, Locked};
use skills_store::files::copy::is_there;
use skills_store::{Error, ErrorKind};
use std::collections::BTreeSet;
use std::path::Path;

/// The result for one skill.
#[derive(Debug)]
#[non_exhaustive]
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
    let mut applied = Vec::new();
    if plan.changes().next().is_none() {
        return Ok(applied);
    }
    let work = SkillsFolder::open(&plan.target, host.data, &|path, holder| {
        host.observer.waiting(path, holder);
    })?;
    // Before the lock names a version: `collect` removes versions that only the lock of an unknown folder names.
    host.data.note(&plan.target)?;
    for skill in plan.changes() {
        // One commit for each skill, so that the history names exactly the skills with local changes.
        record(&plan.target, &[&skill.name], "by hand", host);
    }
    let (store, lock) = (host.data.store(), work.lock()?);
    let pinned = match &plan.seen {
        Some(seen) if seen.pins == Heed::Pins => Pins::of(host.data).names(&plan.target)?,
        _ => BTreeSet::new(),
    };
    let done = already_done(plan, &lock);
    let applying = Applying {
        plan,
        operation,
        work: &work,
        store: &store,
        lock: &lock,
        pinned: &pinned,
        done: &done,
        host,
    };
    applied.extend(applying.all());
    let is_changed =
        |applied: &&Applied| applied.error.is_none() && applied.action != Action::Current;
    let done = applied.iter().filter(is_changed);
    let names: Vec<&str> = done.map(|applied| applied.name.as_str()).collect();
    unpin(plan, &names, host);
    record(&plan.target, &names, plan.why, host);
    // The folder is locked until after the commit, which could otherwise hold another process's change of the lock.
    drop(work);
    Ok(applied)
}

/// Forgets the pins of removed skills: a skill that is installed again later is not pinned.
fn unpin(plan: &Plan, done: &[&str], host: Host<'_>) {
    let removed = plan
        .changes()
        .filter(|skill| skill.action == Action::Remove);
    let removed: Vec<String> = removed
        .filter(|skill| done.contains(&skill.name.as_str()))
        .map(|skill| skill.name.clone())
        .collect();
    if removed.is_empty() || !host.data.pins().exists() {
        return;
    }
    if let Err(error) = Pins::of(host.data).unpin(&plan.target, &removed) {
        host.observer.warning(&error.to_string());
    }
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
    work: &'a SkillsFolder,
    store: &'a Store,
    lock: &'a Lock,
    pinned: &'a BTreeSet<String>,
    /// The skills whose change another process has made.
    done: &'a BTreeSet<&'a str>,
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
            if self.done.contains(&*skill.name) {
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
        let old = lock.skills.get(&skill.name).map(to_entry);
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
        if let Some(seen) = plan.seen.as_ref().filter(|_| locked.is_some() || is_known) {
            seen.check(&skill.name, locked, lock, self.pinned)?;
        }
        let Some(prepared) = &skill.prepared else {
            return Ok((New::Nothing, change));
        };
        // Before the skill: once the lock names this version, a merge or a restore looks for it in the store.
        self.store.put(&prepared.upstream)?;
        change.before = prepared.before;
        // What is displaced goes to the trash, from where `restore` brings it back.
        let is_same = |before: Seen| before.fingerprint() == prepared.result.fingerprint();
        if prepared.before.is_none_or(is_same) {
            change.keep = Keep::No;
        }
        change.lock = if plan.is_frozen {
            LockChange::Keep
        } else {
            LockChange::Set(to_entry(&prepared.locked))
        };
        Ok((New::Files(&prepared.result), change))
    }
}

/// Returns the skills whose change another process has made since the plan. A skill that cannot be read reports its error
/// when it is changed.
fn already_done<'p>(plan: &'p Plan, lock: &Lock) -> BTreeSet<&'p str> {
    let mut done = BTreeSet::new();
    for skill in plan.changes() {
        let Some(prepared) = &skill.prepared else {
            continue;
        };
        let path = plan.target.join(&skill.name);
        if matches!(
            is_done(prepared, lock.skills.get(&skill.name), &path),
            Ok(true)
        ) {
            done.insert(&*skill.name);
        }
    }
    done
}

/// Returns whether another process has made the same change since the plan.
fn is_done(prepared: &Prepared, entry: Option<&Locked>, path: &Path) -> Result<bool, Error> {
    let is_new = entry == Some(&prepared.locked) && is_there(path)? && !path.is_symlink();
    Ok(is_new && Snapshot::read(path)? == prepared.result)
}
