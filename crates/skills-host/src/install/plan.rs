//! What an operation would do, as data: shown to a person, printed as JSON, applied as it is.

use crate::install::difference::FileDifference;
use serde::{Serialize, Serializer};
use skills_compiler::Locked;
use skills_format::text::path::PathText as _;
use skills_format::{Diagnostic, Digest, TRIGGERS_FILE};
use skills_store::files::snapshot::{FileBytes, Snapshot};
use skills_store::files::trash::Trashed;
use skills_store::{Error, ErrorKind};
use std::path::{Path, PathBuf};

/// What would be done to the skills of a folder.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Plan {
    /// Names exactly this plan: with other skills, digests or actions it is another.
    pub id: String,
    /// The folder of skills.
    #[serde(serialize_with = "shown")]
    pub target: PathBuf,
    /// One entry for each skill, in the order of names.
    pub skills: Vec<PlannedSkill>,
    /// What the trash says of replaced folders.
    #[serde(skip)]
    pub(crate) why: &'static str,
}

/// What would be done to one skill.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct PlannedSkill {
    /// Its name, which is that of its folder.
    pub name: String,
    /// What it does.
    pub description: String,
    /// What would be done.
    pub action: Action,
    /// Why it is refused or left as it is.
    pub reason: Option<String>,
    /// What to do about a refusal.
    pub help: Option<String>,
    /// Something to know beside it, as that a newer tag exists.
    pub note: Option<String>,
    /// Where it comes from, as in the lock.
    pub source: Option<String>,
    /// Its folder in the source.
    pub path: Option<String>,
    /// The revision that was asked for.
    pub requested: Option<String>,
    /// The commit that the revision is.
    pub commit: Option<String>,
    /// The digest of its files.
    pub digest: Option<String>,
    /// Bytes of its files.
    pub size: u64,
    /// Its files, in the order of their paths.
    pub files: Vec<PlannedFile>,
    /// Files of the source's folder that are not part of the skill, and are not installed.
    pub left_out: Vec<LeftOut>,
    /// Those of its files that look like programs.
    pub scripts: Vec<String>,
    /// Whether its front matter has `hooks`, which a host may run.
    pub hooks: bool,
    /// The tool that its slash command calls without a model turn.
    pub command_tool: Option<String>,
    /// The tools that it asks for.
    pub allowed_tools: Vec<String>,
    /// Skills of other folders with its name: which shadows which. The program fills it in.
    pub shadows: Vec<String>,
    /// What a strict check found.
    pub findings: Vec<Diagnostic>,
    /// What would change in the folder.
    pub difference: Vec<FileDifference>,
    /// What was changed by hand since it was installed.
    pub by_hand: Vec<FileDifference>,
    /// Files that a person added, or changed while the source removed them: they are kept.
    pub kept: Vec<String>,
    #[serde(skip)]
    pub(crate) prepared: Option<Box<Prepared>>,
    /// What is restored.
    #[serde(skip)]
    pub(crate) trashed: Option<Trashed>,
}

/// What is done to a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Action {
    /// It is not there, and is put there.
    Install,
    /// The new version takes the place of the installed one.
    Update,
    /// What changed upstream is brought into what was changed by hand.
    Merge,
    /// What stands there goes to the trash.
    Replace,
    /// It comes back from the trash.
    Restore,
    /// It stays, and its source is written into the lock.
    Adopt,
    /// Nothing is to do.
    Current,
    /// It is taken away.
    Remove,
    /// It cannot be done without losing something, or is not safe.
    Refuse,
}

/// A file of a skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PlannedFile {
    /// Relative to the skill's folder.
    pub path: String,
    /// Its length in bytes.
    pub size: u64,
    /// Whether it has a run bit.
    pub executable: bool,
}

/// A file of a source that is not part of the skill. The digest does not cover it: it could change between the
/// look of a person and the next install, and no lock would say so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LeftOut {
    /// Relative to the skill's folder.
    pub path: String,
    /// Why it is not part of the skill.
    pub reason: &'static str,
}

impl LeftOut {
    /// A path for which [`is_no_part`](skills_format::is_no_part) holds.
    pub(crate) fn new(path: &str) -> Self {
        let reason = if path == TRIGGERS_FILE {
            "it tests when the skill is chosen, and is not part of it"
        } else {
            "an editor or a desktop left it behind"
        };
        let path = path.to_owned();
        Self { path, reason }
    }
}

