//! `restore`: undoes a whole operation, in each folder of skills that it changed.

use crate::install::difference::between;
use crate::install::host::Host;
use crate::install::plan::{Action, Plan, PlannedSkill};
use crate::install::remove::restored;
use crate::lock::{from_entry, read_lock, to_entry};
use jiff::Timestamp;
use skills_compiler::Lock;
use skills_format::{Prose, prose};
use skills_store::files::copy::is_there;
use skills_store::files::lock::LockEntry;
use skills_store::files::operation::{Changed, Held, OperationRecord, RESTORE};
use skills_store::files::snapshot::Snapshot;
use skills_store::files::trash::Trashed;
use skills_store::{Error, ErrorKind};
use std::path::{Path, PathBuf};

/// What is to be restored.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Wanted<'w> {
    /// Undo the last operation.
    Last,
    /// Undo the last change of one skill.
    Skill(&'w str),
    /// Undo an operation, by its id or the beginning of its id.
    Operation(&'w str),
}

/// An operation that can be undone.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Undoable {
    /// The id of the operation, or of the entry in the trash.
    pub id: String,
    /// The command.
    pub why: String,
    /// The time of the operation.
    pub time: Timestamp,
    /// The folders of skills, each with the names of its skills.
    pub places: Vec<(PathBuf, Vec<String>)>,
    records: Vec<OperationRecord>,
    trashed: Option<Trashed>,
}

/// The planned undoing of an operation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Undo {
    /// The operation.
    pub of: Undoable,
    /// One plan for each folder.
    pub plans: Vec<Plan>,
    /// True if something that is there would go to the trash.
    pub displaces: bool,
    is_whole: bool,
}

/// Lists the operations in some folders, or in all, the latest first. What went to the trash without an operation is one of
/// its own.
///
/// # Errors
///
/// If a record cannot be read.
pub fn undoable(targets: Option<&[PathBuf]>, host: Host<'_>) -> Result<Vec<Undoable>, Error> {
    let is_meant = |target: &Path| targets.is_none_or(|all| all.iter().any(|it| it == target));
    let mut all = Vec::new();
    for (id, mut records) in host.data.operations().all()? {
        // In an order that the names of the records do not change.
        records.sort_by(|a, b| a.target.cmp(&b.target));
        if !records.iter().any(|record| is_meant(&record.target)) {
            continue;
        }
        let Some(first) = records.first() else {
            continue;
        };
        let names = |record: &OperationRecord| {
            let names = record.changes.iter().map(|change| change.name.clone());
            (record.target.clone(), names.collect())
        };
        all.push(Undoable {
            id,
            why: first.why.clone(),
            time: first.time,
            places: records.iter().map(names).collect(),
            records,
            trashed: None,
        });
    }
    let known = |trashed: &Trashed| {
        let id = trashed.record.operation.as_ref();
        id.is_some_and(|id| all.iter().any(|operation| operation.id == *id))
    };
    let trashed = host.data.trash().list()?.into_iter();
    let alone: Vec<Trashed> = trashed
        .filter(|trashed| is_meant(&trashed.record.from) && !known(trashed))
        .collect();
    all.extend(alone.into_iter().map(|trashed| Undoable {
        id: trashed.id.clone(),
        why: trashed.record.why.clone(),
        time: trashed.record.time,
        places: vec![(
            trashed.record.from.clone(),
            vec![trashed.record.name.clone()],
        )],
        records: Vec::new(),
        trashed: Some(trashed),
    }));
    all.sort_by(|a, b| (b.time, &b.id).cmp(&(a.time, &a.id)));
    Ok(all)
}

