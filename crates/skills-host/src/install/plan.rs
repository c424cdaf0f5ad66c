//! The plan of an operation, as data: shown to the user, printed as JSON, and applied unchanged.

use crate::files::snapshot::{FileBytes, Seen, Snapshot};
use crate::files::trash::Trashed;
use crate::install::merge::Conflict;
use crate::lock::snapshot_powers;
use crate::review::Changes;
use crate::review::difference::FileDifference;
use serde::{Serialize, Serializer};
use skills_format::text::path::PathText as _;
use skills_format::{Diagnostic, Prose};
use skills_lint::is_lfs_pointer;
use skills_permit::Power;
use skills_repository::{Lock, Locked};
use skills_store::{Error, ErrorKind};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The planned changes of a folder of skills.
#[derive(Clone, Debug, Serialize)]
pub struct Plan {
    /// The folder of skills.
    #[serde(serialize_with = "shown")]
    pub target: PathBuf,
    /// One entry for each skill, in the order of names.
    pub skills: Vec<PlannedSkill>,
    /// The reason that the trash records for replaced folders.
    #[serde(skip)]
    pub(crate) why: &'static str,
    /// True if the lock is not changed.
    #[serde(skip)]
    pub(crate) is_frozen: bool,
    /// The entries of the lock as the plan saw them, of the skills that change.
    #[serde(skip)]
    pub(crate) seen: Option<BTreeMap<String, Option<Locked>>>,
    /// True if a skill that is pinned meanwhile stays: the plan passed over every skill that was pinned.
    #[serde(skip)]
    pub(crate) heeds_pins: bool,
}

/// The planned change of one skill.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PlannedSkill {
    /// The name, which is also the name of the folder.
    pub name: String,
    /// The description.
    pub description: String,
    /// The planned action.
    pub action: Action,
    /// The reason why the skill is refused or stays as it is.
    pub reason: Option<Prose>,
    /// The help for a refusal.
    pub help: Option<Prose>,
    /// A further remark, for example that a newer tag exists.
    pub note: Option<Prose>,
    /// The newest tag of the source, if it is newer than the requested tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newer: Option<String>,
    /// The source, as in the lock.
    pub source: Option<String>,
    /// The folder in the source.
    pub path: Option<String>,
    /// The requested revision.
    pub requested: Option<String>,
    /// The commit that the revision resolves to.
    pub commit: Option<String>,
    /// The digest of the archive that was fetched from the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archive: Option<String>,
    /// The digest of the files.
    pub digest: Option<String>,
    /// The size of the files in bytes.
    pub size: u64,
    /// The files, in order of their paths.
    pub files: Vec<PlannedFile>,
    /// The files of the source's folder that are not part of the skill, and are not installed.
    pub left_out: Vec<LeftOut>,
    /// The files of which the source has only a pointer of Git LFS.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lfs_pointers: Vec<String>,
    /// The files that look like programs.
    pub scripts: Vec<String>,
    /// True if the front matter has `hooks`, which a host may run.
    pub hooks: bool,
    /// The tool that the slash command calls without a model turn.
    pub command_tool: Option<String>,
    /// The tools that the skill requests.
    pub allowed_tools: Vec<String>,
    /// The powers of the skill, with the lines that show them.
    pub powers: Vec<Power>,
    /// What the gate of `skills diff` does not pass, as powers: those that the installed version does not have, the restraints
    /// that the skill lost, and what changed and is not judged.
    pub gained: Vec<Power>,
    /// The comparison with the installed version. Empty for a skill that is not installed.
    #[serde(skip)]
    pub changes: Changes,
    /// The skills of the same name in other folders. Set by [`Plan::shadow`].
    pub shadows: Vec<String>,
    /// The skills that the skill needs, by `metadata.requires.skills`: at most 100.
    #[serde(skip)]
    pub needs: Vec<String>,
    /// The needed skills that are neither here nor planned. Set by [`Plan::need`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing_skills: Vec<String>,
    /// The findings of a strict check.
    pub findings: Vec<Diagnostic>,
    /// The changes of the folder.
    pub difference: Vec<FileDifference>,
    /// The local changes since the installation.
    pub by_hand: Vec<FileDifference>,
    /// The files that are kept: added locally, or changed locally and removed in the source.
    pub kept: Vec<String>,
    /// The local additions that go to the trash with the existing skill: the new version has their place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_kept: Vec<String>,
    /// True if the existing folder holds a git repository, which goes to the trash with the folder.
    #[serde(skip_serializing_if = "is_false")]
    pub displaces_repository: bool,
    /// The files that both sides changed, in order of paths.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<Conflict>,
    #[serde(skip)]
    pub(crate) prepared: Option<Box<Prepared>>,
    /// The trashed skill to restore.
    #[serde(skip)]
    pub(crate) trashed: Option<Trashed>,
}

