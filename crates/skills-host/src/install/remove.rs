//! `uninstall`, `restore` and `move`.

use crate::install::apply::{end, record};
use crate::install::crate_source::CrateSource;
use crate::install::decide::OnConflict;
use crate::install::host::Host;
use crate::install::plan::{Action, Plan, PlannedSkill};
use crate::install::provenance::without_parents;
use crate::install::undo_place::link_by_hand;
use crate::lock::{SkillsFolder, from_entry, read_lock, to_entry};
use serde::Serialize;
use skills_compiler::{Lock, Locked};
use skills_format::disk::{resolve, resolved};
use skills_format::text::path::PathText as _;
use skills_format::{SkillName, command, prose};
use skills_store::files::copy::is_there;
use skills_store::files::lock::LockChange;
use skills_store::files::operation::{Changed, Held, Operation, OperationRecord};
use skills_store::files::snapshot::{Seen, Snapshot};
use skills_store::files::trash::Trashed;
use skills_store::files::work::{Keep, SkillChange};
use skills_store::{Error, ErrorKind};
use std::path::{Path, PathBuf};

/// Plans to move skills to the trash. A skill that the lock does not name requires [`OnConflict::Force`].
///
/// # Errors
///
/// [`ErrorKind::NotFound`] for a skill that is neither in the folder nor in its lock.
pub fn plan_uninstall(
    target: &Path,
    names: &[String],
    on_conflict: OnConflict,
    host: Host<'_>,
) -> Result<Plan, Error> {
    let lock = read_lock(target, host.data)?;
    let mut planned = Vec::new();
    for name in names {
        let locked = lock.skills.get(name);
        let there = SkillName::new(name).is_ok() && is_there(&target.join(name))?;
        if locked.is_none() && !there {
            let message = prose!("there is no skill '{}' in {}", name.escape_debug(), target);
            return Err(Error::new(ErrorKind::NotFound, message)
                .help(prose!(
                    "{} shows the skills, and --to names another folder",
                    command("list")
                ))
                .did_you_mean(name, lock.skills.keys().map(String::as_str)));
        }
        let mut skill = PlannedSkill::new(name, locked);
        if locked.is_none() && on_conflict != OnConflict::Force {
            let reason = "it was not installed: the lock does not name it";
            skill = skill.refuse(reason, "use --force to move it to the trash");
        } else {
            skill.action = Action::Remove;
        }
        planned.push(skill);
    }
    planned.dedup_by(|a, b| a.name == b.name);
    Plan::new(target.to_owned(), planned, "uninstall")
}

/// Plans to restore one skill from the trash.
pub(crate) fn restored(target: &Path, trashed: Trashed) -> Result<PlannedSkill, Error> {
    let locked = trashed.record.entry.as_ref().and_then(from_entry);
    let mut skill = PlannedSkill::new(&trashed.record.name, locked.as_ref());
    skill.action = Action::Restore;
    if is_there(&target.join(&skill.name))? {
        skill.note = Some("the existing skill goes to the trash".into());
    }
    if trashed.folder.is_symlink() {
        return Ok(link_by_hand(skill, &trashed));
    }
    skill.trashed = Some(trashed);
    Ok(skill)
}

/// The planned move of a skill to another folder of skills.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct MovePlan {
    /// The name of the skill.
    pub name: String,
    /// The present folder of skills.
    pub from: PathBuf,
    /// The new folder of skills.
    pub to: PathBuf,
    /// True if the new folder has a skill of the same name, which goes to the trash.
    pub replaces: bool,
    #[serde(skip)]
    now: Seen,
}

/// Plans to move a skill to another folder of skills, with its lock entry and its local changes.
///
/// # Errors
///
/// [`ErrorKind::NotFound`] if the skill does not exist, [`ErrorKind::Refused`] if the other folder has a skill of the
/// same name, [`ErrorKind::Usage`] if both folders are the same; an unreadable lock.
pub fn plan_move(
    name: &str,
    from: &Path,
    to: &Path,
    on_conflict: OnConflict,
    host: Host<'_>,
) -> Result<MovePlan, Error> {
    // Reading a lock first finishes the change of a killed process.
    read_lock(from, host.data)?;
    read_lock(to, host.data)?;
    let path = movable(name, from, to, on_conflict)?;
    Ok(MovePlan {
        name: name.to_owned(),
        from: from.to_owned(),
        to: to.to_owned(),
        replaces: is_there(&to.join(name))?,
        now: Snapshot::read(&path)?.seen(),
    })
}

impl MovePlan {
    /// Applies the plan.
    ///
    /// # Errors
    ///
    /// If a file cannot be written. The skill is then whole in one of the folders, or in both.
    pub fn apply(&self, host: Host<'_>) -> Result<(), Error> {
        let (from, to) = (&self.from, &self.to);
        let entry = |lock: Lock| lock.skills.get(&self.name).cloned();
        let locked = entry(read_lock(from, host.data)?);
        let replaced = entry(read_lock(to, host.data)?);
        let operation = Operation::new(host.clock);
        let recorded = self.note(&operation, locked.as_ref(), replaced.as_ref(), host)?;
        let done = self.carry_out(locked.as_ref(), replaced.as_ref(), &operation, host);
        for record in recorded {
            end(record, done.is_err(), host);
        }
        done
    }

