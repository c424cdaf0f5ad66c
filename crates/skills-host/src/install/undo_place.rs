//! One folder of an operation that is undone: what is there now, and what the operation displaced.

use crate::install::difference::between;
use crate::install::host::Host;
use crate::install::plan::{Action, PlannedSkill};
use crate::lock::{from_entry, to_entry};
use skills_compiler::Lock;
use skills_format::prose;
use skills_format::text::command::shell_word;
use skills_store::Error;
use skills_store::files::copy::is_there;
use skills_store::files::lock::LockEntry;
use skills_store::files::operation::{Changed, Held, OperationRecord, OperationState};
use skills_store::files::snapshot::Snapshot;
use skills_store::files::trash::Trashed;
use std::fs;

/// The folder of one record, as it is now.
pub(super) struct Place<'p> {
    pub(super) record: &'p OperationRecord,
    pub(super) lock: &'p Lock,
    /// The trash, the latest first.
    pub(super) trash: &'p [Trashed],
    pub(super) host: Host<'p>,
}

/// A skill as it is now.
struct Now {
    is_there: bool,
    snapshot: Option<Snapshot>,
    entry: Option<LockEntry>,
}

impl Now {
    fn is(&self, held: Option<&Held>) -> bool {
        match (held, &self.snapshot) {
            (None, None) => !self.is_there,
            (Some(held), Some(now)) => now.fingerprint().to_string() == held.fingerprint,
            _ => false,
        }
    }

    fn is_entry(&self, held: Option<&Held>) -> bool {
        self.entry.as_ref() == held.and_then(|held| held.entry.as_ref())
    }
}

