//! The plan of an operation, as data: shown to the user, printed as JSON, and applied unchanged.

use crate::install::conflict::{Conflict, Unmerged};
use crate::install::difference::FileDifference;
use crate::install::seen::{Heed, SeenLock};
use crate::lock::snapshot_powers;
use serde::{Serialize, Serializer};
use skills_compiler::{Lock, Locked};
use skills_format::disk::resolved_ahead;
use skills_format::text::command::Command;
use skills_format::text::path::PathText as _;
use skills_format::{Diagnostic, Digest, Power, Prose, prose};
use skills_lint::is_lfs_pointer;
use skills_store::files::snapshot::{FileBytes, Seen, Snapshot};
use skills_store::files::trash::Trashed;
use skills_store::{Error, ErrorKind};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The planned changes of a folder of skills.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Plan {
    /// Identifies exactly this plan: other skills, digests or actions give another id.
    pub id: String,
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
    /// The lock that the plan saw.
    #[serde(skip)]
    pub(crate) seen: Option<SeenLock>,
}

/// The planned change of one skill.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
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
    /// The requested tag, if it names another commit now.
    #[serde(skip)]
    pub moved: Option<String>,
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
    /// The powers that the installed version does not have, and the restraints that the skill lost.
    pub gained: Vec<Power>,
    /// The skills of the same name in other folders. Set by [`Plan::shadow`].
    pub shadows: Vec<String>,
    /// The skills among them that shadow this skill: it shadows the others. `None` if the order is unknown. Set by
    /// [`Plan::shadow`].
    #[serde(skip_serializing_if = "is_shadowed_by_none")]
    pub shadowed_by: Option<Vec<String>>,
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
    /// The files that cannot be merged, in order of paths.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<Conflict>,
    /// The option with which the same command takes the skill, where one does.
    #[serde(skip)]
    pub remedy: Option<Remedy>,
    /// The versions of a skill whose merge has conflicts.
    #[serde(skip)]
    pub(crate) unmerged: Option<Box<Unmerged>>,
    /// The edited copy that the merge takes.
    #[serde(skip)]
    pub(crate) copy: Option<PathBuf>,
    #[serde(skip)]
    pub(crate) prepared: Option<Box<Prepared>>,
    /// The trashed skill to restore.
    #[serde(skip)]
    pub(crate) trashed: Option<Trashed>,
    /// The fingerprint of a folder that is removed.
    #[serde(skip)]
    pub(crate) present: Option<String>,
}

/// The action for a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
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
    /// Keep the skill, and write its source into the lock.
    Adopt,
    /// No change: the skill is as its source has it.
    Current,
    /// No change, for the reason of the skill: whether its source has another version is not known.
    Leave,
    /// Remove the skill.
    Remove,
    /// Refuse: the action would lose something, or is unsafe.
    Refuse,
}

/// The way to take a refused skill all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// Merge the local changes with the new version.
    Merge,
    /// Answer the conflicts of the merge.
    Answer,
    /// Allow the new version to do more.
    Widen,
    /// Take a version in which a strict check finds errors.
    Lenient,
    /// Move the existing skill to the trash.
    Force,
    /// Read a source on this machine.
    Local,
    /// Unpin the skill.
    Unpin,
}

