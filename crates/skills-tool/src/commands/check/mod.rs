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
use crate::output::{Ctx, counted};
use skills_clients::client::{self, Client, Folders};
use skills_format::text::path::PathText as _;
use skills_format::{command, prose};
use skills_lint::render::quoted;
use skills_repository::repository::{Repository, Settings, Start};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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
        let (findings, failures) = self.find(cx.env)?;
        self.report_ineffective(&findings, cx);
        if let Some(path) = &self.write_baseline {
            let known = baseline::write(path, &findings, cx.env)?;
            let known = counted(known, "finding");
            cx.note(prose!("{known} written to {}", path));
            return Ok(Outcome::Done);
        }
        self.conclude((findings, failures), cx)
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
            findings.unread.extend(self.unread(&repository, env));
            findings.keep(repository);
        }
        findings.sort();
        if let Some(path) = &self.baseline {
            findings.gone = baseline::apply(path, &mut findings, env)?;
        }
        Ok((findings, failures))
    }

    /// Reports a selected rule that is off.
    fn report_ineffective(&self, findings: &Findings, cx: &mut Ctx) {
        let is_found = |rule: &str| findings.has_rule(rule);
        for rule in self.levels.selected_off().filter(|rule| !is_found(rule)) {
            cx.warning(prose!(
                "`{rule}` is off by default: without a level in `skills.toml`, {} reports it",
                command("check --select")
                    .word(rule)
                    .word("--warn")
                    .word(rule)
            ));
        }
    }

    /// Returns the named clients that read no folder of skills in a project where another named client reads one. A folder
    /// such as `skills` is no folder of a project: its skills are installed.
    fn unread(&self, repository: &Repository, env: &Environment) -> BTreeSet<String> {
        let mut unread = BTreeSet::new();
        for bundle in repository.bundles.iter().filter(|bundle| bundle.skills > 0) {
            let names = match self.client.as_slice() {
                [] => bundle.config.clients.as_slice(),
                names => names,
            };
            let clients: Vec<&Client> = names
                .iter()
                .filter_map(|name| client::named(name))
                .collect();
            let folders = clients.iter().filter_map(|one| one.folders.as_ref());
            let there = folders
                .flat_map(Folders::in_project)
                .find(|folder| Path::new(&*bundle.path).ends_with(folder));
            let Some(there) = there else {
                continue;
            };
            let project = bundle.path.strip_suffix(there).unwrap_or_default();
            let folder = env.absolute(Path::new(project));
            // The folders of a person are no folders of a project.
            if env.home.as_ref() == Some(&folder) {
                continue;
            }
            let unread_by = |client: &&Client| unread_by(client, &folder, there, project);
            unread.extend(clients.iter().filter_map(unread_by));
        }
        unread
    }

    /// Prints the findings, and the fixes that could not be written.
    fn conclude(
        &self,
        (findings, mut failures): (Findings, Vec<Failure>),
        cx: &mut Ctx,
    ) -> Result<Outcome, Failure> {
        match self.show(&findings, cx) {
            // A closed output must not hide failed fixes and the exit code.
            Ok(()) | Err(Failure::ClosedPipe) => {}
            Err(failure) => return Err(failure),
        }
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

/// Says which folder of a project a client reads, if the project has none of them, and what helps: the folder `there` is
/// read by another client. `project` is the printed path of the project.
fn unread_by(client: &Client, folder: &Path, there: &str, project: &str) -> Option<String> {
    let folders = client.folders.as_ref()?;
    let wanted = folders.in_project().next()?;
    if folders.in_project().any(|own| folder.join(own).is_dir()) {
        return None;
    }
    let link = Path::new(wanted);
    let above = link.parent().unwrap_or(link);
    // The target of a link is relative to the folder of the link.
    let back = "../".repeat(above.components().count());
    let at = |path: &str| quoted(&format!("{project}{path}")).into_owned();
    Some(format!(
        "{} reads no folder here; it looks for {project}{wanted}: `mkdir -p {} && ln -s {back}{there} {}` has it read {there}",
        client.title,
        at(&above.shown()),
        at(wanted)
    ))
}