impl Place<'_> {
    fn now(&self, change: &Changed) -> Result<Now, Error> {
        let path = self.record.target.join(&change.name);
        let is_there = is_there(&path)?;
        let snapshot = (is_there && !path.is_symlink()).then(|| Snapshot::read(&path).ok());
        Ok(Now {
            is_there,
            snapshot: snapshot.flatten(),
            entry: self.lock.skills.get(&change.name).map(to_entry),
        })
    }

    /// Returns whether the skill and its lock entry are as a change leaves them.
    pub(super) fn is_made(&self, change: &Changed) -> Result<bool, Error> {
        let (now, after) = (self.now(change)?, change.after.as_ref());
        Ok(now.is(after) && now.is_entry(after))
    }

    pub(super) fn undo(&self, change: &Changed) -> Result<PlannedSkill, Error> {
        let now = self.now(change)?;
        let is_there = now.is_there;
        let before_entry = change.before.as_ref().and_then(|held| held.entry.clone());
        let locked = before_entry.as_ref().and_then(from_entry);
        let mut skill = PlannedSkill::new(&change.name, locked.as_ref());
        if now.is(change.before.as_ref()) && now.is_entry(change.before.as_ref()) {
            skill.reason = Some("it is as it was before".into());
            return Ok(skill);
        }
        if self.was_not_made(change, &now) {
            skill.reason = Some("the operation failed before it changed this".into());
            return Ok(skill);
        }
        if change.pinned && !is_there {
            skill.pins = true;
            skill.note = Some("it is pinned again".into());
        }
        if !now.is(change.after.as_ref()) && is_there {
            skill.note = Some("it was changed since, and goes to the trash".into());
        } else if is_there && change.before.is_some() {
            skill.note = Some("the existing skill goes to the trash".into());
        }
        let Some(before) = &change.before else {
            skill.action = Action::Remove;
            return Ok(skill);
        };
        let is_before = now.is(Some(before));
        let is_before_entry = now.is_entry(Some(before));
        let now = now.snapshot;
        if let Some(now) = now.as_ref().filter(|_| is_before) {
            // Only the entry in the lock differs.
            return Ok(put(skill, now, now, before_entry.as_ref()));
        }
        let mut own = self.of_skill(&change.name).filter(|it| self.is_own(it));
        if let Some(link) = own.find(|it| it.folder.is_symlink()) {
            return Ok(link_by_hand(skill, link));
        }
        let mut own = self.of_skill(&change.name).filter(|it| self.is_own(it));
        if let Some(file) = own.find(|it| it.folder.is_file()) {
            return Ok(file_by_hand(skill, file));
        }
        if let Some((trashed, old)) = self.displaced(&change.name, before) {
            if let Some(now) = &now {
                skill.difference = between(now, &old);
            }
            if self.is_own(trashed) {
                skill.action = Action::Restore;
                skill.trashed = Some(trashed.clone());
                skill.displaces_repository = now.is_some_and(|now| now.is_repository);
                return Ok(skill);
            }
            // The entry stays in the trash: another operation displaced it.
            let now = now.unwrap_or_default();
            return Ok(put(skill, &now, &old, before_entry.as_ref()));
        }
        let digest = before_entry.as_ref().and_then(LockEntry::digest);
        let kept = match digest {
            Some(digest) => self.host.data.store().get(digest)?,
            None => None,
        };
        let is_exact = |kept: &Snapshot| kept.fingerprint().to_string() == before.fingerprint;
        let Some(kept) = kept.filter(is_exact) else {
            // A change that was made leaves what it displaced in the trash or in the store.
            if self.record.state != OperationState::Done && is_before_entry {
                skill.note = None;
                skill.reason = Some("the operation failed before it changed this".into());
                return Ok(skill);
            }
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

    /// Returns whether an operation that did not end, or failed, left a skill as it was: a change that was made has changed the
    /// entry in the lock too. The files say nothing, since a person can have edited them before and after.
    fn was_not_made(&self, change: &Changed, now: &Now) -> bool {
        let entry = |held: Option<&Held>| held.and_then(|held| held.entry.clone());
        self.record.state != OperationState::Done
            && entry(change.before.as_ref()) != entry(change.after.as_ref())
            && now.is_entry(change.before.as_ref())
            && !self.of_skill(&change.name).any(|it| self.is_own(it))
    }

    /// Returns what the trash holds of a skill of this folder.
    fn of_skill(&self, name: &str) -> impl Iterator<Item = &Trashed> {
        let is_of = move |trashed: &&Trashed| {
            trashed.record.name == name && trashed.record.from == self.record.target
        };
        self.trash.iter().filter(is_of)
    }

    /// Returns whether the operation displaced an entry of the trash.
    fn is_own(&self, trashed: &Trashed) -> bool {
        trashed.record.operation.as_ref() == Some(&self.record.id)
    }

    /// Returns the exact version that the operation displaced. A later operation can have displaced the same version again:
    /// an undoing that was undone itself.
    fn displaced(&self, name: &str, before: &Held) -> Option<(&Trashed, Snapshot)> {
        let (own, others): (Vec<_>, Vec<_>) = self.of_skill(name).partition(|it| self.is_own(it));
        // A process that was killed while it deleted can leave a part of the skill in the trash.
        let is_whole = |old: &Snapshot| old.fingerprint().to_string() == before.fingerprint;
        own.into_iter().chain(others).find_map(|trashed| {
            let old = Snapshot::read(&trashed.folder).ok().filter(is_whole)?;
            Some((trashed, old))
        })
    }
}

/// Refuses a skill that was a link: only folders are written. Names the command that makes the link.
pub(super) fn link_by_hand(skill: PlannedSkill, trashed: &Trashed) -> PlannedSkill {
    let path = trashed.record.from.join(&trashed.record.name);
    let made = fs::read_link(&trashed.folder).map(|to| {
        let [to, path] = [&to, &path].map(|path| shell_word(&path.to_string_lossy()));
        prose!("make the link again: `ln -s -- {to} {path}`")
    });
    let help = made.unwrap_or_else(|_| "make the link again".into());
    skill.refuse(
        "it was a link to a folder, and only folders are restored",
        help,
    )
}

/// Refuses a file that was in the place of a skill. Names the command that copies the file to its place: without it, the trash
/// would have an entry without content.
fn file_by_hand(skill: PlannedSkill, trashed: &Trashed) -> PlannedSkill {
    let path = trashed.record.from.join(&trashed.record.name);
    let [from, to] = [&trashed.folder, &path].map(|path| shell_word(&path.to_string_lossy()));
    let help = prose!("copy the file to its place: `cp -- {from} {to}`");
    skill.refuse("it was a file, and only folders are restored", help)
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
    let result = old.clone().with_empty_of(now);
    skill.prepare(Action::Restore, old.clone(), result, seen, locked)
}