/// Plans to undo an operation. `targets` are the folders that count; `Only` narrows the undoing to them.
///
/// # Errors
///
/// [`ErrorKind::NotFound`] if there is nothing to undo.
pub fn plan_undo(
    targets: &[PathBuf],
    scope: Scope,
    wanted: Wanted<'_>,
    host: Host<'_>,
) -> Result<Undo, Error> {
    // Reading a lock first finishes the change of a killed process.
    for target in targets {
        read_lock(target, host.data)?;
    }
    let all = undoable(Some(targets), host)?;
    for operation in all {
        let is_it = match wanted {
            // A restore is undone by its id: otherwise two calls would undo each other.
            Wanted::Last => operation.why != RESTORE,
            Wanted::Skill(name) => operation.holds(name, targets) && operation.why != RESTORE,
            Wanted::Operation(id) => operation.id.starts_with(id),
        };
        if !is_it {
            continue;
        }
        let undo = operation.plan(targets, scope, wanted, host)?;
        let does_something = undo.plans.iter().any(|plan| {
            let mut skills = plan.skills.iter();
            skills.any(|skill| skill.action != Action::Current)
        });
        if does_something || matches!(wanted, Wanted::Operation(_)) {
            return Ok(undo);
        }
    }
    Err(nothing(targets, wanted))
}

/// The folders in which an operation is undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scope {
    /// Every folder that the operation changed.
    Whole,
    /// Only the given folders.
    Only,
}

fn nothing(targets: &[PathBuf], wanted: Wanted<'_>) -> Error {
    let what = match wanted {
        Wanted::Last => "nothing".to_owned(),
        Wanted::Skill(name) => format!("no change of '{}'", name.escape_debug()),
        Wanted::Operation(id) => format!("no operation '{}'", id.escape_debug()),
    };
    let places = targets.iter().map(Prose::from);
    let places = places.reduce(|all, one| all.words(", ").and(one));
    let places = places.unwrap_or_default();
    let message = prose!("there is {what} to restore in {}", places);
    Error::new(ErrorKind::NotFound, message)
        .help("--to names another folder; the last 50 operations are recorded")
}

impl Undoable {
    fn holds(&self, name: &str, targets: &[PathBuf]) -> bool {
        self.places.iter().any(|(target, names)| {
            targets.contains(target) && names.iter().any(|known| known == name)
        })
    }

    fn plan(
        self,
        targets: &[PathBuf],
        scope: Scope,
        wanted: Wanted<'_>,
        host: Host<'_>,
    ) -> Result<Undo, Error> {
        let only = match wanted {
            Wanted::Skill(name) => Some(name),
            _ => None,
        };
        let is_meant = |target: &PathBuf| {
            // One skill is restored where it is meant; an operation everywhere.
            (scope == Scope::Whole && only.is_none()) || targets.contains(target)
        };
        let mut plans = Vec::new();
        if let Some(trashed) = &self.trashed {
            let target = trashed.record.from.clone();
            let skill = restored(&target, trashed.clone())?;
            plans.push(Plan::new(target, vec![skill], RESTORE)?);
        }
        let trash = host.data.trash().list()?;
        for record in self
            .records
            .iter()
            .filter(|record| is_meant(&record.target))
        {
            let changes = record.changes.iter();
            let changes = changes.filter(|change| only.is_none_or(|name| change.name == name));
            let lock = read_lock(&record.target, host.data)?;
            let place = Place {
                record,
                lock: &lock,
                trash: &trash,
                host,
            };
            let skills = changes.map(|change| place.undo(change));
            let skills: Vec<PlannedSkill> = skills.collect::<Result<_, _>>()?;
            plans.push(Plan::new(record.target.clone(), skills, RESTORE)?);
        }
        let mut displaces = false;
        for plan in &plans {
            for skill in plan.changes() {
                displaces |= is_there(&plan.target.join(&skill.name))?;
            }
        }
        let is_whole = only.is_none() && plans.len() == self.records.len();
        Ok(Undo {
            of: self,
            plans,
            displaces,
            is_whole,
        })
    }
}

impl Undo {
    /// Forgets the operation, after all its plans were carried out.
    ///
    /// # Errors
    ///
    /// If a record cannot be removed. The operation can then be undone again, which changes nothing.
    pub fn finish(&self, host: Host<'_>) -> Result<(), Error> {
        if !self.is_whole {
            return Ok(());
        }
        let operations = host.data.operations();
        self.of
            .records
            .iter()
            .try_for_each(|record| operations.forget(record))
    }
}

