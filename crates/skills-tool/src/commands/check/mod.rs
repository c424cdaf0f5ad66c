//! `skills check`: every problem of skills, with its place and its fix.

// `check` includes the lock if `skills.toml` says `locked`.

pub(crate) mod arguments;
mod baseline;
pub(crate) mod findings;
pub(crate) mod read;

use crate::commands::check::findings::{CheckFormat, Findings};
use crate::commands::check::read::named;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::Ctx;
use skills_format::text::path::PathText as _;
use skills_lint::render::quoted;
use skills_repository::repository::{Repository, Settings, Start};
use std::path::PathBuf;

pub(crate) use crate::commands::check::arguments::Check;

impl Check {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        if self.r#unsafe && !self.fix && !self.diff {
            return Err(Failure::failed(
                "--unsafe does nothing alone",
                "add --fix or --diff",
            ));
        }
        if self.fix && self.diff {
            return Err(Failure::failed(
                "--fix writes, and --diff writes nothing",
                "leave out --fix: --diff shows what --fix would write, and --diff --unsafe what --fix --unsafe would write",
            ));
        }
        self.once(cx)
    }

    /// Returns the paths to check: without arguments the working folder. A skill can be named by its name.
    fn paths(&self, env: &Environment) -> Vec<PathBuf> {
        match self.paths.as_slice() {
            [] => vec![PathBuf::from(".")],
            paths => {
                let paths = paths.iter().cloned();
                paths.map(|path| named(path, env)).collect()
            }
        }
    }

    fn once(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        if self.diff {
            for repository in open(self.starts(cx.env)?, &self.settings(cx.env)?)? {
                self.show_fixes(&repository, cx)?;
            }
            return Ok(Outcome::Done);
        }
        let found = self.find(cx.env)?;
        self.conclude(found, cx)
    }

    /// Checks the paths. Returns the findings, and the fixes that could not be written.
    fn find(&self, env: &Environment) -> Result<(Findings, Vec<Failure>), Failure> {
        let settings = self.settings(env)?;
        let starts = self.starts(env)?;
        let mut findings = Findings::new(self.arguments(), env.working_folder.clone());
        let mut failures = Vec::new();
        // Before the check, which then reports only the findings that remain. A fix can create files, so the folders are
        // opened again afterwards.
        if self.fix {
            for repository in open(starts.clone(), &settings)? {
                let bundles = repository.bundles.iter();
                failures.extend(
                    bundles.flat_map(|bundle| self.fix(&repository, bundle, &mut findings)),
                );
            }
        }
        for repository in open(starts, &settings)? {
            read::check(&repository, &self.levels, env, &mut findings);
            findings.keep(repository);
        }
        findings.sort();
        if let Some(path) = &self.baseline {
            findings.gone = baseline::apply(path, &mut findings, env)?;
        }
        Ok((findings, failures))
    }

    /// Prints the findings, and the fixes that could not be written.
    fn conclude(
        &self,
        (findings, mut failures): (Findings, Vec<Failure>),
        cx: &mut Ctx,
    ) -> Result<Outcome, Failure> {
        self.show(&findings, cx)?;
        if let Some(last) = failures.pop() {
            for failure in &failures {
                cx.failure(failure);
            }
            return Err(last);
        }
        Ok(Outcome::of(findings.has_errors()))
    }

    fn show(&self, findings: &Findings, cx: &mut Ctx) -> Result<(), Failure> {
        findings.print(self.format, cx)?;
        let is_document = matches!(self.format, CheckFormat::Json | CheckFormat::Sarif);
        if !self.quiet && !is_document {
            findings.report(cx);
        }
        Ok(())
    }

    fn settings(&self, env: &Environment) -> Result<Settings, Failure> {
        let mut settings = Settings::default();
        settings.levels = self.levels.rules()?;
        settings.has_strict_warnings = self.levels.has_strict_warnings();
        settings.clients.clone_from(&self.client);
        settings.ignores = !self.no_ignore;
        settings.config = match &self.config {
            Some(path) => Some(read::config(path, env)?),
            None => None,
        };
        Ok(settings)
    }

    /// Returns the words after `skills check --fix` in the help of findings: all of them, and the options alone.
    fn arguments(&self) -> (String, String) {
        let shown = |path: &PathBuf| quoted(&path.shown()).into_owned();
        let config = self
            .config
            .iter()
            .flat_map(|path| ["--config".to_owned(), shown(path)]);
        let paths = self.paths.iter().map(shown);
        let clients = self
            .client
            .iter()
            .flat_map(|name| ["--client".to_owned(), name.clone()]);
        let words = self.levels.words().into_iter().chain(clients).chain(config);
        let options: Vec<_> = words.collect();
        let all: Vec<_> = options.iter().cloned().chain(paths).collect();
        (all.join(" "), options.join(" "))
    }
}

fn open(starts: Vec<Start>, settings: &Settings) -> Result<Vec<Repository>, Failure> {
    let open = |start: Start| {
        let shown = start.on_disk.clone();
        Repository::open(start, settings).map_err(|error| read::cannot(&shown, &error))
    };
    starts.into_iter().map(open).collect()
}
