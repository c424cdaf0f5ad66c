//! `restore`: undoes a whole operation, in each folder of skills that it changed.

use crate::install::host::Host;
use crate::install::operations::{Undoable, short_id, undoable};
use crate::install::plan::{Action, Plan, PlannedSkill};
use crate::install::remove::restored;
use crate::install::undo_place::Place;
use crate::lock::{SkillsFolder, read_lock};
use skills_format::{Prose, command, prose};
use skills_store::files::copy::is_there;
use skills_store::files::interrupted::is_held;
use skills_store::files::operation::{OperationState, RESTORE};
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
    /// The other folders in which the operation changed the same skills.
    pub left: Vec<PathBuf>,
    /// The operation that an earlier call would undo, if this one cannot be undone.
    pub before: Option<Undoable>,
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

/// Plans to undo an operation. `targets` are the folders that count; [`Scope::Only`] narrows the undoing to them. An id
/// names an operation in any folder.
///
/// # Errors
///
/// [`ErrorKind::NotFound`] if there is nothing to undo, or the skill was restored already. [`ErrorKind::Usage`] if several
/// operations have the id.
pub fn plan_undo(
    targets: &[PathBuf],
    scope: Scope,
    wanted: Wanted<'_>,
    host: Host<'_>,
) -> Result<Undo, Error> {
    wait(targets, wanted, host)?;
    // Reading a lock first finishes the change of a killed process. A lock that cannot be read counts where the operation
    // changed its folder.
    for target in targets {
        let _ = read_lock(target, host.data);
    }
    let call = Call {
        targets,
        scope,
        host,
        trash: host.data.trash().list()?,
    };
    match wanted {
        Wanted::Last => call.last(None),
        Wanted::Skill(name) => call.last(Some(name)),
        Wanted::Operation(id) => call.by_id(id),
    }
}

/// Waits for the operations that still run. Before its end, the record of an operation is that of a killed process.
fn wait(targets: &[PathBuf], wanted: Wanted<'_>, host: Host<'_>) -> Result<(), Error> {
    while let Some(target) = running(targets, wanted, host)? {
        let waiting = |path: &Path, holder: &str| host.observer.waiting(path, holder);
        drop(SkillsFolder::open(&target, host.data, &waiting)?);
    }
    Ok(())
}

/// Returns a folder that an operation changes now, if the operation can be meant.
fn running(
    targets: &[PathBuf],
    wanted: Wanted<'_>,
    host: Host<'_>,
) -> Result<Option<PathBuf>, Error> {
    for (id, records) in host.data.operations().all()? {
        let is_meant = match wanted {
            Wanted::Operation(wanted) => id.starts_with(wanted),
            _ => records.iter().any(|it| targets.contains(&it.target)),
        };
        let open = records
            .iter()
            .filter(|it| it.state == OperationState::Begun);
        for record in open.filter(|_| is_meant) {
            if is_held(&record.target)? {
                return Ok(Some(record.target.clone()));
            }
        }
    }
    Ok(None)
}

/// Returns the operations that can be undone now, and not after a part of the trash is deleted.
///
/// # Errors
///
/// If a record cannot be read.
pub fn undoable_only_with(
    is_deleted: impl Fn(&Trashed) -> bool,
    host: Host<'_>,
) -> Result<Vec<Undoable>, Error> {
    let trash = host.data.trash().list()?;
    let rest: Vec<Trashed> = trash.iter().filter(|it| !is_deleted(it)).cloned().collect();
    let mut lost = Vec::new();
    for operation in undoable(None, host)? {
        let is_deleted = operation.trashed.as_ref().is_some_and(&is_deleted);
        let refused = |trash: &[Trashed]| {
            let plans = plans(&operation, None, |_| true, trash, host);
            // What cannot be read now can be undone later.
            plans.map_or(0, |plans| plans.iter().flat_map(Plan::refused).count())
        };
        if is_deleted || operation.trashed.is_none() && refused(&rest) > refused(&trash) {
            lost.push(operation);
        }
    }
    Ok(lost)
}

/// Returns whether undoing an operation would change something now. One that runs ends first.
pub fn can_undo(operation: &Undoable, host: Host<'_>) -> bool {
    if operation.is_running {
        return false;
    }
    let Ok(trash) = host.data.trash().list() else {
        return false;
    };
    let plans = plans(operation, None, |_| true, &trash, host);
    plans.is_ok_and(|plans| plans.iter().any(|plan| plan.changes().next().is_some()))
}

