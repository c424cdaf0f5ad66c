//! `skills check`: every problem of skills, with its place and its fix.

// `check` includes the lock if `skills.toml` says `locked`.

pub(crate) mod arguments;
mod baseline;
pub(crate) mod findings;
pub(crate) mod read;

use crate::catalog::everywhere::Everywhere;
use crate::catalog::everywhere::UnreadFolder;
use crate::commands::check::findings::{CheckFormat, Findings};
use crate::commands::check::read::named;
use crate::commands::list::everywhere::report_differing;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, counted};
use skills_clients::client::{self, Client};
use skills_format::text::path::PathText as _;
use skills_format::{command, prose};
use skills_lint::render::quoted;
use skills_lint::{named_path, unclosed};
use skills_repository::repository::{Repository, Settings, Start};
use std::collections::BTreeSet;
use std::io::{self, IsTerminal as _};
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
        let is_input = self.paths.iter().any(|path| path == Path::new("-"));
        if is_input && (self.fix || self.diff) {
            return Err(Failure::failed(
                "standard input can only be checked",
                "name a file in place of `-`, or leave out --fix and --diff",
            ));
        }
        if self.everywhere {
            return self.everywhere(cx);
        }
        if is_input && io::stdin().is_terminal() {
            cx.note("reading a SKILL.md from standard input; end it with Ctrl-D");
        }
        self.once(cx)
    }

    /// Checks the folders of every client, and reports the skills with several versions.
    fn everywhere(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let everywhere = Everywhere::read(cx);
        let places = everywhere.survey.places.iter();
        let paths: Vec<PathBuf> = places.map(|place| place.folder.clone()).collect();
        if paths.is_empty() {
            return Err(Failure::not_so(
                "no client on this machine has a folder of skills",
                "`skills list --everywhere` shows which clients are found",
            ));
        }
        let check = Self {
            paths,
            everywhere: false,
            ..self.clone()
        };
        let done = check.once(cx);
        let versions: Vec<_> = everywhere.survey.versions.iter().collect();
        report_differing(&versions, cx);
        done
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
            let (starts, _) = self.starts(cx.env)?;
            for repository in open(starts, &self.settings(cx.env)?)? {
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
        let (starts, is_input) = self.starts(env)?;
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
        if is_input {
            self.check_input(&settings, env, &mut findings)?;
        }
        findings.sort();
        if let Some(path) = &self.baseline {
            findings.gone = baseline::apply(path, &mut findings, env)?;
        }
        Ok((findings, failures))
    }

    /// Reports options without an effect: a pattern of a path that is not there, and a selected rule that is off.
    fn report_ineffective(&self, findings: &Findings, cx: &mut Ctx) {
        for pattern in &self.exclude {
            let named = named_path(pattern);
            if let Some(named) = named.filter(|named| !cx.env.absolute(named.as_ref()).exists()) {
                cx.warning(format_args!(
                    "--exclude {pattern} matches nothing: there is no `{named}` in the working folder"
                ));
            }
        }
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
            let Some(there) = UnreadFolder::end(&bundle.path, &clients) else {
                continue;
            };
            let project = bundle.path.strip_suffix(there).unwrap_or_default();
            let folder = env.absolute(Path::new(project));
            // The folders of a person are no folders of a project.
            if env.home.as_ref() == Some(&folder) {
                continue;
            }
            let beside = clients
                .iter()
                .filter_map(|one| UnreadFolder::beside(one, &folder, there));
            unread.extend(beside.map(|one| one.told(project)));
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

    /// Prints the findings, or writes them to a file.
    fn show(&self, findings: &Findings, cx: &mut Ctx) -> Result<(), Failure> {
        if let Some(path) = self.output_file.as_ref().filter(|it| it.as_os_str() != "-") {
            let text = findings.text(self.format);
            baseline::save(path, text.as_bytes(), cx.env)?;
        } else if self.statistics {
            findings.print_statistics(cx)?;
        } else {
            findings.print(self.format, cx)?;
        }
        let is_document = matches!(self.format, CheckFormat::Json | CheckFormat::Sarif);
        if !self.quiet && (!is_document || self.output_file.is_some()) {
            findings.report(cx);
        }
        Ok(())
    }

    fn settings(&self, env: &Environment) -> Result<Settings, Failure> {
        let mut settings = Settings::default();
        settings.levels = self.levels.rules()?;
        settings.has_strict_warnings = self.levels.has_strict_warnings();
        settings.clients.clone_from(&self.client);
        let mut patterns = self.exclude.iter();
        if let Some((pattern, mark)) = patterns.find_map(|it| Some((it, unclosed(it)?))) {
            return Err(Failure::failed(
                format!(
                    "--exclude {pattern}: `{mark}` is not closed, so the pattern matches nothing"
                ),
                format!("close it, or write `\\{mark}` for the character itself"),
            ));
        }
        settings.exclude.clone_from(&self.exclude);
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
