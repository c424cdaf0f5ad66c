//! The sizes and digests of a bundle.

use serde::Serialize;
use skills_compiler::{BundleModel, FileModel, SkillModel};

/// The content of a bundle and its sizes.
#[derive(Serialize)]
pub(crate) struct Report {
    pub(crate) digest: String,
    pub(crate) size: u64,
    /// The maximum characters of the catalog text, if `skills.toml` sets a budget.
    pub(crate) budget: Option<usize>,
    /// The skills, in order of names.
    pub(crate) skills: Vec<ReportedSkill>,
}

/// One skill of a report.
#[derive(Serialize)]
pub(crate) struct ReportedSkill {
    pub(crate) name: String,
    pub(crate) description: String,
    /// The licence, as the front matter states it.
    pub(crate) license: Option<String>,
    pub(crate) dir: String,
    pub(crate) digest: String,
    pub(crate) size: u64,
    /// The estimated tokens of the body.
    pub(crate) tokens: usize,
    /// True if the skill is sealed: a skill of a folder cannot shadow it.
    pub(crate) sealed: bool,
    /// The files: the `SKILL.md`, then the other files in order.
    pub(crate) files: Vec<ReportedFile>,
}

/// One file of a report.
#[derive(Serialize)]
pub(crate) struct ReportedFile {
    pub(crate) path: String,
    pub(crate) size: usize,
    pub(crate) sha256: String,
}

impl Report {
    /// Creates the report of a bundle.
    pub(crate) fn of(model: &BundleModel<'_>) -> Self {
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
            sealed: model.skill.fields.sealed,
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
