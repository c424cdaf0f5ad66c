//! `skills inspect state`: prints the files of the disabled skills, of trust and of the schedules, and resets
//! damaged files.

use crate::catalog::options::CatalogOptions;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, FormatOption, counted, one_line};
use clap::Args;
use serde::Serialize;
use skills_format::{RuleId, command, prose};
use skills_runtime::Catalog;
use skills_store::{Error, Stored};
use std::io::Write as _;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  skills inspect state\n  skills inspect state --reset")]
pub(crate) struct StateCommand {
    /// Move each unreadable file aside, and print the skills that are enabled by it
    #[arg(long)]
    reset: bool,
    #[command(flatten)]
    format: FormatOption,
    #[command(flatten)]
    pub(crate) catalog: CatalogOptions,
}

/// `inspect state --format json`
#[derive(Serialize)]
struct StateDocument {
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
    moved: Vec<Moved>,
    /// The ids of the skills that were off and are on now.
    enabled: Vec<String>,
}

#[derive(Serialize)]
struct Moved {
    from: PathBuf,
    to: PathBuf,
}

impl StateCommand {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        if self.reset {
            self.reset(cx)
        } else {
            self.show(cx)
        }
    }

    fn show(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let state = self.catalog.state_file(cx.env)?;
        let trust = self.catalog.trust_file(cx.env)?;
        let failed = |error: Error| self.catalog.unwritten(&error);
        let stored = state.read().map_err(failed)?;
        let mut files = vec![
            StateFileJson::new(state.path(), &stored, cx.env),
            StateFileJson::new(trust.path(), &trust.read().map_err(failed)?, cx.env),
        ];
        if let Some(schedules) = self.catalog.schedule_file(cx.env) {
            let stored = schedules.read().map_err(failed)?;
            files.push(StateFileJson::new(schedules.path(), &stored, cx.env));
        }
        let document = StateDocument {
            files,
            disabled: stored.value.ids.iter().cloned().collect(),
        };
        cx.emit(&document, StateDocument::print)?;
        Ok(Outcome::of(
            document.files.iter().any(StateFileJson::is_unreadable),
        ))
    }

    fn reset(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let state = self.catalog.state_file(cx.env)?;
        let trust = self.catalog.trust_file(cx.env)?;
        // Before the reset: the report names the skills that a damaged file had turned off.
        let before = self.catalog.load(cx.env)?.catalog;
        let failed = |error: Error| self.catalog.unwritten(&error);
        let mut moved = Vec::new();
        let mut files = vec![
            (state.path().to_owned(), state.reset().map_err(failed)?),
            (trust.path().to_owned(), trust.reset().map_err(failed)?),
        ];
        if let Some(schedules) = self.catalog.schedule_file(cx.env) {
            let to = schedules.reset().map_err(failed)?;
            files.push((schedules.path().to_owned(), to));
        }
        for (from, to) in files {
            moved.extend(to.map(|to| Moved { from, to }));
        }
        let now = self.catalog.switched_off(cx.env, &mut Vec::new())?;
        let document = ResetDocument {
            enabled: on_again(&before, &before.with_disabled(now)),
            moved,
        };
        if cx.is_json {
            cx.json(&document.documented(cx.env))?;
        } else {
            document.print(state.path(), cx)?;
        }
        Ok(Outcome::Done)
    }
}

impl StateDocument {
    fn print(&self, cx: &mut Ctx) -> Result<(), Failure> {
        for file in &self.files {
            let path = one_line(&cx.env.shown(Path::new(&file.path)));
            let condition = match (&file.message, file.condition) {
                (Some(message), _) => one_line(message),
                (None, Condition::Missing) => "missing".to_owned(),
                (None, _) => "in order".to_owned(),
            };
            writeln!(cx, "{path}: {condition}")?;
        }
        if !self.disabled.is_empty() {
            let ids = one_line(&self.disabled.join(", "));
            writeln!(cx, "disabled: {ids}")?;
        }
        Ok(())
    }
}

impl StateFileJson {
    fn new<T>(path: &Path, stored: &Stored<T>, env: &Environment) -> Self {
        let found = stored.diagnostics.first();
        Self {
            path: env.documented(path),
            condition: match found {
                Some(found) if found.is(RuleId::StateNewer) => Condition::Newer,
                Some(_) => Condition::Damaged,
                None if path.exists() => Condition::Whole,
                None => Condition::Missing,
            },
            message: found.map(|found| found.message.to_string()),
        }
    }

    fn is_unreadable(&self) -> bool {
        matches!(self.condition, Condition::Damaged | Condition::Newer)
    }
}

impl ResetDocument {
    fn documented(mut self, env: &Environment) -> Self {
        for Moved { from, to } in &mut self.moved {
            for path in [from, to] {
                *path = env.documented(path).into();
            }
        }
        self
    }

    fn print(&self, state: &Path, cx: &mut Ctx) -> Result<(), Failure> {
        if self.moved.is_empty() {
            writeln!(cx, "nothing to reset: all files are missing or in order")?;
        }
        for Moved { from, to } in &self.moved {
            let shown = |path: &Path| one_line(&cx.env.shown(path));
            writeln!(cx, "moved {} to {}", shown(from), shown(to))?;
            if from
                .file_name()
                .is_some_and(|name| name == "schedules.json")
            {
                cx.note(prose!(
                    "there are no schedules; `skills schedule` lists the skills that had one"
                ));
            } else if from != state {
                cx.note(prose!(
                    "no skill that needs trust is trusted; `skills trust` lists them"
                ));
            } else if let Some(first) = self.enabled.first() {
                let skills = counted(self.enabled.len(), "skill");
                writeln!(cx, "{skills} on again: {}", self.enabled.join(", "))?;
                cx.note(prose!(
                    "{} can hold the ids that were disabled; {} disables a skill again",
                    shown(to),
                    command("disable").word(first)
                ));
            }
        }
        Ok(())
    }
}

/// Returns the ids of the skills that are enabled only in the second catalog, in its order.
fn on_again(before: &Catalog, now: &Catalog) -> Vec<String> {
    let both = before.iter().zip(now.iter());
    let on = both.filter(|(before, now)| !before.is_enabled() && now.is_enabled());
    on.map(|(_, now)| one_line(&now.id())).collect()
}