/// The action for a skill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Install the skill, which does not exist yet.
    Install,
    /// Replace the installed version by the new version.
    Update,
    /// Merge the changes of the source with the local changes.
    Merge,
    /// Replace the existing skill, which goes to the trash.
    Replace,
    /// Restore the skill from the trash.
    Restore,
    /// No change: the skill is as its source has it.
    #[default]
    Current,
    /// No change, for the reason of the skill: whether its source has another version is not known.
    Leave,
    /// Remove the skill.
    Remove,
    /// Refuse: the action would lose something, or is unsafe.
    Refuse,
}

/// A file of a skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlannedFile {
    /// The path, relative to the skill's folder.
    pub path: String,
    /// The size in bytes.
    pub size: u64,
    /// True if the file is executable.
    pub executable: bool,
}

/// A file of a source that is not part of the skill. The digest does not cover the file, so it could change between
/// the user's look and the next install without a trace in the lock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// The path, relative to the skill's folder.
    pub path: String,
    /// The reason why the file is not part of the skill.
    pub reason: &'static str,
}

impl LeftOut {
    /// Creates the entry of what [`left_out`](skills_format::left_out) names.
    pub(crate) fn new((path, reason): (&str, &'static str)) -> Self {
        let path = path.to_owned();
        Self { path, reason }
    }
}

/// The data that apply needs for one skill.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    /// The skill as it is in the source. The store keeps this version, and the lock names it.
    pub(crate) upstream: Snapshot,
    /// The folder after the change.
    pub(crate) result: Snapshot,
    /// The folder before the change.
    pub(crate) before: Option<Seen>,
    pub(crate) locked: Locked,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's form")]
fn is_false(value: &bool) -> bool {
    !value
}

impl Plan {
    pub(crate) fn new(target: PathBuf, mut skills: Vec<PlannedSkill>, why: &'static str) -> Self {
        skills.sort_by(|a, b| a.name.cmp(&b.name));
        Self {
            target,
            skills,
            why,
            is_frozen: false,
            seen: None,
            heeds_pins: false,
        }
    }

    /// Records the lock that the plan saw: a skill whose entry another process changes meanwhile is not written.
    #[must_use]
    pub(crate) fn over(mut self, lock: &Lock) -> Self {
        let entry = |skill: &PlannedSkill| {
            let entry = lock.skills.get(&skill.name);
            (skill.name.clone(), entry.cloned())
        };
        self.seen = Some(self.changes().map(entry).collect());
        self
    }

    /// Sets the skills of other folders that have the name of each planned skill.
    pub fn shadow(&mut self, shadows: impl Fn(&PlannedSkill) -> Vec<String>) {
        for skill in &mut self.skills {
            skill.shadows = shadows(skill);
        }
    }

    /// Sets the needed skills that are missing after the plan: `is_here` answers for a name that no planned skill has.
    pub fn need(&mut self, is_here: impl Fn(&str) -> bool) {
        let planned: BTreeSet<String> = self
            .skills
            .iter()
            .filter(|skill| !matches!(skill.action, Action::Refuse | Action::Remove))
            .map(|skill| skill.name.clone())
            .collect();
        for skill in &mut self.skills {
            let missing = skill.needs.iter().filter(|name| {
                let name = name.trim_start_matches('$');
                !planned.contains(name) && !is_here(name)
            });
            skill.missing_skills = missing.cloned().collect();
        }
    }

    /// Returns the skills with a planned change.
    pub fn changes(&self) -> impl Iterator<Item = &PlannedSkill> {
        self.skills.iter().filter(|skill| skill.action.changes())
    }