/// What is needed to do it.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    /// The skill as the source has it: what the store keeps, and the lock names.
    pub(crate) upstream: Snapshot,
    /// The folder as it will be.
    pub(crate) result: Snapshot,
    /// The folder as it is.
    pub(crate) before: Option<Snapshot>,
    pub(crate) locked: Locked,
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
        })
    }

    /// The skills to which something would be done.
    pub fn changes(&self) -> impl Iterator<Item = &PlannedSkill> {
        self.skills.iter().filter(|skill| skill.action.changes())
    }

    /// The skills that are refused.
    pub fn refused(&self) -> impl Iterator<Item = &PlannedSkill> {
        let is_refused = |skill: &&PlannedSkill| skill.action == Action::Refuse;
        self.skills.iter().filter(is_refused)
    }
}

/// The beginning of a digest over all of a plan. The bytes of the folder's path count, UTF-8 or not: an id that
/// did not depend on the plan would approve any.
fn id(target: &Path, skills: &[PlannedSkill], why: &str) -> Result<String, Error> {
    const LENGTH: usize = 12;
    let skills = serde_json::to_vec(skills).map_err(|error| {
        let message = format!("the plan cannot be written as JSON: {error}");
        Error::new(ErrorKind::NotUtf8, message).help("rename the files that the plan would name")
    })?;
    let target = target.as_os_str().as_encoded_bytes();
    let parts = [
        ("target", target),
        ("skills", &skills),
        ("why", why.as_bytes()),
    ];
    let parts = parts.map(|(name, bytes)| (name, bytes.len() as u64, Digest::of(bytes)));
    let digest = Digest::of_files(parts).to_string();
    let digits = digest.chars().skip("sha256:".len());
    Ok(digits.take(LENGTH).collect())
}

/// As a person reads it: JSON has no bytes that are not UTF-8.
fn shown<S: Serializer>(path: &Path, json: S) -> Result<S::Ok, S::Error> {
    json.serialize_str(&path.shown())
}

impl Action {
    /// Whether something is written.
    pub fn changes(self) -> bool {
        !matches!(self, Self::Current | Self::Refuse)
    }
}

impl PlannedSkill {
    /// A skill to which nothing is done yet.
    pub(crate) fn new(name: &str, locked: Option<&Locked>) -> Self {
        let from = locked.and_then(|locked| locked.provenance.clone());
        let from = from.unwrap_or_default();
        Self {
            name: name.to_owned(),
            description: String::new(),
            action: Action::Current,
            reason: None,
            help: None,
            note: None,
            source: Some(from.shown_source().into_owned()).filter(|source| !source.is_empty()),
            path: from.path,
            requested: from.requested,
            commit: from.commit,
            digest: locked.map(|locked| locked.digest.to_string()),
            size: locked.map_or(0, |locked| locked.size),
            files: Vec::new(),
            left_out: Vec::new(),
            scripts: Vec::new(),
            hooks: false,
            command_tool: None,
            allowed_tools: Vec::new(),
            shadows: Vec::new(),
            findings: Vec::new(),
            difference: Vec::new(),
            by_hand: Vec::new(),
            kept: Vec::new(),
            prepared: None,
            trashed: None,
        }
    }

    /// The same skill, refused.
    pub(crate) fn refuse(mut self, reason: impl Into<String>, help: impl Into<String>) -> Self {
        self.action = Action::Refuse;
        self.reason = Some(reason.into());
        self.help = Some(help.into());
        self.prepared = None;
        self
    }

    /// The same skill, refused since an operation failed.
    pub(crate) fn failed(self, error: &Error) -> Self {
        let help = error.remedy().unwrap_or("run the same command again");
        self.refuse(format!("{error:#}"), help)
    }

    /// Fills in what a person decides by.
    pub(crate) fn describe(&mut self, snapshot: &Snapshot, skill: Option<&skills_format::Skill>) {
        self.files = snapshot
            .files()
            .map(|(path, file)| PlannedFile {
                path: path.to_owned(),
                size: file.bytes.len() as u64,
                executable: file.executable,
            })
            .collect();
        self.scripts = snapshot
            .files()
            .filter(|(path, file)| is_script(path, file))
            .map(|(path, _)| path.to_owned())
            .collect();
        let Some(skill) = skill else {
            return;
        };
        self.description.clone_from(&skill.description);
        self.command_tool = skill.fields.command_tool.as_ref().map(ToString::to_string);
        let tools = skill.fields.allowed_tools.iter();
        self.allowed_tools = tools.map(ToString::to_string).collect();
        let front: Option<serde_json::Map<String, serde_json::Value>> =
            serde_json::from_str(&skill.front_matter.texts()).ok();
        self.hooks = front.is_some_and(|front| front.contains_key("hooks"));
    }
}

/// Whether a file is there to be run.
pub(crate) fn is_script(path: &str, file: &FileBytes) -> bool {
    file.executable || path.starts_with("scripts/") || file.bytes.starts_with(b"#!")
}