/// The folder of one record, as it is now.
struct Place<'p> {
    record: &'p OperationRecord,
    lock: &'p Lock,
    trash: &'p [Trashed],
    host: Host<'p>,
}

impl Place<'_> {
    fn undo(&self, change: &Changed) -> Result<PlannedSkill, Error> {
        let path = self.record.target.join(&change.name);
        let now = if is_there(&path)? && !path.is_symlink() {
            Snapshot::read(&path).ok()
        } else {
            None
        };
        let entry = self.lock.skills.get(&change.name).map(to_entry);
        let before_entry = change.before.as_ref().and_then(|held| held.entry.clone());
        let locked = before_entry.as_ref().and_then(from_entry);
        let mut skill = PlannedSkill::new(&change.name, locked.as_ref());
        let is_there = is_there(&path)?;
        let is_now = |held: Option<&Held>| match (held, &now) {
            (None, None) => !is_there,
            (Some(held), Some(now)) => now.fingerprint().to_string() == held.fingerprint,
            _ => false,
        };
        if is_now(change.before.as_ref()) && entry == before_entry {
            skill.reason = Some("it is as it was before".into());
            return Ok(skill);
        }
        if !is_now(change.after.as_ref()) && is_there {
            skill.note = Some("it was changed since, and goes to the trash".into());
        } else if is_there && change.before.is_some() {
            skill.note = Some("the existing skill goes to the trash".into());
        }
        let Some(before) = &change.before else {
            skill.action = Action::Remove;
            return Ok(skill);
        };
        if let Some(now) = now.as_ref().filter(|_| is_now(Some(before))) {
            // Only the entry in the lock differs.
            return Ok(put(skill, now, now, before_entry.as_ref()));
        }
        // A process that was killed while it deleted can leave a part of the skill in the trash.
        let is_whole = |old: &Snapshot| old.fingerprint().to_string() == before.fingerprint;
        let trashed = self.trashed(&change.name).and_then(|trashed| {
            let old = Snapshot::read(&trashed.folder).ok().filter(is_whole)?;
            Some((trashed, old))
        });
        if let Some((trashed, old)) = trashed {
            skill.action = Action::Restore;
            skill.trashed = Some(trashed.clone());
            if let Some(now) = &now {
                skill.difference = between(now, &old);
            }
            return Ok(skill);
        }
        let digest = before_entry.as_ref().and_then(LockEntry::digest);
        let kept = match digest {
            Some(digest) => self.host.data.store().get(digest)?,
            None => None,
        };
        let is_exact = |kept: &Snapshot| kept.fingerprint().to_string() == before.fingerprint;
        let Some(kept) = kept.filter(is_exact) else {
            let why = "neither the trash nor the store holds it any more";
            return Ok(skill.refuse(why, "install it from its source again"));
        };
        let empty = Snapshot::default();
        Ok(put(
            skill,
            now.as_ref().unwrap_or(&empty),
            &kept,
            before_entry.as_ref(),
        ))
    }

    /// Returns what the operation moved to the trash.
    fn trashed(&self, name: &str) -> Option<&Trashed> {
        self.trash.iter().find(|trashed| {
            trashed.record.operation.as_ref() == Some(&self.record.id)
                && trashed.record.name == name
                && trashed.record.from == self.record.target
        })
    }
}

/// Plans to put a version in the place of the present one.
fn put(
    mut skill: PlannedSkill,
    now: &Snapshot,
    old: &Snapshot,
    entry: Option<&LockEntry>,
) -> PlannedSkill {
    skill.difference = between(now, old);
    let is_missing = now.entries.is_empty();
    let seen = (!is_missing).then(|| now.seen());
    let locked = entry.and_then(from_entry);
    skill.forgets = locked.is_none();
    let locked = locked.unwrap_or_else(|| skills_compiler::Locked::new(old.digest(), old.size()));
    skill.prepare(Action::Restore, old.clone(), old.clone(), seen, locked)
}
