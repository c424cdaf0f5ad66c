//! `skills check`: every fault of skills, with its place.

use crate::Outcome;
use crate::failure::Failure;
use crate::output::Output;
use clap::{Args, ValueEnum};
use serde::Serialize;
use skills_format::{Config, Contents, Diagnostic, Severity, Tree};
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
}

const EXAMPLES: &str = "\
Examples:
  skills check .agents/skills
  skills check my-skill other-skill
  skills check --format json skills";

/// How findings are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum CheckFormat {
    /// A line each
    #[default]
    Concise,
    /// For programs: version 1 of the document in docs/json.md
    Json,
}

/// `check --format json`
#[derive(Serialize)]
struct Document {
    schema: u32,
    checked: usize,
    errors: usize,
    warnings: usize,
    diagnostics: Vec<Diagnostic>,
}

impl Check {
    pub(crate) fn run(&self, output: &mut Output) -> Result<Outcome, Failure> {
        let document = self.check()?;
        let findings = document.errors > 0;
        match self.format {
            CheckFormat::Json => output.json(&document)?,
            CheckFormat::Concise => print(&document, output)?,
        }
        Ok(if findings {
            Outcome::Findings
        } else {
            Outcome::Done
        })
    }

    fn check(&self) -> Result<Document, Failure> {
        let here = [PathBuf::from(".")];
        let paths = if self.paths.is_empty() {
            &here
        } else {
            self.paths.as_slice()
        };
        let mut checked = 0;
        let mut diagnostics = Vec::new();
        for path in paths {
            let root = root(path);
            let tree = Tree::read(&root, Contents::All { max: MAX_FILE }).map_err(|error| {
                Failure::failed(
                    format_args!("cannot check {}: {error}", path.display()),
                    "name a folder of skills, or the folder of one skill",
                )
            })?;
            let found = skills_format::check(&root.to_string_lossy(), &tree, &Config::default());
            if found.skills.is_empty() {
                return Err(Failure::failed(
                    format_args!("cannot check {}: no SKILL.md is in it", path.display()),
                    "name a folder of skills, or the folder of one skill; hidden folders are entered only when they are named",
                ));
            }
            checked += found.skills.len();
            diagnostics.extend(found.diagnostics);
        }
        Diagnostic::sort(&mut diagnostics);
        let count = |severity| {
            diagnostics
                .iter()
                .filter(|d| d.severity == severity)
                .count()
        };
        Ok(Document {
            schema: 1,
            checked,
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            diagnostics,
        })
    }
}

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

fn print(document: &Document, output: &mut Output) -> Result<(), Failure> {
    for diagnostic in &document.diagnostics {
        writeln!(output, "{diagnostic}")?;
    }
    let Document {
        checked,
        errors,
        warnings,
        ..
    } = document;
    let plural = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    output.note(&format!(
        "{} checked: {}, {}",
        plural(*checked, "skill"),
        plural(*errors, "error"),
        plural(*warnings, "warning"),
    ));
    Ok(())
}