    /// Refuses the changes for which `why` returns a reason and a help.
    pub fn refuse_where(&mut self, why: impl Fn(&PlannedSkill) -> Option<(Prose, Prose)>) {
        for skill in &mut self.skills {
            if skill.action.changes()
                && let Some((reason, help)) = why(skill)
            {
                *skill = skill.clone().refuse(reason, help);
            }
        }
    }

    /// Returns the refused skills.
    pub fn refused(&self) -> impl Iterator<Item = &PlannedSkill> {
        let is_refused = |skill: &&PlannedSkill| skill.action == Action::Refuse;
        self.skills.iter().filter(is_refused)
    }
}

/// Serializes a path as displayed, since JSON has no bytes outside of UTF-8.
fn shown<S: Serializer>(path: &Path, json: S) -> Result<S::Ok, S::Error> {
    json.serialize_str(&path.shown())
}

impl Action {
    /// Returns whether the action writes anything.
    pub fn changes(self) -> bool {
        !matches!(self, Self::Current | Self::Leave | Self::Refuse)
    }
}

impl PlannedSkill {
    /// Creates a skill without a planned change.
    pub(crate) fn new(name: &str, locked: Option<&Locked>) -> Self {
        let from = locked
            .and_then(|locked| locked.provenance.clone())
            .unwrap_or_default();
        Self {
            name: name.to_owned(),
            source: Some(from.shown_source().into_owned()).filter(|source| !source.is_empty()),
            path: from.path,
            requested: from.requested,
            commit: from.commit,
            digest: locked.map(|locked| locked.digest.to_string()),
            size: locked.map_or(0, |locked| locked.size),
            ..Self::default()
        }
    }

    /// Refuses the skill.
    pub(crate) fn refuse(mut self, reason: impl Into<Prose>, help: impl Into<Prose>) -> Self {
        self.action = Action::Refuse;
        self.reason = Some(reason.into());
        self.help = Some(help.into());
        self.prepared = None;
        self
    }

    /// Leaves the skill as it is, for a reason.
    pub(crate) fn stays(mut self, action: Action, reason: &str) -> Self {
        self.action = action;
        self.reason = Some(reason.into());
        self
    }

    /// Returns a planned skill, or refuses this one with its error. A cancelled operation plans nothing.
    pub(crate) fn or_failed(self, planned: Result<Self, Error>) -> Result<Self, Error> {
        match planned {
            Err(error) if error.kind() != ErrorKind::Cancelled => Ok(self.failed(&error)),
            planned => planned,
        }
    }

    /// Refuses the skill because of a failed operation.
    pub(crate) fn failed(self, error: &Error) -> Self {
        let help = error.remedy_or("run the same command again");
        self.refuse(error, help)
    }

    /// Adds the facts on which the user decides.
    pub(crate) fn describe(&mut self, snapshot: &Snapshot, skill: Option<&skills_format::Skill>) {
        self.files = snapshot
            .files()
            .map(|(path, file)| PlannedFile {
                path: path.to_owned(),
                size: file.bytes.len() as u64,
                executable: file.executable,
            })
            .collect();
        self.lfs_pointers = snapshot
            .files()
            .filter(|(_, file)| is_lfs_pointer(&file.bytes))
            .map(|(path, _)| path.to_owned())
            .collect();
        self.scripts = snapshot
            .files()
            .filter(|(path, file)| is_script(path, file))
            .map(|(path, _)| path.to_owned())
            .collect();
        self.powers = snapshot_powers(snapshot).iter().collect();
        let Some(skill) = skill else {
            return;
        };
        self.description.clone_from(&skill.description);
        self.command_tool = skill.fields.command_tool.as_ref().map(ToString::to_string);
        let needs = skill.fields.requires.needed();
        self.needs = needs.map(str::to_owned).collect();
        let tools = skill.fields.allowed_tools.iter();
        self.allowed_tools = tools.map(ToString::to_string).collect();
        let front: Option<serde_json::Map<String, serde_json::Value>> =
            serde_json::from_str(&skill.front_matter_texts()).ok();
        self.hooks = front.is_some_and(|front| front.contains_key("hooks"));
    }
}

/// Returns whether a file is meant to be run.
pub(crate) fn is_script(path: &str, file: &FileBytes) -> bool {
    file.executable || path.starts_with("scripts/") || file.bytes.starts_with(b"#!")
}
