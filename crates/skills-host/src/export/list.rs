//! The skills of a program as a document, for `list --format json`.

use crate::export::program::Program;
use serde::Serialize;
use skills_runtime::SkillRef;
use skills_runtime::bundle::BundledFile;
use skills_store::{Error, ErrorKind};

/// The document. The fields of its skills are the fields of `skills inspect bundle --format json` that a program knows.
#[derive(Serialize)]
struct Document {
    schema: u32,
    program: ProgramJson,
    digest: String,
    size: usize,
    budget: Option<u32>,
    skills: Vec<SkillJson>,
}

#[derive(Serialize)]
struct ProgramJson {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct SkillJson {
    name: &'static str,
    description: &'static str,
    when_to_use: Option<&'static str>,
    license: Option<&'static str>,
    digest: String,
    size: usize,
    tokens: u32,
    sealed: bool,
    files: Vec<FileJson>,
}

#[derive(Serialize)]
struct FileJson {
    path: &'static str,
    size: usize,
}

/// Renders the document.
pub(crate) fn list_document(program: &Program) -> Result<String, Error> {
    let skills: Vec<SkillJson> = program.skills.iter().map(SkillJson::new).collect();
    let document = Document {
        schema: 1,
        program: ProgramJson {
            name: program.name,
            version: program.version,
        },
        digest: program.skills.digest().to_string(),
        size: skills.iter().map(|skill| skill.size).sum(),
        budget: program.skills.budget(),
        skills,
    };
    serde_json::to_string_pretty(&document).map_err(|error| {
        Error::new(
            ErrorKind::Io,
            format!("the list cannot be written: {error}"),
        )
    })
}

impl SkillJson {
    fn new(skill: SkillRef) -> Self {
        let files: Vec<FileJson> = skill
            .files()
            .map(|BundledFile { path, bytes, .. }| FileJson {
                path,
                size: bytes.len(),
            })
            .collect();
        Self {
            name: skill.name(),
            description: skill.description(),
            when_to_use: skill.fields().when_to_use.as_deref(),
            license: skill.fields().license.as_deref(),
            digest: skill.digest().to_string(),
            size: files.iter().map(|file| file.size).sum(),
            tokens: skill.tokens(),
            sealed: skill.sealed(),
            files,
        }
    }
}
