//! `skills diff`: what changed between two versions of skills, in words and in powers.

mod github;
mod markdown;
mod report;
mod sides;
mod text;

use crate::commands::diff::report::Report;
use crate::commands::diff::sides::{Compared, compared};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::Output;
use clap::{Args, ValueEnum};
use serde::Serialize;
use skills_host::review::{
    LoweredLock, Redirection, SkillDifference, changed_plugin_files, compare, lowered_locks,
    redirections,
};
use std::io::Write as _;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DiffCommand {
    /// BASE, BASE..HEAD or BASE...HEAD, revisions of git, with three dots from their common commit; or two folders; then a folder of the repository; or the name of a skill
    #[arg(value_name = "BASE[..HEAD] | PATH", num_args = 0..=2)]
    sides: Vec<String>,
    /// Compare an installed skill with the present state of its source
    #[arg(long, value_name = "NAME", conflicts_with = "sides")]
    source: Option<String>,
    /// Exit with 1 if a skill gained a power, or lost a restraint
    #[arg(long)]
    deny_widening: bool,
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    format: DiffFormat,
}

const EXAMPLES: &str = "\
Examples:
  skills diff                            HEAD with the files of this folder
  skills diff main..HEAD skills          two revisions, the skills below a folder
  skills diff main...HEAD                HEAD with its common commit with main
  skills diff v1.0 --format markdown     for a comment of at most 60 KB
  skills diff old-folder new-folder      without git
  skills diff code-review                a skill with the version that was installed
  skills diff --source code-review       an installed skill with its source
  skills diff origin/main..HEAD --deny-widening --format github";

/// The output format of `diff`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum DiffFormat {
    /// For a terminal
    #[default]
    Text,
    /// For a comment or the summary of a job: at most 60 KB, the worst first
    Markdown,
    /// For programs
    Json,
    /// Workflow commands of GitHub, at the lines that brought a power
    Github,
}

/// `diff --format json`
#[derive(Serialize)]
struct Document<'d> {
    schema: u32,
    base: &'d str,
    head: &'d str,
    /// True if a skill may do more than before, a lock holds less, or a link or submodule leads elsewhere.
    widened: bool,
    /// The locks that hold less than before.
    lowered_locks: &'d [LoweredLock],
    /// The links and submodules that lead to skills which are not compared.
    redirections: &'d [Redirection],
    /// The files of plugins and clients that differ, whose powers are not read.
    plugin_files: &'d [String],
    skills: &'d [SkillDifference],
}

impl DiffCommand {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let Compared {
            old,
            new,
            base,
            head,
            prefix,
        } = match &self.source {
            Some(name) => sides::of_source(name, environment, output)?,
            None => compared(&self.sides, environment)?,
        };
        let report = Report {
            skills: compare(&old, &new),
            lowered: lowered_locks(&old, &new),
            redirections: redirections(&old, &new),
            plugin_files: changed_plugin_files(&old.plugin_files, &new.plugin_files),
            base,
            head,
            prefix,
        };
        match self.format {
            DiffFormat::Text => text::print(&report, output)?,
            DiffFormat::Markdown => write!(output, "{}", markdown::render(&report))?,
            DiffFormat::Github => output.workflow_commands(&github::render(&report))?,
            DiffFormat::Json => output.json(&Document {
                schema: 1,
                base: &report.base,
                head: &report.head,
                widened: report.is_widened(),
                lowered_locks: &report.lowered,
                redirections: &report.redirections,
                plugin_files: &report.plugin_files,
                skills: &report.skills,
            })?,
        }
        if self.deny_widening && report.is_widened() {
            return Ok(Outcome::Findings);
        }
        Ok(Outcome::Done)
    }
}
