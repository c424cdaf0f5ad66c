//! A skill of a source, parsed and checked.

use crate::files::snapshot::{FileBytes, Snapshot};
use crate::git::observer::Observer;
use crate::install::plan::{LeftOut, PlannedSkill};
use crate::install::tree::SourceTree;
use crate::lock::snapshot_powers;
use serde::Serialize;
use serde_json::Value;
use skills_format::{
    Diagnostic, Digest, FileKind, OpenAiFile, RuleId, SKILL_FILE, Severity, Skill, SkillFile, Tree,
    TreeFile,
};
use skills_lint::{Config, Scope, check_bundle};
use skills_repository::{Locked, Provenance};
use skills_store::Error;

/// A skill in a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Offered {
    /// The name, or the name of the folder if the `SKILL.md` has no valid name.
    pub name: String,
    /// The description.
    pub description: String,
    /// The folder in the source; empty if the root of the source is the skill.
    pub path: String,
    /// True if `metadata.internal` is true: the author keeps the skill for work on the source itself.
    #[serde(skip)]
    pub(crate) is_internal: bool,
}

/// A skill of a source, with its files and findings.
pub(crate) struct Candidate {
    /// `None` if the name or the description is unreadable.
    pub(crate) skill: Option<Skill>,
    pub(crate) snapshot: Snapshot,
    pub(crate) left_out: Vec<LeftOut>,
    pub(crate) findings: Vec<Diagnostic>,
    /// The digest of the archive that was fetched.
    archive: Option<Digest>,
}

impl Offered {
    /// Returns the skills in folders of a source, sorted by name.
    pub(crate) fn all(
        tree: &SourceTree<'_>,
        folders: &[String],
        observer: &dyn Observer,
    ) -> Result<Vec<Self>, Error> {
        let texts = tree.entries(folders, observer)?;
        let mut all: Vec<Self> = folders
            .iter()
            .zip(texts)
            .map(|(path, bytes)| Self::of(path.clone(), &bytes))
            .collect();
        all.sort_by(|a, b| (&a.name, &a.path).cmp(&(&b.name, &b.path)));
        Ok(all)
    }

    /// Returns a skill that is known by its name and its folder.
    pub(crate) fn named(name: &str, path: &str) -> Self {
        Self {
            name: name.to_owned(),
            description: String::new(),
            path: path.to_owned(),
            is_internal: false,
        }
    }

    fn of(path: String, bytes: &[u8]) -> Self {
        let folder = last(&path).to_owned();
        let skill = SkillFile::read(SKILL_FILE, folder.as_str(), bytes)
            .lenient()
            .0;
        let is_internal = skill.as_ref().is_some_and(is_internal);
        let (name, description) = match skill {
            Some(skill) => (skill.name.into_string(), skill.description),
            None => (folder, String::new()),
        };
        Self {
            name,
            description,
            path,
            is_internal,
        }
    }
}

impl Candidate {
    /// Reads a skill and runs every rule over it. Configuration in the source is ignored.
    pub(crate) fn read(
        tree: &SourceTree<'_>,
        offered: &Offered,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let (snapshot, left_out) = tree.skill(&offered.path, observer)?;
        // The source's root has no folder name that could differ from the skill's name.
        let folder = match last(&offered.path) {
            "" => offered.name.as_str(),
            folder => folder,
        };
        let (skill, findings) = checked(&snapshot, folder);
        Ok(Self {
            skill,
            snapshot,
            left_out,
            findings,
            archive: tree.archive,
        })
    }

    /// Returns the lock entry of the skill.
    pub(crate) fn locked(&self, from: Provenance) -> Locked {
        Locked::new(self.snapshot.digest(), self.snapshot.size())
            .with_powers(&snapshot_powers(&self.snapshot))
            .from(from)
    }

    /// Describes the skill for the user's decision. No action is planned yet.
    pub(crate) fn planned(&self, name: &str, locked: &Locked) -> PlannedSkill {
        let mut planned = PlannedSkill::new(name, Some(locked));
        planned.describe(&self.snapshot, self.skill.as_ref());
        planned.left_out.clone_from(&self.left_out);
        planned.findings.clone_from(&self.findings);
        planned.archive = self.archive.map(|digest| digest.to_string());
        planned
    }

    /// Returns the first error in words; `None` without one.
    pub(crate) fn error(&self) -> Option<String> {
        let mut errors = self.findings.iter();
        let first = errors.find(|found| found.severity == Severity::Error)?;
        Some(format!(
            "an error: {} at {}:{}",
            first.rule, first.path, first.start
        ))
    }
}

/// Returns the skill, read leniently, and the findings of a strict check. A file such as `skill.md` is an error, and its text is
/// checked all the same.
pub fn checked(snapshot: &Snapshot, folder: &str) -> (Option<Skill>, Vec<Diagnostic>) {
    let tree = tree_of(snapshot, folder);
    let skill = snapshot.skill_file().and_then(|(name, file)| {
        let path = format!("{folder}/{name}");
        let file = SkillFile::read(&*path, folder, &file.bytes);
        let openai = OpenAiFile::of_tree("", folder, &tree.files);
        file.with_openai(openai).lenient().0
    });
    let mut found = check_bundle(None, "", &tree, &Config::default(), Scope::default()).diagnostics;
    Diagnostic::sort(&mut found);
    found.retain(|found| skill.is_none() || !found.is(RuleId::BundleEmpty));
    (skill, found)
}

fn is_internal(skill: &Skill) -> bool {
    let fields: Option<Value> = serde_json::from_str(&skill.front_matter_values()).ok();
    // The specification has texts alone in `metadata`; npx skills, which defines the key, reads a boolean.
    let value = fields
        .as_ref()
        .and_then(|fields| fields.pointer("/metadata/internal"));
    value.is_some_and(|value| *value == true || *value == "true")
}

fn tree_of(snapshot: &Snapshot, folder: &str) -> Tree {
    let file = |(path, file): (&str, &FileBytes)| TreeFile {
        path: format!("{folder}/{path}"),
        utf8: true,
        kind: FileKind::Regular,
        size: file.bytes.len() as u64,
        bytes: Some(file.bytes.to_vec()),
    };
    let mut files: Vec<TreeFile> = snapshot.files().map(file).collect();
    files.sort_by(|a, b| a.path.as_bytes().cmp(b.path.as_bytes()));
    Tree {
        files,
        faults: Vec::new(),
    }
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}
