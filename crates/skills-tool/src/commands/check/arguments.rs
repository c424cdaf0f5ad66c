//! The arguments of `skills check`, and the levels of rules among them.

use crate::catalog::clients::names_of;
use crate::catalog::find::rule_help;
use crate::commands::check::findings::CheckFormat;
use crate::outcome::Failure;
use clap::builder::TypedValueParser;
use clap::{ArgGroup, Args};
use skills_clients::client;
use skills_format::RuleId;
use skills_lint::{ALL_CLIENTS, Config, Level};
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
