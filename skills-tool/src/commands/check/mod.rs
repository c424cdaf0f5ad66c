//! `skills check`: every problem of skills, with its place and its fix.

mod findings;
mod watch;
mod write;

use crate::commands::check::findings::{CheckFormat, Findings, Place};
use crate::commands::check::watch::Watch;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::Output;
use clap::Args;
use skills_compiler::{Folder, Options, package_losses};
use skills_format::disk::Folder as OpenFolder;
use skills_format::{
    CONFIG_FILE, Config, Contents, Diagnostic, FixLevel, Level, MAX_FILE, RuleId, Tree, check,
    check_folder, fix, join,
};
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Check skills strictly: every problem with its place and its fix
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Check {
    /// Folders of skills, folders of one skill, or SKILL.md files; without a PATH the working folder
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: CheckFormat,
    /// Fix what can be fixed without changing the meaning
    #[arg(long)]
    fix: bool,
    /// With --fix: also apply fixes that are guesses (a name, a path, a misspelt key)
    #[arg(long, requires = "fix")]
    r#unsafe: bool,
    /// Check again after every change, until interrupted
    #[arg(long, conflicts_with = "fix")]
    watch: bool,
    /// Report findings of this rule as errors. Repeatable
    #[arg(long, value_name = "RULE")]
    deny: Vec<String>,
    /// Report findings of this rule as warnings. Repeatable
    #[arg(long, value_name = "RULE")]
    warn: Vec<String>,
    /// Do not report findings of this rule. Repeatable
    #[arg(long, value_name = "RULE")]
    allow: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  skills check .agents/skills
  skills check my-skill other-skill --deny body-length
  skills check --fix skills
  skills check --format github skills          in CI

A file `skills.toml` in a PATH sets the levels of rules for it: deny, warn and allow are lists of
rules. These options override that file. Hidden folders are read only when they are named.";

impl Check {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let here = [PathBuf::from(".")];
        let paths = match self.paths.as_slice() {
            [] => &here,
            paths => paths,
        };
        if self.watch {
            self.watch(paths, environment, output)?;
        }
        self.once(paths, environment, output)
    }

    /// Checks, then waits for a change, as long as changes can come.
    fn watch(
        &self,
        paths: &[PathBuf],
        environment: &Environment,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let roots: Vec<PathBuf> = paths.iter().map(|path| root(path, environment)).collect();
        loop {
            // Made before the check, so that a change during the check is seen. Made again each time,
            // since a folder may have been replaced.
            let watch = Watch::new(&roots, environment)?;
            match self.once(paths, environment, output) {
                Ok(_) => {}
                Err(Failure::ClosedPipe) => return Err(Failure::ClosedPipe),
                // A missing file can exist after the next change.
                Err(failure) => output.failure(&failure),
            }
            output.finish()?;
            if !watch.wait() {
                return Ok(());
            }
            output.note("");
        }
    }

    fn once(
        &self,
        paths: &[PathBuf],
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let levels = self.levels().into_iter().flat_map(|(rules, level)| {
            let flag = format!("--{}", level.as_str());
            rules
                .iter()
                .flat_map(move |rule| [flag.clone(), rule.clone()])
        });
        let mut findings = Findings::new(levels.collect());
        let mut known = BTreeSet::new();
        let mut failures = Vec::new();
        for path in paths {
            let on_disk = environment.absolute(&root(path, environment));
            // A folder that is named twice is checked once.
            if known.insert(fs::canonicalize(&on_disk).unwrap_or(on_disk)) {
                failures.extend(self.check(path, environment, &mut findings)?);
            }
        }
        findings.print(self.format, output)?;
        if let Some(last) = failures.pop() {
            for failure in &failures {
                output.failure(failure);
            }
            return Err(last);
        }
        Ok(if findings.has_errors() {
            Outcome::Findings
        } else {
            Outcome::Done
        })
    }

    /// Checks one path. Returns the fixes that could not be written.
    fn check(
        &self,
        path: &Path,
        environment: &Environment,
        findings: &mut Findings,
    ) -> Result<Vec<Failure>, Failure> {
        let root = root(path, environment);
        let shown = root.to_string_lossy();
        let on_disk = environment.absolute(&root);
        let folder = OpenFolder::open(&on_disk).map_err(|error| cannot(path, &error))?;
        let place = Place::new(&shown, &on_disk, &folder).map_err(|error| cannot(path, &error))?;
        let config = self.config(&place, &folder, findings)?;
        let contents = if self.fix {
            Contents::All {
                max: MAX_FILE,
                limits: config.limits,
            }
        } else {
            Contents::Names
        };
        let tree = Tree::of(&folder, contents).map_err(|error| cannot(path, &error))?;
        let mut failures = Vec::new();
        let mut diagnostics = if self.fix {
            let (left, failed) = self.fixed(&folder, &shown, &tree, &config, findings);
            failures = failed;
            left
        } else {
            check_folder(&folder, &shown, &tree, &config)
        };
        if let Some(losses) = package_losses(&on_disk, &shown, &tree, &config) {
            // The rule alone only guesses.
            diagnostics.retain(|found| !found.is(RuleId::PackageLoss));
            diagnostics.extend(losses);
        }
        if config.locked {
            diagnostics.extend(self.stale(&shown, environment));
        }
        findings.add(&place, tree.skills().len(), diagnostics);
        Ok(failures)
    }

    /// Fixes what can be fixed. Returns the remaining findings, and the files that could not be
    /// written.
    fn fixed(
        &self,
        folder: &OpenFolder,
        shown: &str,
        tree: &Tree,
        config: &Config,
        findings: &mut Findings,
    ) -> (Vec<Diagnostic>, Vec<Failure>) {
        let mut after = tree.clone();
        let level = if self.r#unsafe {
            FixLevel::All
        } else {
            FixLevel::Safe
        };
        let fixed = fix(shown, &mut after, config, level);
        let failures = write::write(folder, shown, tree, &after, &fixed.changed);
        if failures.is_empty() {
            findings.count_fixes(fixed.applied, fixed.changed.len());
            return (fixed.diagnostics, failures);
        }
        // The disk now holds neither the tree before nor the tree after.
        let left = check_folder(folder, shown, tree, config);
        let written = fixed.changed.len() - failures.len();
        let before = check(shown, tree, config).diagnostics.len();
        findings.count_fixes(before.saturating_sub(left.len()), written);
        (left, failures)
    }

    /// Reads `skills.toml` of the folder, and puts the arguments over it.
    fn config(
        &self,
        place: &Place,
        folder: &OpenFolder,
        findings: &mut Findings,
    ) -> Result<Config, Failure> {
        let shown = join(&place.shown, CONFIG_FILE);
        let mut config = match folder.text(Path::new(CONFIG_FILE)) {
            Err(error) if error.kind() == ErrorKind::NotFound => Config::default(),
            Err(error) => {
                return Err(Failure::failed(
                    format_args!("cannot read {shown}: {error}"),
                    "fix the file or remove it",
                ));
            }
            Ok(text) => {
                let (config, diagnostics) = Config::parse(&shown, &text);
                findings.add(place, 0, diagnostics);
                config
            }
        };
        for (rules, level) in self.levels() {
            for rule in rules {
                config.set(rule, level).map_err(|unknown| {
                    Failure::failed(
                        format_args!("--{} {rule}: {unknown}", level.as_str()),
                        "`skills rules` lists the rules",
                    )
                })?;
            }
        }
        Ok(config)
    }

    /// Finds the differences between a locked folder and its lock.
    fn stale(&self, root: &str, environment: &Environment) -> Vec<Diagnostic> {
        let mut options = Options::default();
        for (rules, level) in self.levels() {
            let levels = rules.iter().map(|rule| (rule.clone(), level));
            options.levels.extend(levels);
        }
        let base = environment.absolute(Path::new(""));
        let mut diagnostics = Folder::read(&base, root, &options).compile().diagnostics;
        diagnostics.retain(|found| found.is(RuleId::LockStale));
        diagnostics
    }

    fn levels(&self) -> [(&[String], Level); 3] {
        [
            (&self.deny, Level::Deny),
            (&self.warn, Level::Warn),
            (&self.allow, Level::Allow),
        ]
    }
}

/// Returns the folder of a path. A `SKILL.md` stands for its folder.
fn root(path: &Path, environment: &Environment) -> PathBuf {
    match path.parent() {
        Some(parent) if path.ends_with("SKILL.md") && environment.absolute(path).is_file() => {
            if parent.as_os_str().is_empty() {
                PathBuf::from(".")
            } else {
                parent.to_owned()
            }
        }
        _ => path.to_owned(),
    }
}

fn cannot(path: &Path, error: &io::Error) -> Failure {
    let help = match error.kind() {
        ErrorKind::PermissionDenied => "change its permissions",
        _ => "name a folder of skills, or the folder of one skill",
    };
    let path = path.display();
    Failure::failed(format_args!("cannot check {path}: {error}"), help)
}
