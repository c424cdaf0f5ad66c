//! `uninstall`, `restore` and `move`.

use crate::install::apply::{end, record};
use crate::install::crate_source::CrateSource;
use crate::install::decide::OnConflict;
use crate::install::host::Host;
use crate::install::pins::Pins;
use crate::install::plan::{Action, Plan, PlannedSkill};
use crate::install::provenance::without_parents;
use crate::install::state::{ByHandState, state_of};
use crate::install::undo_place::link_by_hand;
use crate::lock::{SkillsFolder, from_entry, read_lock, to_entry};
use serde::Serialize;
use skills_compiler::Locked;
use skills_format::disk::{resolve, resolved, resolved_ahead};
use skills_format::text::path::PathText as _;
use skills_format::{Prose, SKILL_FILE, SkillName, command, prose};
use skills_store::files::copy::{is_there, list};
use skills_store::files::lock::LockChange;
use skills_store::files::operation::{Changed, Held, Operation, OperationRecord};
use skills_store::files::snapshot::{Seen, Snapshot};
use skills_store::files::trash::Trashed;
use skills_store::files::work::{Keep, SkillChange};
use skills_store::{Error, ErrorKind};
use std::collections::BTreeSet;
use std::fs;
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
    // A name that is given twice is removed once: its second removal would be restored too, from nothing.
    for name in names.iter().collect::<BTreeSet<_>>() {
        let locked = lock.skills.get(name);
        let there = SkillName::new(name).is_ok() && is_there(&target.join(name))?;
        if locked.is_none() && !there {
            let message = prose!("there is no skill '{}' in {}", name.escape_debug(), target);
            let others = names_in(target);
            let known = lock.skills.keys().chain(&others).map(String::as_str);
            return Err(Error::new(ErrorKind::NotFound, message)
                .help(prose!(
                    "{} shows the skills, and --to names another folder",
                    command("list")
                ))
                .did_you_mean(name, known));
        }
        let mut skill = PlannedSkill::new(name, locked);
        if locked.is_none() && on_conflict != OnConflict::Force {
            let reason = "it was not installed: the lock does not name it";
            skill = skill.refuse(reason, "use --force to move it to the trash");
        } else {
            skill.action = Action::Remove;
            if there {
                see(&mut skill, &target.join(name), locked, host)?;
            } else {
                skill.note = Some("its folder is gone, and only the lock names it".into());
            }
        }
        planned.push(skill);
    }
    Plan::new(target.to_owned(), planned, "uninstall")
}

/// Binds a removal to the present folder: after a change of the folder, the plan has another id. Notes what only the trash
/// holds afterwards.
fn see(
    skill: &mut PlannedSkill,
    path: &Path,
    locked: Option<&Locked>,
    host: Host<'_>,
) -> Result<(), Error> {
    if let Ok(to) = fs::read_link(path) {
        skill.present = Some(to.shown().into_owned());
        return Ok(());
    }
    // A folder that cannot be read can be moved all the same.
    let Ok(now) = Snapshot::read(path) else {
        skill.present = Some("unreadable".to_owned());
        return Ok(());
    };
    skill.present = Some(format!("{} {}", now.fingerprint(), now.is_repository));
    let state = locked.map(|locked| state_of(&now, locked, host.data));
    let local = match state.transpose()? {
        Some(ByHandState::Changed) => Some("its local changes go to the trash with it"),
        Some(ByHandState::Added) => Some("the files that were added go to the trash with it"),
        _ => None,
    };
    let repository = now
        .is_repository
        .then_some("its git repository goes to the trash with it");
    let notes: Vec<&str> = local.into_iter().chain(repository).collect();
    skill.note = (!notes.is_empty()).then(|| notes.join("; ").into());
    Ok(())
}

