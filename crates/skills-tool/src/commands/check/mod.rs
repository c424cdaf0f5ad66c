//! `skills check`: every problem of skills, with its place and its fix.

// `check` includes the lock if `skills.toml` says `locked`.

mod baseline;
pub(crate) mod findings;
pub(crate) mod read;

use crate::catalog::find::rule_help;
use crate::catalog::options::names_of;
use crate::commands::check::findings::{CheckFormat, Findings};
use crate::outcome::{Failure, Outcome};
use crate::output::Ctx;
use clap::builder::TypedValueParser;
use clap::{ArgGroup, Args};
use skills_clients::client;
use skills_format::RuleId;
use skills_lint::{ALL_CLIENTS, Config, Level};
use skills_repository::repository::{Repository, Settings, Start};
use std::path::PathBuf;

#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("fixes").multiple(true))]
pub(crate) struct Check {
    /// Repositories, folders of skills, skills (also by name) or files of skills. Default: the working folder
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    pub(super) format: CheckFormat,
    /// Fix what can be fixed without changing the meaning
    #[arg(long, group = "fixes")]
    pub(super) fix: bool,
    /// With --fix or --diff: also apply fixes that are guesses (a name, a path, a misspelt key)
    #[arg(long, requires = "fixes")]
    pub(super) r#unsafe: bool,
    /// Show what --fix would write, and write nothing
    #[arg(long, group = "fixes", conflicts_with = "format")]
    pub(super) diff: bool,
    #[command(flatten)]
    pub(super) levels: Levels,
    /// Check the skills for these clients, separated by commas. Repeatable; `all` means every client
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = checked())]
    pub(super) client: Vec<String>,
    /// Report only findings that this file does not list. If the file is missing, write the present findings to it
    #[arg(long, value_name = "FILE", conflicts_with = "diff")]
    pub(super) baseline: Option<PathBuf>,
}

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

/// Parses the name of a client whose behaviour is known, or `all`.
fn checked() -> impl TypedValueParser<Value = String> {
    let clients = skills_clients::check::clients().iter();
    // Without facts the check would be silent, as if nothing were wrong.
    let clients = clients.filter(|client| !client.facts.is_empty());
    let names = clients.map(|client| client.name).chain([ALL_CLIENTS]);
    names_of(names).map(|name| client::named(&name).map_or(name, |client| client.name.clone()))
}

const EXAMPLES: &str = "\
Examples:
  skills check                                     every skill below the working folder
  skills check --fix skills
  skills check --select link-broken skills         one rule alone
  skills check --client codex,claude-code skills
  skills check --deny warnings --format github     in CI
  skills check --baseline known.json               new findings only

The nearest `skills.toml` above a skill sets the levels of rules for it, up to the root of the repository \
These options override that file.";

/// The options that set the levels of rules.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Levels {
    /// Report findings of these rules as errors, separated by commas; `warnings` is every warning
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    deny: Vec<String>,
    /// Do not report findings of these rules, even if --deny names them
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    allow: Vec<String>,
    /// Report and fix only the findings of these rules, at their current levels
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    select: Vec<String>,
}

/// The word for every warning.
const WARNINGS: &str = "warnings";

impl Levels {
    /// Returns the levels of rules. An unknown rule is a failure.
    pub(crate) fn rules(&self) -> Result<Vec<(String, Level)>, Failure> {
        let known = |option, given: &[String]| {
            let mut rules = Vec::new();
            // `a, b,` is accepted.
            for rule in given.iter().map(|rule| rule.trim()) {
                if rule.is_empty() || option == "deny" && rule == WARNINGS {
                    continue;
                }
                Config::default()
                    .set(rule, Level::Deny)
                    .map_err(|unknown| {
                        let fact = format!("--{option}: no rule is named '{rule}'");
                        Failure::failed(fact, rule_help(&unknown))
                    })?;
                rules.push(rule.to_owned());
            }
            Ok::<_, Failure>(rules)
        };
        let deny = known("deny", &self.deny)?;
        let mut allow = known("allow", &self.allow)?;
        let select = known("select", &self.select)?;
        if !select.is_empty() {
            let all = RuleId::RULES.iter().map(|rule| rule.as_str());
            let others = all.filter(|rule| !select.iter().any(|one| one == rule));
            allow.extend(others.map(str::to_owned));
        }
        let deny = deny.into_iter().map(|rule| (rule, Level::Deny));
        let allow = allow.into_iter().map(|rule| (rule, Level::Allow));
        Ok(deny.chain(allow).collect())
    }

    /// Returns whether warnings count as errors.
    pub(crate) fn has_strict_warnings(&self) -> bool {
        self.deny.iter().any(|rule| rule.trim() == WARNINGS)
    }
}
