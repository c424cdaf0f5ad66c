//! `skills inspect state`: the files of the disabled skills, of trust and of the schedules, and their reset.

use crate::catalog::options::CatalogOptions;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output, one_line};
use clap::Args;
use serde::Serialize;
use skills_format::RuleId;
use skills_store::Stored;
use std::io::Write as _;
use std::path::Path;

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  skills inspect state\n  skills inspect state --reset")]
pub(crate) struct StateCommand {
    /// Move each unreadable file aside: its skills are enabled, and none of a project is trusted
    #[arg(long)]
    reset: bool,
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    pub(crate) catalog: CatalogOptions,
}

/// `inspect state --format json`
#[derive(Serialize)]
struct StateDocument {
    schema: u32,
    /// The file of the disabled skills, the file of trust, and the file of the schedules.
    files: Vec<StateFileJson>,
    /// The ids that are disabled.
    disabled: Vec<String>,
}

#[derive(Serialize)]
struct StateFileJson {
    path: String,
    condition: Condition,
    /// The fault of the file; null for a file without a fault.
    message: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Condition {
    Missing,
    Whole,
    Damaged,
    Newer,
}

/// `inspect state --reset --format json`
#[derive(Serialize)]
struct ResetDocument {
    schema: u32,
    moved: Vec<Moved>,
}

#[derive(Serialize)]
struct Moved {
    from: String,
    to: String,
}

impl StateCommand {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        if self.reset {
            self.reset(environment, output)
        } else {
            self.show(environment, output)
        }
    }

    fn show(&self, environment: &Environment, output: &mut Output) -> Result<Outcome, Failure> {
        let state = self.catalog.state_file(environment)?;
        let trust = self.catalog.trust_file(environment)?;
        let failed = |error| self.catalog.unwritten(&error);
        let stored = state.read().map_err(failed)?;
        let mut files = vec![
            StateFileJson::new(state.path(), &stored, environment),
            StateFileJson::new(trust.path(), &trust.read().map_err(failed)?, environment),
        ];
        if let Some(schedules) = self.catalog.schedule_file(environment) {
            let stored = schedules.read().map_err(failed)?;
            files.push(StateFileJson::new(schedules.path(), &stored, environment));
        }
        let document = StateDocument {
            schema: 1,
            files,
            disabled: stored.value.disabled().map(str::to_owned).collect(),
        };
        match self.format {
            Format::Json => output.json(&document)?,
            Format::Text => document.print(environment, output)?,
        }
        let is_unreadable = |file: &StateFileJson| file.message.is_some();
        Ok(if document.files.iter().any(is_unreadable) {
            Outcome::Findings
        } else {
            Outcome::Done
        })
    }

    fn reset(&self, environment: &Environment, output: &mut Output) -> Result<Outcome, Failure> {
        let state = self.catalog.state_file(environment)?;
        let trust = self.catalog.trust_file(environment)?;
        let failed = |error| self.catalog.unwritten(&error);
        let mut files = vec![
            (state.path().to_owned(), state.reset().map_err(failed)?),
            (trust.path().to_owned(), trust.reset().map_err(failed)?),
        ];
        if let Some(schedules) = self.catalog.schedule_file(environment) {
            let to = schedules.reset().map_err(failed)?;
            files.push((schedules.path().to_owned(), to));
        }
        let moved: Vec<Moved> = files
            .into_iter()
            .filter_map(|(from, to)| {
                Some(Moved {
                    from: environment.documented(&from),
                    to: environment.documented(&to?),
                })
            })
            .collect();
        match self.format {
            Format::Json => output.json(&ResetDocument { schema: 1, moved })?,
            Format::Text if moved.is_empty() => {
                writeln!(
                    output,
                    "nothing to reset: all files are missing or in order"
                )?;
            }
            Format::Text => {
                for Moved { from, to } in moved {
                    let [from, to] = [from, to].map(|path| environment.shown(Path::new(&path)));
                    writeln!(output, "moved {} to {}", one_line(&from), one_line(&to))?;
                }
            }
        }
        Ok(Outcome::Done)
    }
}

impl StateDocument {
    fn print(&self, environment: &Environment, output: &mut Output) -> Result<(), Failure> {
        for file in &self.files {
            let path = one_line(&environment.shown(Path::new(&file.path)));
            let condition = match (&file.message, file.condition) {
                (Some(message), _) => one_line(message),
                (None, Condition::Missing) => "missing".to_owned(),
                (None, _) => "in order".to_owned(),
            };
            writeln!(output, "{path}: {condition}")?;
        }
        if !self.disabled.is_empty() {
            let ids = one_line(&self.disabled.join(", "));
            writeln!(output, "disabled: {ids}")?;
        }
        Ok(())
    }
}

impl StateFileJson {
    fn new<T>(path: &Path, stored: &Stored<T>, environment: &Environment) -> Self {
        let found = stored.diagnostics.first();
        Self {
            path: environment.documented(path),
            condition: match found {
                Some(found) if found.is(RuleId::StateNewer) => Condition::Newer,
                Some(_) => Condition::Damaged,
                None if path.exists() => Condition::Whole,
                None => Condition::Missing,
            },
            message: found.map(|found| found.message.to_string()),
        }
    }
}