/// Plans to restore one skill from the trash.
pub(crate) fn restored(target: &Path, trashed: Trashed) -> Result<PlannedSkill, Error> {
    let locked = trashed.record.entry.as_ref().and_then(from_entry);
    let mut skill = PlannedSkill::new(&trashed.record.name, locked.as_ref());
    skill.action = Action::Restore;
    if is_there(&target.join(&skill.name))? {
        skill.note = Some("the existing skill goes to the trash".into());
        skill.displaces_repository = is_there(&target.join(&skill.name).join(".git"))?;
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
    // A skill that cannot be read cannot be moved.
    Snapshot::read(&path)?;
    Ok(MovePlan {
        name: name.to_owned(),
        from: from.to_owned(),
        to: to.to_owned(),
        replaces: is_there(&to.join(name))?,
    })
}

impl MovePlan {
    /// Applies the plan.
    ///
    /// # Errors
    ///
    /// If a file cannot be written. The skill is then whole in one of the folders, or in both. [`ErrorKind::Refused`] if
    /// the skill was removed since the plan, or the other folder got a skill of its name.
    pub fn apply(&self, host: Host<'_>) -> Result<(), Error> {
        let folders = Folders::open(self, host)?;
        // Only now: until both folders are held, another process can change the skill and the locks.
        let moved = Moved::of(self, &folders)?;
        let operation = Operation::new(host.clock);
        let is_pinned = self.is_pinned(host)?;
        let recorded = self.note(&operation, &moved, host)?;
        let done = self.carry_out(&moved, &folders, &operation, host);
        if done.is_ok() && is_pinned {
            self.move_pin(host);
        }
        for record in recorded {
            end(record, done.is_err(), host);
        }
        done
    }

    fn is_pinned(&self, host: Host<'_>) -> Result<bool, Error> {
        let pins = Pins::of(host.data).names(&self.from)?;
        Ok(pins.contains(&self.name))
    }

    /// Moves the pin with the skill. A pin that stayed would hold a skill that is installed here later.
    fn move_pin(&self, host: Host<'_>) {
        let (pins, names) = (Pins::of(host.data), [self.name.clone()]);
        let pinned = pins.pin(&self.to, &names);
        if let Err(error) = pinned.and_then(|_| pins.unpin(&self.from, &names)) {
            host.observer.warning(&error.to_string());
        }
    }

    fn carry_out(
        &self,
        moved: &Moved,
        folders: &Folders,
        operation: &Operation,
        host: Host<'_>,
    ) -> Result<(), Error> {
        let (from, to) = (&self.from, &self.to);
        for folder in [to, from] {
            record(folder, &[&self.name], "by hand", host);
        }
        let mut put = self.change(to, moved.replaced.as_ref(), operation, host);
        if let Some(locked) = &moved.locked {
            put.lock = LockChange::Set(to_entry(&elsewhere(locked, from)));
        }
        // Put before take: a kill in between leaves the skill in both folders, and never in none.
        folders.to.put_folder(&from.join(&self.name), put)?;
        record(to, &[&self.name], "move", host);
        let mut take = self.change(from, moved.locked.as_ref(), operation, host);
        // In the trash, since the store need not hold it: a restore of the move takes it from there.
        take.keep = Keep::InTrash;
        take.before = Some(moved.now);
        folders.from.take(take)?;
        record(from, &[&self.name], "move", host);
        Ok(())
    }

    /// Records the change of both folders, so that `restore` undoes the move.
    fn note(
        &self,
        operation: &Operation,
        of: &Moved,
        host: Host<'_>,
    ) -> Result<Vec<OperationRecord>, Error> {
        let (from, to) = (&self.from, &self.to);
        let (locked, replaced) = (of.locked.as_ref(), of.replaced.as_ref());
        let fingerprint = of.now.fingerprint().to_string();
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
            pinned: false,
        };
        let take = Changed {
            name: self.name.clone(),
            before: Some(moved(locked.cloned())),
            after: None,
            pinned: self.is_pinned(host)?,
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
}

/// The two folders of a move, which no other process changes meanwhile.
struct Folders {
    from: SkillsFolder,
    to: SkillsFolder,
}

impl Folders {
    fn open(plan: &MovePlan, host: Host<'_>) -> Result<Self, Error> {
        let open = |target: &Path| {
            let waiting = |path: &Path, holder: &str| host.observer.waiting(path, holder);
            let work = SkillsFolder::open(target, host.data, &waiting)?;
            host.data.note(target)?;
            Ok::<_, Error>(work)
        };
        let (from, to) = (&plan.from, &plan.to);
        // In one order for both directions: otherwise a move back would wait for this move, and this move for that one.
        if resolved_ahead(from) < resolved_ahead(to) {
            let from = open(from)?;
            open(to).map(|to| Self { from, to })
        } else {
            let to = open(to)?;
            open(from).map(|from| Self { from, to })
        }
    }
}

/// The skill of a move as it is while both folders are held.
struct Moved {
    now: Seen,
    /// Its entry in the lock.
    locked: Option<Locked>,
    /// The entry of the skill that it replaces.
    replaced: Option<Locked>,
}

impl Moved {
    /// Fails for a skill that is gone, and for one that would replace a skill which the plan did not see.
    fn of(plan: &MovePlan, folders: &Folders) -> Result<Self, Error> {
        let entry =
            |work: &SkillsFolder| Ok::<_, Error>(work.lock()?.skills.get(&plan.name).cloned());
        let changed = |message: Prose| {
            Error::new(ErrorKind::Refused, message).help("run the same command again")
        };
        let (path, target) = (plan.from.join(&plan.name), plan.to.join(&plan.name));
        if !is_there(&path)? {
            return Err(changed(prose!("{} was removed meanwhile", &path)));
        }
        if !plan.replaces && is_there(&target)? {
            return Err(changed(prose!("{} was installed meanwhile", &target)));
        }
        Ok(Self {
            now: Snapshot::read(&path)?.seen(),
            locked: entry(&folders.from)?,
            replaced: entry(&folders.to)?,
        })
    }
}

/// Returns the names of the skills in a folder, for a help: a folder that cannot be read has none.
pub(crate) fn names_in(folder: &Path) -> Vec<String> {
    let Ok(names) = list(folder) else {
        return Vec::new();
    };
    let is_skill = |name: &String| folder.join(name).join(SKILL_FILE).is_file();
    let names = names.into_iter().map(|(name, _)| name);
    names.filter(is_skill).collect()
}

/// Returns the folder of a skill that may be moved.
fn movable(name: &str, from: &Path, to: &Path, on_conflict: OnConflict) -> Result<PathBuf, Error> {
    let path = from.join(name);
    if SkillName::new(name).is_err() || !is_there(&path)? {
        let message = prose!("there is no skill '{}' in {}", name.escape_debug(), from);
        return Err(Error::new(ErrorKind::NotFound, message)
            .help(prose!("{} shows the skills", command("list")))
            .did_you_mean(name, names_in(from).iter().map(String::as_str)));
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
