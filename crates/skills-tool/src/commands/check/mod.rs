//! `skills check`: every problem of skills, with its place and its fix.

// `check` includes the lock if `skills.toml` says `locked`.

mod baseline;
pub(crate) mod findings;
pub(crate) mod read;

use crate::commands::check::findings::{CheckFormat, Findings};
use crate::commands::check::read::Check;
use crate::outcome::{Failure, Outcome};
use crate::output::Ctx;
use skills_repository::repository::{Repository, Settings, Start};

impl Check {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let mut settings = Settings::default();
        settings.levels = self.levels.rules()?;
        settings.has_strict_warnings = self.levels.has_strict_warnings();
        settings.clients.clone_from(&self.client);
        let starts = self.starts(cx.env)?;
        if self.diff {
            for repository in open(starts, &settings)? {
                self.show_fixes(&repository, cx)?;
            }
            return Ok(Outcome::Done);
        }
        let mut findings = Findings::new(cx.env.working_folder.clone());
        let mut failures = Vec::new();
        // Before the check, which then reports only the findings that remain. A fix can create files, so the folders are
        // opened again afterwards.
        if self.fix {
            for repository in open(starts.clone(), &settings)? {
                for bundle in &repository.bundles {
                    failures.extend(self.fix(&repository, bundle, &mut findings));
                }
            }
        }
        for repository in open(starts, &settings)? {
            read::check(&repository, &settings.levels, cx.env, &mut findings);
            findings.keep(repository);
        }
        findings.sort();
        if let Some(path) = &self.baseline {
            baseline::apply(path, &mut findings, cx)?;
        }
        findings.print(self.format, cx)?;
        if !matches!(self.format, CheckFormat::Json | CheckFormat::Sarif) {
            findings.report(cx);
        }
        if let Some(last) = failures.pop() {
            for failure in &failures {
                cx.failure(failure);
            }
            return Err(last);
        }
        Ok(Outcome::of(findings.has_errors()))
    }
}

fn open(starts: Vec<Start>, settings: &Settings) -> Result<Vec<Repository>, Failure> {
    let open = |start: Start| {
        let shown = start.on_disk.clone();
        Repository::open(start, settings).map_err(|error| read::cannot(&shown, &error))
    };
    starts.into_iter().map(open).collect()
}
