//! A program's own skills, handed to the agents that a person already has.
//!
//! A skill is written as it is in the program; its digest stays that of the bundle. The lock of the
//! folder notes `program NAME VERSION`, and by that a later version finds what is its own.

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
use crate::lock::{SkillsFolder, read_lock, to_entry};
use serde::Serialize;
use skills_compiler::{Lock, Locked};
use skills_runtime::SkillRef;
use skills_store::Error;
use skills_store::files::clock::Clock;
use skills_store::files::copy::is_there;
use skills_store::files::data::DataFolder;
use skills_store::files::lock::LockChange;
use skills_store::files::snapshot::Snapshot;
use skills_store::files::work::{Keep, SkillChange};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What is done with a program's skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// They are written into the folder.
    Export,
    /// They are taken out of it.
    Remove,
}

/// Whether skills are replaced that are not as the program left them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Others {
    /// They are left as they are.
    #[default]
    Leave,
    /// They go to the trash.
    Force,
}

/// How a skill of a folder stands to the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ExportState {
    /// It is not there.
    Missing,
    /// It is as the program has it.
    Current,
    /// It is as another version of the program had it.
    Outdated,
    /// It was changed by hand.
    Changed,
    /// Another program or a person put it there.
    Foreign,
    /// The program put it there and no longer has it.
    Orphaned,
}

/// What is done with a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ExportAction {
    /// It is written.
    Write,
    /// It is taken away.
    Remove,
    /// Nothing is to do.
    Nothing,
    /// It is left as it is, since that would lose something.
    Leave,
}

/// What would be done in one folder.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ExportPlan {
    /// The folder of skills.
    pub target: PathBuf,
    /// In the order of names.
    pub skills: Vec<ExportedSkill>,
}

/// What would be done with one skill.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ExportedSkill {
    /// Its name.
    pub name: String,
    /// How it stands to the program.
    pub state: ExportState,
    /// What is done.
    pub action: ExportAction,
    /// Files and links in the folder that the digest does not cover: an editor's, or a person's. A new version
    /// is written around them; a folder that is taken away goes to the trash with them.
    pub beside: Vec<String>,
    /// The folder as it is.
    #[serde(skip)]
    before: Option<Snapshot>,
}

/// Plans to bring a program's skills into a folder, or out of it: those of these names, or all.
///
/// # Errors
///
/// [`ErrorKind::NotFound`](skills_store::ErrorKind::NotFound) for a name that the program does not have; a lock that cannot be read.
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
        let own = lock.skills.get(&name);
        let own = own.filter(|locked| program.owns(locked));
        let skill = by_name(program, &name);
        if skill.is_none() && own.is_none() {
            return Err(no_such(program, &name));
        }
        let path = target.join(&name);
        let is_folder = !path.is_symlink() && path.is_dir();
        let before = is_folder.then(|| Snapshot::read(&path)).transpose()?;
        let state = match &before {
            Some(now) => ExportState::of(now, own, skill),
            None if is_there(&path) => ExportState::Foreign,
            None if skill.is_some() => ExportState::Missing,
            None => ExportState::Orphaned,
        };
        let beside = before.iter().flat_map(Snapshot::beside);
        skills.push(ExportedSkill {
            beside: beside.map(|(path, _)| path.to_string()).collect(),
            action: state.action(skill, direction, others),
            name,
            state,
            before,
        });
    }
    Ok(ExportPlan {
        target: target.to_owned(),
        skills,
    })
}

/// The names that are asked for; else those of the program, and those that it once wrote.
fn wanted(program: &Program, names: &[String], lock: &Lock) -> BTreeSet<String> {
    if !names.is_empty() {
        return names.iter().cloned().collect();
    }
    let bundled = program.skills.iter().map(|skill| skill.name().to_owned());
    let own = lock.skills.iter();
    let own = own.filter(|(_, locked)| program.owns(locked));
    bundled.chain(own.map(|(name, _)| name.clone())).collect()
}

impl ExportState {
    /// The state of a folder that is there. `own` is the lock's entry that the program wrote.
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
    /// Whether the folder that is there goes to the trash: where its files are not all in the program, in an
    /// earlier version of the program, or in the new folder.
    pub fn goes_to_trash(&self) -> bool {
        let is_others = matches!(self.state, ExportState::Changed | ExportState::Foreign);
        let is_repository = self.before.as_ref().is_some_and(|now| now.is_repository);
        let acts = matches!(self.action, ExportAction::Write | ExportAction::Remove);
        let is_lost = self.action == ExportAction::Remove && !self.beside.is_empty();
        acts && (is_others || is_repository || is_lost)
    }
}

impl ExportPlan {
    /// Whether a skill is left that is not as the program has it.
    pub fn leaves(&self) -> bool {
        let is_left = |skill: &ExportedSkill| skill.action == ExportAction::Leave;
        self.skills.iter().any(is_left)
    }

    /// Carries it out.
    ///
    /// # Errors
    ///
    /// The first that occurs; skills before it are done, and the next call does the rest.
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
            before: skill.before.as_ref(),
            keep,
            trash,
            lock,
            consumed: None,
        };
        match (skill.action, by_name(program, &skill.name)) {
            (ExportAction::Write, Some(bundled)) => {
                let mut new = snapshot(bundled)?;
                data.store().put(&new)?;
                let locked = Locked::new(bundled.digest(), new.size()).from(program.provenance());
                if let (Keep::No, Some(before)) = (keep, &skill.before) {
                    new = new.with_beside_of(before);
                }
                work.put(&new, change(LockChange::Set(to_entry(&locked))))
            }
            (ExportAction::Remove, _) => work.take(change(LockChange::Remove)),
            _ => Ok(()),
        }
    }
}