/// Forgets an operation of which nothing can be undone any more.
///
/// # Errors
///
/// If a record cannot be removed.
pub fn forget_lost(operation: &Undoable, host: Host<'_>) -> Result<(), Error> {
    // Without the record of a restore, what it undid would count as not undone.
    if operation.undoes.is_some() {
        return Ok(());
    }
    let trash = host.data.trash().list()?;
    let plans = plans(operation, None, |_| true, &trash, host)?;
    let is_possible = |skill: &PlannedSkill| skill.action != Action::Refuse;
    if plans.iter().flat_map(|plan| &plan.skills).any(is_possible) {
        return Ok(());
    }
    let operations = host.data.operations();
    let mut records = operation.records.iter();
    records.try_for_each(|record| operations.forget(record))
}

/// A call of `restore`.
struct Call<'c> {
    targets: &'c [PathBuf],
    scope: Scope,
    host: Host<'c>,
    trash: Vec<Trashed>,
}

impl Call<'_> {
    /// Undoes the last operation, or the last change of a skill, that is not undone yet.
    fn last(&self, name: Option<&str>) -> Result<Undo, Error> {
        let all = undoable(Some(self.targets), self.host)?;
        let is_of = |it: &&Undoable| name.is_none_or(|name| it.holds(name, self.targets));
        let mut found = all.iter().filter(is_of).peekable();
        if let (Some(name), Some(last)) = (name, found.peek())
            && last.is_restore()
            && !last.is_undone
            && !last.is_open
            && !last
                .undone_of(&all)
                .is_some_and(|of| of.has_left(name, self.targets))
        {
            return Err(self.restored_already(name, last, &all));
        }
        if let Some(last) = all.first()
            && last.is_restore()
            && last.is_open
            && self.undoes_nothing_more(last, &all)?
        {
            last.close(self.host)?;
            return Err(went_no_further(last, "after it restored everything"));
        }
        // A restore is undone by its id: otherwise two calls would undo each other.
        let mut found = found.filter(|it| !it.is_restore() && !it.is_undone);
        while let Some(operation) = found.next() {
            let mut undo = self.plan(operation, name)?;
            let skills = undo.plans.iter().flat_map(|plan| &plan.skills);
            let does_something = skills.clone().any(|skill| skill.action != Action::Current);
            if !does_something
                && operation.is_open
                && all.first().is_some_and(|it| it.id == operation.id)
            {
                operation.close(self.host)?;
                return Err(went_no_further(operation, "before it changed anything"));
            }
            if !does_something {
                continue;
            }
            if !skills.clone().any(|skill| skill.action.changes()) {
                undo.before = found.next().cloned();
            }
            return Ok(undo);
        }
        Err(self.nothing(name, &all))
    }

    /// Returns whether an undoing that was interrupted left nothing to undo.
    fn undoes_nothing_more(&self, last: &Undoable, all: &[Undoable]) -> Result<bool, Error> {
        let Some(of) = last.undone_of(all) else {
            return Ok(false);
        };
        if of.is_undone {
            return Ok(true);
        }
        let undo = self.plan(of, None)?;
        let mut skills = undo.plans.iter().flat_map(|plan| &plan.skills);
        Ok(skills.all(|skill| skill.action == Action::Current))
    }

    fn by_id(&self, id: &str) -> Result<Undo, Error> {
        let all = undoable(None, self.host)?;
        let found: Vec<&Undoable> = all.iter().filter(|it| it.id.starts_with(id)).collect();
        let exact = found.iter().find(|it| it.id == id).copied();
        let operation = match (exact, found.as_slice()) {
            (Some(exact), _) => exact,
            (None, [one]) => one,
            (None, []) => return self.of_trash(id),
            (None, several) => {
                let ids = several.iter().map(|it| short_id(&it.id, &all));
                let ids: Vec<String> = ids.collect();
                let id = id.escape_debug();
                let message = prose!("several operations begin with {id}");
                return Err(Error::new(ErrorKind::Usage, message)
                    .help(format!("name one of {}", ids.join(", "))));
            }
        };
        self.plan(operation, None)
    }

    /// Restores an entry of the trash that an operation moved there.
    fn of_trash(&self, id: &str) -> Result<Undo, Error> {
        let trashed = self.trash.iter().find(|trashed| trashed.id == id);
        let Some(trashed) = trashed else {
            let message = format!("there is no operation '{}'", id.escape_debug());
            let help = prose!("{} shows the ids", command("restore --list"));
            return Err(Error::new(ErrorKind::NotFound, message).help(help));
        };
        self.plan(&Undoable::of_trash(trashed.clone()), None)
    }

    fn plan(&self, operation: &Undoable, only: Option<&str>) -> Result<Undo, Error> {
        let is_meant = |target: &Path| {
            self.scope == Scope::Whole || self.targets.iter().any(|it| it == target)
        };
        let plans = plans(operation, only, is_meant, &self.trash, self.host)?;
        let mut displaces = false;
        for plan in &plans {
            for skill in plan.changes() {
                displaces |= is_there(&plan.target.join(&skill.name))?;
            }
        }
        let of = |(_, names): &&(PathBuf, Vec<String>)| {
            only.is_none_or(|name| names.iter().any(|known| known == name))
        };
        let places = operation.places.iter().filter(of);
        let left = places.filter(|(target, _)| !is_meant(target));
        Ok(Undo {
            left: left.map(|(target, _)| target.clone()).collect(),
            of: operation.clone(),
            plans,
            displaces,
            before: None,
        })
    }

    fn restored_already(&self, name: &str, last: &Undoable, all: &[Undoable]) -> Error {
        let what = last
            .undone_of(all)
            .map_or("change", |undone| undone.why.as_str());
        let name_shown = name.escape_debug();
        let message = prose!("'{name_shown}' is restored already: its last {what} was undone");
        let again = command("restore").word(&short_id(&last.id, all));
        let mut help = prose!("{} takes the restoring back", again);
        let older = all.iter().find(|it| {
            it.holds(name, self.targets) && !it.is_restore() && !it.is_undone && it.id < last.id
        });
        if let Some(older) = older {
            let older_command = command("restore").word(&short_id(&older.id, all));
            let why = &older.why;
            help = prose!("{}; {} undoes the {why} before it", help, older_command);
        }
        Error::new(ErrorKind::NotFound, message).help(help)
    }

    fn nothing(&self, name: Option<&str>, all: &[Undoable]) -> Error {
        let what = match name {
            None => "nothing".to_owned(),
            Some(name) => format!("no change of '{}'", name.escape_debug()),
        };
        let places = self.targets.iter().map(Prose::from);
        let places = places.reduce(|all, one| all.words(", ").and(one));
        let places = places.unwrap_or_default();
        let message = prose!("there is {what} to restore in {}", places);
        let changed = all.iter().flat_map(|operation| &operation.places);
        let changed = changed.flat_map(|(_, names)| names).map(String::as_str);
        // A skill can have operations of which nothing can be restored.
        let changed = changed.filter(|changed| Some(*changed) != name);
        Error::new(ErrorKind::NotFound, message)
            .help("--to names another folder; the last 50 operations are recorded")
            .did_you_mean(name.unwrap_or_default(), changed)
    }
}

