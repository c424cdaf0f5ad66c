//! `skills test`: whether the skills are found for the texts that they are for.

mod collect;
mod junit;
mod report;

use crate::commands::test::collect::{Collected, collect};
use crate::commands::test::report::Report;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::hint::shell_word;
use crate::output::{Output, counted};
use clap::{Args, ValueEnum};
use skills_format::text::path::PathText as _;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Test {
    /// A folder of skills, of a repository, or of one skill
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,
    /// Among how many of the first skills the right one must be
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    top: u16,
    /// How to print
    #[arg(short, long, value_enum, default_value_t)]
    format: TestFormat,
}

/// How the result is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum TestFormat {
    /// For people: what failed, and the sums
    #[default]
    Text,
    /// One document with every text
    Json,
    /// `JUnit`'s XML, which CI systems show
    Junit,
}

const EXAMPLES: &str = "\
Examples:
  skills test
  skills test skills/release-notes
  skills test --top 1 --format junit

triggers.yaml, beside a SKILL.md or beside the folders of skills, lists the texts:

  skill: release-notes      # not needed beside its SKILL.md
  should: [what changed since 1.4?, write the change log for this tag]
  should_not: [write a commit message]

trigger_tests.yaml (waza) and tests.yml (aigent) are read too. Only words are compared. A text of `should` \
passes when the skill is among the first --top skills. A text of `should_not` passes unless the skill is the \
first, a tenth ahead of the second, and has at least half of its words. A model decides by meaning: a text \
that passes can still fail with it.";

impl Test {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let Collected {
            bundles,
            faults,
            unread,
        } = collect(&self.path, environment)?;
        if faults.is_empty() && bundles.iter().all(|bundle| bundle.triggers.is_empty()) {
            return Err(Failure::not_so(
                format_args!("no file below {} lists texts for skills", self.path.shown()),
                "write triggers.yaml beside a SKILL.md: `should:` and a list of texts",
            ));
        }
        for (path, count) in unread {
            let skills = counted(count, "skill");
            output.warning(format_args!(
                "{skills} of {path} cannot be read, and took no part: see `skills check {}`",
                shell_word(&path)
            ));
        }
        let report = Report::new(&bundles, faults, usize::from(self.top));
        match self.format {
            TestFormat::Text => report.print(output)?,
            TestFormat::Json => output.json(&report.document())?,
            TestFormat::Junit => output.document(junit::document(&report).trim_end())?,
        }
        Ok(if report.has_failed() {
            Outcome::Findings
        } else {
            Outcome::Done
        })
    }
}
