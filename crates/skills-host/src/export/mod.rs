//! Exports a program's own skills to the agents of the user.
//!
//! A skill is written unchanged, so its digest is the digest in the bundle. The lock of the folder records
//! `program NAME VERSION`, by which a later version recognizes its own skills.

pub mod agents;
#[cfg(feature = "clap")]
pub mod command;
#[cfg(feature = "clap")]
mod list;
#[cfg(feature = "clap")]
mod process;
pub(crate) mod program;

pub use program::Program;

use crate::export::program::{by_name, no_such, snapshot};
use crate::lock::{SkillsFolder, read_lock, snapshot_powers, to_entry};
use serde::Serialize;
use skills_repository::{Lock, Locked};
use skills_runtime::SkillRef;
use skills_store::Error;
use skills_store::files::clock::Clock;
use skills_store::files::copy::is_there;
use skills_store::files::data::DataFolder;
use skills_store::files::lock::LockChange;
use skills_store::files::snapshot::{Seen, Snapshot};
use skills_store::files::work::{Keep, SkillChange};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The direction of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Write the skills into the folder.
    Export,
    /// Remove the skills from the folder.
    Remove,
}

/// The treatment of skills that differ from what the program wrote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Others {
    /// Leave the skills as they are.
    #[default]
    Leave,
    /// Replace the skills, which go to the trash.
    Force,
}

/// The state of a skill in the folder, relative to the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ExportState {
    /// The skill is not in the folder.
    Missing,
    /// The skill is the same as in the program.
    Current,
    /// The skill is the same as in another version of the program.
    Outdated,
    /// The skill has local changes.
    Changed,
    /// The skill was written by another program or by the user.
    Foreign,
    /// The program wrote the skill, and no longer has it.
    Orphaned,
}

/// The action for a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ExportAction {
    /// Write the skill.
    Write,
    /// Remove the skill.
    Remove,
    /// No change.
    Nothing,
    /// Leave the skill as it is, since the action would lose something.
    Leave,
}

/// The planned changes of one folder.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ExportPlan {
    /// The folder of skills.
    pub target: PathBuf,
    /// The skills, in order of names.
    pub skills: Vec<ExportedSkill>,
}

/// The planned change of one skill.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ExportedSkill {
    /// The name of the skill.
    pub name: String,
    /// The state of the skill.
    pub state: ExportState,
    /// The planned action.
    pub action: ExportAction,
    /// Files and links in the folder that the digest does not cover: left by an editor, or by the user. A new version
    /// keeps them. A removed folder goes to the trash with them.
    pub beside: Vec<String>,
    /// The present folder.
    #[serde(skip)]
    before: Option<Seen>,
    #[serde(skip)]
    is_repository: bool,
}

/// Plans to write a program's skills to a folder, or to remove them: the named skills, or all.
///
/// # Errors
///
/// [`ErrorKind::NotFound`](skills_store::ErrorKind::NotFound) for an unknown name, or an unreadable lock.
pub fn plan(
    program: &Program,
    names: &[String],
    target: &Path,
    direction: Direction,
    others: Others,
    data: &DataFolder,
) -> Result<ExportPlan, Error> {
    let lock = read_lock(target, data)?;
    let mut skills = Vec::new();
    for name in wanted(program, names, &lock) {
        let own = lock.skills.get(&name).filter(|locked| program.owns(locked));
        let skill = by_name(program, &name);
        if skill.is_none() && own.is_none() {
            return Err(no_such(program, &name));
        }
        let path = target.join(&name);
        let is_folder = !path.is_symlink() && path.is_dir();
        let before = is_folder.then(|| Snapshot::read(&path)).transpose()?;
        let state = match &before {
            Some(now) => ExportState::of(now, own, skill),
            None if is_there(&path)? => ExportState::Foreign,
            None if skill.is_some() => ExportState::Missing,
            None => ExportState::Orphaned,
        };
        let beside = before.iter().flat_map(Snapshot::beside);
        skills.push(ExportedSkill {
            beside: beside.map(|(path, _)| path.to_string()).collect(),
            action: state.action(skill, direction, others),
            name,
            state,
            before: before.as_ref().map(Snapshot::seen),
            is_repository: before.is_some_and(|now| now.is_repository),
        });
    }
    Ok(ExportPlan {
        target: target.to_owned(),
        skills,
    })
}

/// Returns the requested names, else the names of the program's skills and of the skills that it once wrote.
fn wanted(program: &Program, names: &[String], lock: &Lock) -> BTreeSet<String> {
    if !names.is_empty() {
        return names.iter().cloned().collect();
    }
    let bundled = program.skills.iter().map(|skill| skill.name().to_owned());
    let own = lock
        .skills
        .iter()
        .filter(|(_, locked)| program.owns(locked));
    bundled.chain(own.map(|(name, _)| name.clone())).collect()
}