/// A file of a skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
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
#[non_exhaustive]
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

    /// Creates the entry of a link.
    pub(crate) fn link(path: &str) -> Self {
        Self {
            path: path.to_owned(),
            reason: "it is a link, and a copy holds files only",
        }
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

/// A document leaves the field out if no skill shadows.
#[expect(clippy::ref_option, reason = "serde's form")]
fn is_shadowed_by_none(skills: &Option<Vec<String>>) -> bool {
    skills.as_ref().is_none_or(Vec::is_empty)
}

impl Plan {
    pub(crate) fn new(
        target: PathBuf,
        mut skills: Vec<PlannedSkill>,
        why: &'static str,
    ) -> Result<Self, Error> {
        skills.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Self {
            id: id(&target, &skills, why)?,
            target,
            skills,
            why,
            is_frozen: false,
            seen: None,
        })
    }

    /// Records the lock that the plan saw: a skill whose entry another process changes meanwhile is not written.
    #[must_use]
    pub(crate) fn over(mut self, lock: &Lock, pins: Heed) -> Self {
        let entry = |skill: &PlannedSkill| {
            let entry = lock.skills.get(&skill.name);
            (skill.name.clone(), entry.cloned())
        };
        self.seen = Some(SeenLock {
            entries: self.changes().map(entry).collect(),
            pins,
        });
        self
    }

    /// Sets the skills of other folders that each planned skill shadows, and those among them that shadow it. The plan gets another id:
    /// the id covers everything that the plan shows.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotUtf8`] if the plan cannot be written.
    pub fn shadow(
        &mut self,
        shadows: impl Fn(&PlannedSkill) -> (Vec<String>, Option<Vec<String>>),
    ) -> Result<(), Error> {
        for skill in &mut self.skills {
            (skill.shadows, skill.shadowed_by) = shadows(skill);
        }
        self.identify()
    }

    /// Sets the needed skills that are missing after the plan: `is_here` answers for a name that no planned skill has.
    /// The plan gets another id, as in [`Plan::shadow`].
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotUtf8`] if the plan cannot be written.
    pub fn need(&mut self, is_here: impl Fn(&str) -> bool) -> Result<(), Error> {
        let there =
            |skill: &&PlannedSkill| !matches!(skill.action, Action::Refuse | Action::Remove);
        let planned: BTreeSet<String> = self
            .skills
            .iter()
            .filter(there)
            .map(|skill| skill.name.clone())
            .collect();
        for skill in &mut self.skills {
            let missing = skill.needs.iter().filter(|name| {
                let name = name.trim_start_matches('$');
                !planned.contains(name) && !is_here(name)
            });
            skill.missing_skills = missing.cloned().collect();
        }
        self.identify()
    }

    /// Keeps the lock as it is, to the byte: the plan brings back what the lock names.
    pub fn freeze(&mut self) {
        self.is_frozen = true;
    }

    /// Gives the plan the id of its present content.
    pub(crate) fn identify(&mut self) -> Result<(), Error> {
        self.id = id(&self.target, &self.skills, self.why)?;
        Ok(())
    }

    /// Returns the id of several plans that are carried out together. One plan keeps its id.
    pub fn id_of(plans: &[Self]) -> String {
        if let [plan] = plans {
            return plan.id.clone();
        }
        let ids: Vec<&str> = plans.iter().map(|plan| plan.id.as_str()).collect();
        let digest = Digest::of(ids.join(" ").as_bytes()).to_string();
        let digits = digest.chars().skip("sha256:".len());
        digits.take(LENGTH).collect()
    }

    /// Returns the skills with a planned change.
    pub fn changes(&self) -> impl Iterator<Item = &PlannedSkill> {
        self.skills.iter().filter(|skill| skill.action.changes())
    }

    /// Refuses the skills that gain powers. `next` returns the command that takes a skill all the same. The plan gets
    /// another id.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotUtf8`] if the plan cannot be written.
    pub fn refuse_widened(&mut self, next: impl Fn(&str) -> Command) -> Result<(), Error> {
        for skill in &mut self.skills {
            if skill.action.changes() && !skill.gained.is_empty() {
                let refused = skill.clone().refuse(
                    "it may do more than the installed version",
                    prose!("read its changes, then run {}", next(&skill.name)),
                );
                *skill = refused.remedy(Remedy::Widen);
            }
        }
        self.identify()
    }

    /// Returns the refused skills.
    pub fn refused(&self) -> impl Iterator<Item = &PlannedSkill> {
        let is_refused = |skill: &&PlannedSkill| skill.action == Action::Refuse;
        self.skills.iter().filter(is_refused)
    }
}

/// The digits of an id. 128 bits: a source that an attacker wrote must not give two plans with one id.
const LENGTH: usize = 32;

/// Computes the first digits of a digest over the whole plan. The path counts as bytes, UTF-8 or not: if a part could
/// not be written and were left out, the id would approve other plans too.
fn id(target: &Path, skills: &[PlannedSkill], why: &str) -> Result<String, Error> {
    let present = skills.iter().filter_map(|skill| skill.present.as_deref());
    let present = present.collect::<Vec<_>>().join(" ");
    let skills = serde_json::to_vec(skills).map_err(|error| {
        let message = format!("the plan cannot be written as JSON: {error}");
        Error::new(ErrorKind::NotUtf8, message).help("rename the files that the plan would name")
    })?;
    // A link can lead elsewhere before the plan is carried out.
    let real = resolved_ahead(target);
    let parts = [
        ("target", target.as_os_str().as_encoded_bytes()),
        ("resolved", real.as_os_str().as_encoded_bytes()),
        ("skills", &skills),
        ("why", why.as_bytes()),
        ("present", present.as_bytes()),
    ];
    let parts = parts.map(|(name, bytes)| (name, bytes.len() as u64, Digest::of(bytes)));
    // A plan that removes nothing keeps the id that it had before removals were bound to their folders.
    let count = parts.len() - usize::from(present.is_empty());
    let parts = parts.into_iter().take(count);
    let digest = Digest::of_files(parts).to_string();
    let digits = digest.chars().skip("sha256:".len());
    Ok(digits.take(LENGTH).collect())
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
            description: String::new(),
            action: Action::Current,
            reason: None,
            help: None,
            note: None,
            newer: None,
            moved: None,
            source: Some(from.shown_source().into_owned()).filter(|source| !source.is_empty()),
            path: from.path,
            requested: from.requested,
            commit: from.commit,
            archive: None,
            digest: locked.map(|locked| locked.digest.to_string()),
            size: locked.map_or(0, |locked| locked.size),
            files: Vec::new(),
            left_out: Vec::new(),
            lfs_pointers: Vec::new(),
            scripts: Vec::new(),
            hooks: false,
            command_tool: None,
            allowed_tools: Vec::new(),
            powers: Vec::new(),
            gained: Vec::new(),
            shadows: Vec::new(),
            shadowed_by: None,
            needs: Vec::new(),
            missing_skills: Vec::new(),
            findings: Vec::new(),
            difference: Vec::new(),
            by_hand: Vec::new(),
            kept: Vec::new(),
            not_kept: Vec::new(),
            displaces_repository: false,
            conflicts: Vec::new(),
            remedy: None,
            unmerged: None,
            copy: None,
            prepared: None,
            trashed: None,
            present: None,
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

    /// Names the way to take the refused skill all the same.
    pub(crate) fn remedy(mut self, remedy: Remedy) -> Self {
        self.remedy = Some(remedy);
        self
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
