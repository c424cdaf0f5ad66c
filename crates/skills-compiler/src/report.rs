//! The sizes and digests of a bundle.

use crate::model::{BundleModel, FileModel, SkillModel};

/// The content of a bundle and its sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Report {
    /// The digest of the bundle: `sha256:…`.
    pub digest: String,
    /// The bytes of all files.
    pub size: u64,
    /// The maximum characters of the catalog text, if `skills.toml` sets a budget.
    pub budget: Option<usize>,
    /// The skills, in order of names.
    pub skills: Vec<ReportedSkill>,
}

/// One skill of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ReportedSkill {
    /// The name of the skill.
    pub name: String,
    /// The description.
    pub description: String,
    /// The licence, as the front matter states it.
    pub license: Option<String>,
    /// The folder, relative to the folder of the bundle.
    pub dir: String,
    /// The digest of the skill: `sha256:…`.
    pub digest: String,
    /// The bytes of all files of the skill.
    pub size: u64,
    /// The estimated tokens of the body.
    pub tokens: usize,
    /// True if the skill is sealed: a skill of a folder cannot shadow it.
    pub sealed: bool,
    /// The files: the `SKILL.md`, then the other files in order.
    pub files: Vec<ReportedFile>,
}

/// One file of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ReportedFile {
    /// The path, relative to the folder of the skill.
    pub path: String,
    /// The size in bytes.
    pub size: usize,
    /// The digest of the content: `sha256:…`.
    pub sha256: String,
}

impl Report {
    /// Creates the report of a bundle.
    pub fn of(model: &BundleModel<'_>) -> Self {
        Self {
            digest: model.digest.to_string(),
            size: model.size(),
            budget: model.budget,
            skills: model.skills.iter().map(ReportedSkill::of).collect(),
        }
    }
}

impl ReportedSkill {
    fn of(model: &SkillModel<'_>) -> Self {
        Self {
            name: model.skill.name.to_string(),
            description: model.skill.description.clone(),
            license: model.skill.fields.license.as_deref().map(str::to_owned),
            dir: model.dir.to_owned(),
            digest: model.digest.to_string(),
            size: model.size(),
            tokens: model.tokens(),
            sealed: model.sealed,
            files: model.files.iter().map(ReportedFile::of).collect(),
        }
    }
}

impl ReportedFile {
    fn of(model: &FileModel<'_>) -> Self {
        Self {
            path: model.path.to_owned(),
            size: model.bytes.len(),
            sha256: model.digest.to_string(),
        }
    }
}
