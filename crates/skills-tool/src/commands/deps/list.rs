//! `skills deps list`: lists the skills of dependencies.

use crate::commands::deps::site::{DepsSite, Planned};
use crate::commands::install::session;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::table::Table;
use crate::output::{Format, Output, one_line};
use clap::Args;
use serde::Serialize;
use skills_host::deps::{DepsOptions, NotWritten};
use skills_host::install::{Action, CrateSource, PlannedSkill};

/// List the skills that the dependencies ship, and which of them are installed
///
/// A dependency is direct if a member of the workspace names it, for any kind, feature and platform.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  skills deps list\n  skills deps list --all --format json")]
pub(crate) struct DepsList {
    #[command(flatten)]
    site: DepsSite,
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    format: Format,
}

/// `deps list --format json`
#[derive(Serialize)]
struct DepsListDocument<'p> {
    schema: u32,
    /// The root of the workspace.
    workspace: String,
    /// The folder of skills.
    target: String,
    /// The number of dependencies that were searched.
    searched: usize,
    skills: Vec<DepsSkillJson<'p>>,
    not_written: &'p [NotWritten],
}

#[derive(Serialize)]
struct DepsSkillJson<'p> {
    name: &'p str,
    #[serde(rename = "crate")]
    krate: &'p str,
    version: &'p str,
    direct: bool,
    state: &'static str,
    reason: Option<&'p str>,
    description: &'p str,
    digest: Option<&'p str>,
}

impl DepsList {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let planned = session::run_for(environment, |session| {
            self.site.plan(DepsOptions::default(), session, environment)
        })?;
        let skills: Vec<DepsSkillJson<'_>> = planned
            .deps
            .plan
            .skills
            .iter()
            .map(|skill| DepsSkillJson::of(skill, &planned))
            .collect();
        match self.format {
            Format::Json => output.json(&DepsListDocument {
                schema: 1,
                workspace: environment.documented(&planned.workspace.root),
                target: environment.documented(&planned.target.folder),
                searched: planned.deps.searched,
                skills,
                not_written: &planned.deps.not_written,
            })?,
            Format::Text => self.print(&skills, &planned, output)?,
        }
        Ok(Outcome::Done)
    }

    fn print(
        &self,
        skills: &[DepsSkillJson<'_>],
        planned: &Planned,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let mut table = Table::new(["SKILL", "CRATE", "VERSION", "STATE"]);
        for skill in skills {
            let state = match skill.reason {
                Some(reason) => format!("{}: {}", words(skill.state), one_line(reason)),
                None => words(skill.state).to_owned(),
            };
            table.push([
                one_line(skill.name),
                one_line(skill.krate),
                one_line(skill.version),
                state,
            ]);
        }
        for left in &planned.deps.not_written {
            table.push([
                one_line(folder(left)),
                one_line(&left.krate),
                one_line(&left.version),
                format!("not written: {}", one_line(&left.reason)),
            ]);
        }
        if table.is_empty() {
            planned.note_nothing(self.site.is_all(), output);
            return Ok(());
        }
        table.print(output)
    }
}

impl<'p> DepsSkillJson<'p> {
    fn of(skill: &'p PlannedSkill, planned: &'p Planned) -> Self {
        let source = skill.source.as_deref().unwrap_or_default();
        let from = CrateSource::parse(source);
        let (krate, version) = from.map_or((source, ""), |from| (from.krate, from.version));
        let mut all = planned.workspace.dependencies.iter();
        let own = all.find(|own| own.name == krate && own.version.to_string() == version);
        Self {
            name: &skill.name,
            krate,
            version,
            direct: own.is_some_and(|own| own.is_direct),
            state: state(skill),
            reason: skill.reason.as_deref(),
            description: &skill.description,
            digest: skill.digest.as_deref(),
        }
    }
}

/// Returns the name of the folder of a skill that is not written: a name that was corrected is in no file of the crate.
fn folder(left: &NotWritten) -> &str {
    match left.name {
        Some(_) => left.path.rsplit('/').next().unwrap_or(&left.path),
        None => &left.path,
    }
}

/// Returns the state of a skill in the folder.
fn state(skill: &PlannedSkill) -> &'static str {
    match skill.action {
        Action::Current => "installed",
        Action::Leave => "kept",
        Action::Install => "missing",
        Action::Remove => "gone",
        Action::Refuse => "refused",
        _ => "outdated",
    }
}

/// Returns a state as a person reads it.
fn words(state: &'static str) -> &'static str {
    match state {
        "missing" => "not installed",
        "outdated" => "another version is installed",
        state => state,
    }
}