impl ExportState {
    /// Returns the state of an existing folder. `own` is the lock entry that the program wrote.
    fn of(now: &Snapshot, own: Option<&Locked>, skill: Option<SkillRef>) -> Self {
        let now = now.digest();
        match (own, skill) {
            (Some(_), Some(skill)) if now == skill.digest() => Self::Current,
            (None, _) => Self::Foreign,
            (Some(locked), _) if now != locked.digest => Self::Changed,
            (Some(_), Some(_)) => Self::Outdated,
            (Some(_), None) => Self::Orphaned,
        }
    }

    fn action(self, skill: Option<SkillRef>, direction: Direction, others: Others) -> ExportAction {
        let is_others = matches!(self, Self::Changed | Self::Foreign);
        match (direction, self) {
            _ if is_others && others == Others::Leave => ExportAction::Leave,
            (Direction::Remove, Self::Missing) => ExportAction::Nothing,
            (Direction::Remove, Self::Foreign) => ExportAction::Leave,
            (Direction::Remove, _) | (_, Self::Orphaned) => ExportAction::Remove,
            (_, Self::Current) => ExportAction::Nothing,
            _ if skill.is_none() => ExportAction::Remove,
            _ => ExportAction::Write,
        }
    }
}

impl ExportedSkill {
    /// Returns whether the existing folder goes to the trash: if it has a file that is neither in a version of the
    /// program nor in the new folder.
    pub fn goes_to_trash(&self) -> bool {
        let is_others = matches!(self.state, ExportState::Changed | ExportState::Foreign);
        let acts = matches!(self.action, ExportAction::Write | ExportAction::Remove);
        let is_lost = self.action == ExportAction::Remove && !self.beside.is_empty();
        acts && (is_others || self.is_repository || is_lost)
    }
}

impl ExportPlan {
    /// Returns whether a skill is left that differs from the program's.
    pub fn leaves(&self) -> bool {
        let is_left = |skill: &ExportedSkill| skill.action == ExportAction::Leave;
        self.skills.iter().any(is_left)
    }

    /// Applies the plan.
    ///
    /// # Errors
    ///
    /// The first error. Skills before it are done, and the next call continues.
    pub fn apply(
        &self,
        program: &Program,
        data: &DataFolder,
        clock: &dyn Clock,
    ) -> Result<(), Error> {
        let acts = |action| matches!(action, ExportAction::Write | ExportAction::Remove);
        if !self.skills.iter().any(|skill| acts(skill.action)) {
            return Ok(());
        }
        let work = SkillsFolder::open(&self.target, data, &|_, _| {})?;
        // Before the lock names a version: `collect` removes versions that only the lock of an unknown folder names.
        data.note(&self.target)?;
        for skill in &self.skills {
            self.apply_one(skill, program, &work, data, clock)?;
        }
        Ok(())
    }

    fn apply_one(
        &self,
        skill: &ExportedSkill,
        program: &Program,
        work: &SkillsFolder,
        data: &DataFolder,
        clock: &dyn Clock,
    ) -> Result<(), Error> {
        let lock = work.lock()?;
        let old = lock.skills.get(&skill.name).map(to_entry);
        let trash = data.trash();
        let trash = trash.place(&skill.name, &self.target, "export", old, clock);
        let keep = if skill.goes_to_trash() {
            Keep::InTrash
        } else {
            Keep::No
        };
        let change = |lock| SkillChange {
            name: &skill.name,
            before: skill.before,
            keep,
            trash,
            lock,
            consumed: None,
        };
        match (skill.action, by_name(program, &skill.name)) {
            (ExportAction::Write, Some(bundled)) => {
                let mut new = snapshot(bundled)?;
                // Before the skill: once the lock names this version, the store must have it.
                data.store().put(&new)?;
                let locked = Locked::new(bundled.digest(), new.size())
                    .with_powers(&snapshot_powers(&new))
                    .from(program.provenance());
                if keep == Keep::No && skill.before.is_some() {
                    // What the plan saw: `put` refuses when it has changed since.
                    let before = Snapshot::read(&self.target.join(&skill.name))?;
                    new = new.with_beside_of(&before);
                }
                work.put(&new, change(LockChange::Set(to_entry(&locked))))
            }
            (ExportAction::Remove, _) => work.take(change(LockChange::Remove)),
            _ => Ok(()),
        }
    }
}