/// The error of a call that would undo an earlier operation than the person expects.
fn went_no_further(last: &Undoable, when: &str) -> Error {
    let message = format!("the last {} was interrupted {when}", last.why);
    let restore = command("restore");
    Error::new(ErrorKind::NotFound, message).help(prose!(
        "there is nothing to restore of it; {} again goes back to the operation before it",
        restore
    ))
}

/// Plans the undoing in each folder, of what is not undone yet. An operation that is undone whole is planned whole: its id was
/// given.
fn plans(
    operation: &Undoable,
    only: Option<&str>,
    is_meant: impl Fn(&Path) -> bool,
    trash: &[Trashed],
    host: Host<'_>,
) -> Result<Vec<Plan>, Error> {
    let mut plans = Vec::new();
    if let Some(trashed) = &operation.trashed {
        let target = trashed.record.from.clone();
        let skill = restored(&target, trashed.clone())?;
        plans.push(Plan::new(target, vec![skill], RESTORE)?.undoing(&operation.id));
    }
    let records = operation.records.iter();
    for record in records.filter(|record| is_meant(&record.target)) {
        let lock = read_lock(&record.target, host.data);
        let changes = record.changes.iter();
        let changes = changes.filter(|change| only.is_none_or(|name| change.name == name));
        let changes =
            changes.filter(|change| operation.is_undone || !operation.undid(record, change));
        let skills = changes.map(|change| match &lock {
            Ok(lock) => {
                let place = Place {
                    record,
                    lock,
                    trash,
                    host,
                };
                place.undo(change)
            }
            // The other folders of the operation are undone all the same.
            Err(error) => {
                let skill = PlannedSkill::new(&change.name, None);
                Ok(skill.refuse(error, error.remedy_or("correct it, then restore again")))
            }
        });
        let skills: Vec<PlannedSkill> = skills.collect::<Result<_, _>>()?;
        if !skills.is_empty() {
            let plan = Plan::new(record.target.clone(), skills, RESTORE)?;
            plans.push(plan.undoing(&operation.id));
        }
    }
    Ok(plans)
}
