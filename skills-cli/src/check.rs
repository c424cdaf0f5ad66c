//! `skills check`: every fault of skills, with its place.

use crate::Outcome;
use crate::failure::Failure;
use crate::output::{Output, counted};
use clap::{Args, ValueEnum};
use skills_compiler::{Folder, Options};
use skills_format::render::{self, Color, Full};
use skills_format::{CONFIG_FILE, Config, Contents, Diagnostic, Level, Severity, Tree};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Every fault of the skills in folders, strictly, with its place and its mend
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Check {
    /// Folders of skills, or of one skill; the working folder when none is given
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: CheckFormat,
    /// Count what this rule finds as an error. Repeatable
    #[arg(long, value_name = "RULE")]
    deny: Vec<String>,
    /// Count what this rule finds as a warning. Repeatable
    #[arg(long, value_name = "RULE")]
    warn: Vec<String>,
    /// Do not tell what this rule finds. Repeatable
    #[arg(long, value_name = "RULE")]
    allow: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  skills check .agents/skills
  skills check my-skill other-skill --deny body-length
  skills check --format json skills

A file `skills.toml` in a PATH sets the levels of rules for it: deny, warn and allow are lists of
rules. What is given here goes before it.";

/// How findings are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum CheckFormat {
    /// With the lines they are about
    #[default]
    Full,
    /// A line each
    Concise,
    /// For programs: version 1 of the document in docs/json.md
    Json,
}

/// What was found in all paths.
#[derive(Default)]
struct Found {
    checked: usize,
    diagnostics: Vec<Diagnostic>,
    /// The files that diagnostics are about, by the path that is shown.
    sources: BTreeMap<String, Vec<u8>>,
}

impl Check {
    pub(crate) fn run(&self, output: &mut Output) -> Result<Outcome, Failure> {
        let here = [PathBuf::from(".")];
        let paths = if self.paths.is_empty() {
            &here[..]
        } else {
            &self.paths
        };
        let mut found = Found::default();
        for path in paths {
            self.check(path, &mut found)?;
        }
        Diagnostic::sort(&mut found.diagnostics);
        self.print(&found, paths, output)?;
        let is_error = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
        Ok(if found.diagnostics.iter().any(is_error) {
            Outcome::Findings
        } else {
            Outcome::Done
        })
    }

    fn check(&self, path: &Path, found: &mut Found) -> Result<(), Failure> {
        let root = root(path);
        let shown = root.to_string_lossy();
        let tree = Tree::read(&root, Contents::All { max: MAX_FILE }).map_err(|error| {
            Failure::failed(
                format_args!("cannot check {}: {error}", path.display()),
                "name a folder of skills, or the folder of one skill",
            )
        })?;
        let config = self.config(&root, found)?;
        let checked = skills_format::check(&shown, &tree, &config);
        if checked.skills.is_empty() {
            return Err(Failure::failed(
                format_args!("cannot check {}: no SKILL.md is in it", path.display()),
                "name a folder of skills; a hidden one is read only when it is named",
            ));
        }
        found.checked += checked.skills.len();
        for file in &tree.files {
            let shown = skills_format::join(&shown, &file.path);
            let is_meant = |diagnostic: &Diagnostic| diagnostic.path == shown;
            if let Some(bytes) = file
                .bytes
                .as_ref()
                .filter(|_| checked.diagnostics.iter().any(is_meant))
            {
                found.sources.insert(shown, bytes.clone());
            }
        }
        found.diagnostics.extend(checked.diagnostics);
        if config.locked {
            found.diagnostics.extend(self.stale(&root));
        }
        Ok(())
    }

    /// What differs from the lock of a folder that is locked.
    fn stale(&self, root: &Path) -> Vec<Diagnostic> {
        let mut options = Options::default();
        for (rules, level) in self.levels() {
            options
                .levels
                .extend(rules.iter().map(|rule| (rule.clone(), level)));
        }
        let folder = Folder::read(Path::new(""), &root.to_string_lossy(), &options);
        let mut diagnostics = folder.compile().diagnostics;
        diagnostics.retain(|found| found.rule == STALE);
        diagnostics
    }

    /// What `skills.toml` of the folder says, and over it what the arguments say.
    fn config(&self, root: &Path, found: &mut Found) -> Result<Config, Failure> {
        let path = root.join(CONFIG_FILE);
        let shown = skills_format::join(&root.to_string_lossy(), CONFIG_FILE);
        let mut config = match std::fs::read_to_string(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Config::default(),
            Err(error) => {
                return Err(Failure::failed(
                    format_args!("cannot read {}: {error}", path.display()),
                    "mend the file or remove it",
                ));
            }
            Ok(text) => {
                let (config, diagnostics) = Config::parse(&shown, &text);
                if !diagnostics.is_empty() {
                    found.sources.insert(shown, text.into_bytes());
                    found.diagnostics.extend(diagnostics);
                }
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

    fn levels(&self) -> [(&[String], Level); 3] {
        [
            (&self.deny, Level::Deny),
            (&self.warn, Level::Warn),
            (&self.allow, Level::Allow),
        ]
    }

    fn print(&self, found: &Found, paths: &[PathBuf], output: &mut Output) -> Result<(), Failure> {
        let Found {
            checked,
            diagnostics,
            sources,
        } = found;
        match self.format {
            CheckFormat::Json => {
                writeln!(output, "{}", render::json(diagnostics, *checked))?;
                return Ok(());
            }
            CheckFormat::Concise => write!(output, "{}", render::concise(diagnostics))?,
            CheckFormat::Full => {
                let color = if output.has_colour() {
                    Color::Always
                } else {
                    Color::Never
                };
                let mut how = Full::default().color(color);
                let root = paths.first().map(|path| path.to_string_lossy());
                if let ([_], Some(root)) = (paths, &root) {
                    how = how.root(root);
                }
                let source = |path: &str| sources.get(path).map(|bytes| Cow::Borrowed(&bytes[..]));
                write!(output, "{}", render::full(diagnostics, &source, &how))?;
            }
        }
        let count = |severity| {
            diagnostics
                .iter()
                .filter(|d| d.severity == severity)
                .count()
        };
        output.note(&format!(
            "{} checked: {}, {}",
            counted(*checked, "skill"),
            counted(count(Severity::Error), "error"),
            counted(count(Severity::Warning), "warning"),
        ));
        Ok(())
    }
}

/// The rule that holds a locked folder against its lock.
pub(crate) const STALE: &str = "lock-stale";
/// Largest file whose bytes are looked at.
const MAX_FILE: u64 = 1024 * 1024;

/// The folder that is meant: a `SKILL.md` stands for the folder that holds it.
fn root(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if path.ends_with("SKILL.md") && path.is_file() => {
            if parent.as_os_str().is_empty() {
                PathBuf::from(".")
            } else {
                parent.to_owned()
            }
        }
        _ => path.to_owned(),
    }
}
