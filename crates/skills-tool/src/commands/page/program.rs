//! The skills in a program, from the program's own list.

use crate::commands::install::session::Watcher;
use crate::commands::supervisor::agent;
use crate::outcome::Failure;
use serde::Deserialize;
use skills_host::git::Observer as _;
use skills_repository::page::{Page, PageBundle, PageSkill, Subject};
use std::time::Duration;

/// The arguments with which a program lists its skills.
const WORDS: &str = "skills list --format json";
/// The maximum time for a program to list its skills.
const LIMIT: Duration = Duration::from_secs(30);
/// The maximum number of bytes of a list.
const MOST: usize = 64 * 1024 * 1024;

/// `PROGRAM skills list --format json`. Only the names are required; a missing field is unknown.
#[derive(Deserialize)]
struct PageProgramDocument {
    schema: u32,
    program: Option<ProgramJson>,
    skills: Vec<PageSkillJson>,
}

#[derive(Deserialize)]
struct ProgramJson {
    name: String,
    version: Option<String>,
}

#[derive(Deserialize)]
struct PageSkillJson {
    name: String,
    #[serde(default)]
    description: String,
    when_to_use: Option<String>,
    tokens: Option<usize>,
    files: Option<Vec<PageFileJson>>,
}

#[derive(Deserialize)]
struct PageFileJson {
    size: u64,
}

/// Runs a program to list its skills, and builds the page.
pub(super) fn page(command: &str) -> Result<Page, Failure> {
    let program = agent(&format!("{command} {WORDS}"))?;
    let watcher = Watcher::new();
    let is_stopped = || watcher.is_cancelled();
    let text = program.printed(MOST, LIMIT, &is_stopped)?;
    let document: PageProgramDocument = serde_json::from_str(&text).map_err(|error| {
        let fact = format!("`{command} {WORDS}` did not print a list of skills: {error}");
        Failure::failed(
            fact,
            "the program needs the subcommand `skills` of the crate skills-host",
        )
    })?;
    if document.schema != 1 {
        let fact = format!(
            "the list of `{command}` has version {} of its format",
            document.schema
        );
        return Err(Failure::failed(
            fact,
            "use the version of `skills` that knows it",
        ));
    }
    Ok(of_document(document, command))
}

fn of_document(document: PageProgramDocument, command: &str) -> Page {
    let name = document.program.map_or_else(
        || command.to_owned(),
        |ProgramJson { name, version }| match version {
            Some(version) => format!("{name} {version}"),
            None => name,
        },
    );
    let mut bundle = PageBundle::new(&*name);
    bundle.skills = document.skills.into_iter().map(skill).collect();
    bundle.skills.sort_by(|a, b| a.name.cmp(&b.name));
    let mut page = Page::new(Subject::Program(name));
    if !bundle.skills.is_empty() {
        page.bundles.push(bundle);
    }
    page
}

fn skill(listed: PageSkillJson) -> PageSkill {
    let mut skill = PageSkill::new(listed.name, listed.description);
    skill.when_to_use = listed.when_to_use.unwrap_or_default();
    skill.tokens = listed.tokens;
    let files = listed.files;
    skill.files = files.map(|files| (files.len(), files.iter().map(|file| file.size).sum()));
    skill
}