    fn carry_out(
        &self,
        locked: Option<&Locked>,
        replaced: Option<&Locked>,
        operation: &Operation,
        host: Host<'_>,
    ) -> Result<(), Error> {
        let (from, to) = (&self.from, &self.to);
        let mut put = self.change(to, replaced, operation, host);
        if let Some(locked) = locked {
            put.lock = LockChange::Set(to_entry(&elsewhere(locked, from)));
        }
        let path = from.join(&self.name);
        // Put before take: a kill in between leaves the skill in both folders, and never in none.
        self.at(to, host, |work| work.put_folder(&path, put))?;
        let mut take = self.change(from, locked, operation, host);
        // In the trash, since the store need not hold it: a restore of the move takes it from there.
        take.keep = Keep::InTrash;
        take.before = Some(self.now);
        self.at(from, host, |work| work.take(take))
    }

    /// Records the change of both folders, so that `restore` undoes the move.
    fn note(
        &self,
        operation: &Operation,
        locked: Option<&Locked>,
        replaced: Option<&Locked>,
        host: Host<'_>,
    ) -> Result<Vec<OperationRecord>, Error> {
        let (from, to) = (&self.from, &self.to);
        let fingerprint = self.now.fingerprint().to_string();
        let moved = |locked: Option<Locked>| Held {
            fingerprint: fingerprint.clone(),
            entry: locked.as_ref().map(to_entry),
        };
        let target = to.join(&self.name);
        let there = if is_there(&target)? {
            let now = Snapshot::read(&target).map(|now| now.fingerprint().to_string());
            Some(Held {
                fingerprint: now.unwrap_or_else(|_| String::new()),
                entry: replaced.map(to_entry),
            })
        } else {
            None
        };
        let put = Changed {
            name: self.name.clone(),
            before: there,
            after: Some(moved(locked.map(|locked| elsewhere(locked, from)))),
        };
        let take = Changed {
            name: self.name.clone(),
            before: Some(moved(locked.cloned())),
            after: None,
        };
        let mut recorded = Vec::new();
        for (folder, change) in [(to, put), (from, take)] {
            let record = OperationRecord::new(operation, folder, "move", vec![change]);
            host.data.operations().write(&record)?;
            recorded.push(record);
        }
        Ok(recorded)
    }

    fn change(
        &self,
        target: &Path,
        entry: Option<&Locked>,
        operation: &Operation,
        host: Host<'_>,
    ) -> SkillChange<'_> {
        let entry = entry.map(to_entry);
        let trash = host.data.trash();
        SkillChange {
            name: &self.name,
            before: None,
            keep: Keep::InTrash,
            trash: trash
                .place(&self.name, target, "move", entry, host.clock)
                .of_operation(operation.id()),
            lock: LockChange::Remove,
            consumed: None,
        }
    }

    /// Changes one of the folders, and commits the change if the folder has a history.
    fn at(
        &self,
        target: &Path,
        host: Host<'_>,
        change: impl FnOnce(&SkillsFolder) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let waiting = |path: &Path, holder: &str| host.observer.waiting(path, holder);
        let work = SkillsFolder::open(target, host.data, &waiting)?;
        host.data.note(target)?;
        record(target, &[&self.name], "by hand", host);
        change(&work)?;
        record(target, &[&self.name], "move", host);
        drop(work);
        Ok(())
    }
}

/// Returns the folder of a skill that may be moved.
fn movable(name: &str, from: &Path, to: &Path, on_conflict: OnConflict) -> Result<PathBuf, Error> {
    let path = from.join(name);
    if SkillName::new(name).is_err() || !is_there(&path)? {
        let message = prose!("there is no skill '{}' in {}", name.escape_debug(), from);
        return Err(Error::new(ErrorKind::NotFound, message)
            .help(prose!("{} shows the skills", command("list"))));
    }
    if path.is_symlink() {
        let message = prose!("{} is a link, and only folders are moved", &path);
        return Err(Error::new(ErrorKind::Refused, message)
            .help("remove the link, and make it in the other folder"));
    }
    if resolve(from).ok() == resolve(to).ok() {
        let message = prose!("'{name}' is in {} already", to);
        return Err(Error::new(ErrorKind::Usage, message).help("name another folder with --to"));
    }
    if is_there(&to.join(name))? && on_conflict != OnConflict::Force {
        let message = prose!("a skill '{name}' is in {} already", to);
        return Err(Error::new(ErrorKind::Refused, message)
            .help("uninstall that one first, or use --force: then it goes to the trash"));
    }
    Ok(path)
}

/// Makes the paths in the source of an entry absolute: they are relative to the old lock's folder.
pub(crate) fn elsewhere(locked: &Locked, from: &Path) -> Locked {
    let mut locked = locked.clone();
    if let Some(provenance) = &mut locked.provenance
        && let Some(source) = of_crate_elsewhere(&provenance.source, from)
    {
        provenance.source = source;
    } else if let Some(provenance) = &mut locked.provenance
        && provenance.source.starts_with('.')
        && let Ok(path) = resolve(&from.join(&provenance.source))
    {
        provenance.source = path.shown().into_owned();
    }
    locked
}

/// Makes the workspaces in the source of a crate absolute.
fn of_crate_elsewhere(source: &str, from: &Path) -> Option<String> {
    let mut source = CrateSource::parse(source)?;
    let from = resolved(from);
    for workspace in &mut source.workspaces {
        let folder = without_parents(&from.join(&*workspace));
        *workspace = folder.shown().into_owned();
    }
    Some(source.text())
}
