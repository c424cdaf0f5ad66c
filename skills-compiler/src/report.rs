//! A bundle in figures.

use crate::model::{BundleModel, FileModel, SkillModel};
use serde::Serialize;

/// What a bundle holds and how large it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// `sha256:…` of the bundle.
    pub digest: String,
    /// Bytes of all files.
    pub size: u64,
    /// Characters that the catalog text may have, where `skills.toml` says so.
    pub budget: Option<usize>,
    /// In order of names.
    pub skills: Vec<ReportedSkill>,
}

/// One skill of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ReportedSkill {
    /// What it answers to.
    pub name: String,
    /// Its folder relative to the bundle's.
    pub dir: String,
    /// `sha256:…` of the skill.
    pub digest: String,
    /// Bytes of all its files.
    pub size: u64,
    /// Estimated tokens of its body.
    pub tokens: usize,
    /// Whether no folder's skill may shadow it.
    pub sealed: bool,
    /// The `SKILL.md`, then the others in order.
    pub files: Vec<ReportedFile>,
}

/// One file of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ReportedFile {
    /// Relative to the skill's folder.
    pub path: String,
    /// Bytes.
    pub size: usize,
    /// `sha256:…` of its content.
    pub sha256: String,
}

impl Report {
    /// The report of a bundle.
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
