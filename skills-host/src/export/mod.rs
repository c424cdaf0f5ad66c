//! A program's own skills, handed to the agents that a person already has.
//!
//! A skill is written as it is in the program; its digest stays that of the bundle. The lock of the
//! folder notes `program NAME VERSION`, and by that a later version finds what is its own.

pub mod agents;
#[cfg(feature = "clap")]
pub mod command;
#[cfg(feature = "clap")]
mod process;
pub(crate) mod program;

pub use program::Program;

use crate::error::Error;
use crate::export::program::{by_name, no_such, snapshot};
use crate::files::clock::Clock;
use crate::files::copy::is_there;
use crate::files::data::DataFolder;
use crate::files::lock::{LockChange, LockEntry};
use crate::files::snapshot::Snapshot;
use crate::files::work::{Keep, SkillChange, Work, read_lock};
use serde::Serialize;
use skills_compiler::{Lock, Locked};
use skills_runtime::SkillRef;
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
    /// The folder as it is.
    #[serde(skip)]
    before: Option<Snapshot>,
}

/// Plans to bring a program's skills into a folder, or out of it: those of these names, or all.
///
/// # Errors
///
/// [`ErrorKind::NotFound`](crate::ErrorKind::NotFound) for a name that the program does not have; a lock that cannot be read.
pub fn plan(
    program: &Program,
    names: &[String],
    target: &Path,
    direction: Direction,
    others: Others,
    data: &DataFolder,
) -> Result<ExportPlan, Error> {
    let lock = read_lock(target, data)?;
    let mut all: BTreeSet<String> = names.iter().cloned().collect();
    if names.is_empty() {
        let bundled: Vec<String> = program
            .skills
            .iter()
            .map(|skill| skill.name().to_owned())
            .collect();
        all.extend(bundled);
        let own = lock
            .skills
            .iter()
            .filter(|(_, locked)| program.owns(locked));
        all.extend(own.map(|(name, _)| name.clone()));
    }
    let mut skills = Vec::new();
    for name in all {
        let name = name.as_str();
        let skill = by_name(program, name);
        let is_own = lock
            .skills
            .get(name)
            .is_some_and(|locked| program.owns(locked));
        if skill.is_none() && !is_own {
            return Err(no_such(program, name));
        }
        skills.push(plan_one(
            program, name, skill, &lock, target, direction, others,
        )?);
    }
    Ok(ExportPlan {
        target: target.to_owned(),
        skills,
    })
}

fn plan_one(
    program: &Program,
    name: &str,
    skill: Option<SkillRef>,
    lock: &Lock,
    target: &Path,
    direction: Direction,
    others: Others,
) -> Result<ExportedSkill, Error> {
    let path = target.join(name);
    let before = if !path.is_symlink() && path.is_dir() {
        Some(Snapshot::read(&path)?)
    } else {
        None
    };
    let own = lock.skills.get(name).filter(|locked| program.owns(locked));
    let state = match (&before, own, skill) {
        (None, _, _) if is_there(&path) => ExportState::Foreign,
        (None, _, Some(_)) => ExportState::Missing,
        (Some(now), Some(_), Some(skill)) if now.digest() == skill.digest() => ExportState::Current,
        (Some(_), None, _) => ExportState::Foreign,
        (Some(now), Some(locked), _) if now.digest() != locked.digest => ExportState::Changed,
        (Some(_), Some(_), Some(_)) => ExportState::Outdated,
        (None, _, None) | (Some(_), Some(_), None) => ExportState::Orphaned,
    };
    let is_others = matches!(state, ExportState::Changed | ExportState::Foreign);
    let action = match (direction, state) {
        _ if is_others && others == Others::Leave => ExportAction::Leave,
        (Direction::Remove, ExportState::Missing) => ExportAction::Nothing,
        (Direction::Remove, ExportState::Foreign) => ExportAction::Leave,
        (Direction::Remove, _) | (_, ExportState::Orphaned) => ExportAction::Remove,
        (_, ExportState::Current) => ExportAction::Nothing,
        _ if skill.is_none() => ExportAction::Remove,
        _ => ExportAction::Write,
    };
    Ok(ExportedSkill {
        name: name.to_owned(),
        state,
        action,
        before,
    })
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
        let work = Work::open(&self.target, data, &|_, _| {})?;
        data.note(&self.target)?;
        let lock = crate::files::lock::parse(&self.target)?;
        for skill in &self.skills {
            let old = lock.skills.get(&skill.name).map(LockEntry::from);
            let trash = data
                .trash()
                .place(&skill.name, &self.target, "export", old, clock);
            let keep = match skill.state {
                ExportState::Changed | ExportState::Foreign => Keep::InTrash,
                _ => Keep::No,
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
                    let new = snapshot(bundled);
                    data.store().put(&new)?;
                    let locked =
                        Locked::new(bundled.digest(), new.size()).from(program.provenance());
                    work.put(&new, change(LockChange::Set((&locked).into())))?;
                }
                (ExportAction::Remove, _) => work.take(change(LockChange::Remove))?,
                _ => {}
            }
        }
        Ok(())
    }
}
