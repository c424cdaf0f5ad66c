//! The arguments of `skills check`, and the levels of rules among them.

use crate::catalog::clients::ClientParser;
use crate::catalog::find::{near_client, rule_help};
use crate::commands::check::findings::CheckFormat;
use crate::outcome::Failure;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use skills_format::RuleId;
use skills_lint::{ALL_CLIENTS, Config, Level};
use std::path::PathBuf;

#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of its own"
)]
pub(crate) struct Check {
    /// Repositories, folders of skills, skills (also by name) or files of skills; without a PATH the
    /// working folder
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    pub(super) format: CheckFormat,
    /// Fix what can be fixed without changing the meaning
    #[arg(long)]
    pub(super) fix: bool,
    /// With --fix or --diff: also apply fixes that are guesses (a name, a path, a misspelt key)
    #[arg(long)]
    pub(super) r#unsafe: bool,
    /// Show what --fix would write, and write nothing
    #[arg(long, conflicts_with = "format")]
    pub(super) diff: bool,
    #[command(flatten)]
    pub(super) levels: Levels,
    /// Check the skills for these clients, separated by commas. Repeatable; `all` means every client
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = CHECKED)]
    pub(super) client: Vec<String>,
    /// Read this file instead of any `skills.toml`
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// Also check skills that git ignores
    #[arg(long)]
    pub(super) no_ignore: bool,
    /// Do not report the findings that this file lists. Without the file, write it with the current findings
    #[arg(long, value_name = "FILE", conflicts_with = "diff")]
    pub(super) baseline: Option<PathBuf>,
    /// Print the findings without totals
    #[arg(long, short)]
    pub(super) quiet: bool,
}

/// The clients whose behaviour is known, and `all`.
const CHECKED: ClientParser<String> = ClientParser {
    parse: named,
    names,
};

/// Returns the names of the clients whose behaviour is known, and `all`.
fn names() -> Vec<&'static str> {
    let clients = skills_clients::check::clients().iter();
    // Without facts the check would be silent, as if nothing were wrong.
    let clients = clients.filter(|client| !client.facts.is_empty());
    let names = clients.map(|client| client.name);
    names.chain([ALL_CLIENTS]).collect()
}

/// Finds a client. The error names the nearest clients, or all of them.
fn named(name: &str) -> Result<String, String> {
    // `a, b` is accepted.
    let name = name.trim();
    let mut clients = skills_clients::check::clients().iter();
    let client = clients.find(|client| client.name == name || client.names.contains(&name));
    let found = client.map_or(name, |client| client.name);
    if names().contains(&found) {
        return Ok(found.to_owned());
    }
    let all = || format!("write one of {}", names().join(", "));
    Err(match client {
        Some(client) => format!("no rule knows a fact about {}; {}", client.title, all()),
        None => match near_client(name, names()) {
            Some(question) => format!("unknown client. {question}"),
            None => format!("unknown client; {}", all()),
        },
    })
}

const EXAMPLES: &str = "\
Examples:
  skills check .agents/skills
  skills check                                     the repository of the working folder
  skills check my-skill other-skill --deny body-length
  skills check --fix skills
  skills check --select link-broken skills         one rule alone
  skills check --client codex,claude-code skills
  skills check --deny warnings --format github     in CI

The nearest `skills.toml` above a skill sets the levels of rules for it, up to the root of the repository \
(docs/configuration.md). These options override that file.";

/// The levels of rules, in the order in which they were given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Levels {
    given: Vec<(String, Level)>,
    /// The rules of `--select`; empty for every rule.
    selected: Vec<String>,
}

const OPTIONS: [(Level, &str); 3] = [
    (
        Level::Deny,
        "Report findings of these rules as errors; `warnings` is every warning. Repeatable, the last \
         option for a rule wins",
    ),
    (
        Level::Warn,
        "Report findings of these rules as warnings. Repeatable",
    ),
    (
        Level::Allow,
        "Do not report findings of these rules. Repeatable",
    ),
];
const SELECT: &str = "select";
/// The word for every warning.
const WARNINGS: &str = "warnings";

impl Levels {
    /// Returns the levels of rules. An unknown rule is a failure.
    pub(crate) fn rules(&self) -> Result<Vec<(String, Level)>, Failure> {
        let mut known = Config::default();
        let mut check = |rule: &str, level: Level, option: &str| {
            known.set(rule, level).map_err(|unknown| {
                Failure::failed(
                    format_args!("--{option}: no rule is named '{rule}'"),
                    rule_help(&unknown),
                )
            })
        };
        let mut levels = Vec::new();
        for (rule, level) in self.given.iter().filter(|given| !is_warnings(given)) {
            check(rule, *level, level.as_str())?;
            levels.push((rule.clone(), *level));
        }
        for rule in &self.selected {
            check(rule, Level::Allow, SELECT)?;
        }
        if !self.selected.is_empty() {
            let others = RuleId::RULES.iter().map(|rule| rule.as_str());
            let others = others.filter(|rule| !self.selected.iter().any(|one| one == rule));
            levels.extend(others.map(|rule| (rule.to_owned(), Level::Allow)));
        }
        Ok(levels)
    }

    /// Returns whether warnings count as errors.
    pub(crate) fn has_strict_warnings(&self) -> bool {
        self.given.iter().any(is_warnings)
    }

    /// Returns the options as words.
    pub(crate) fn words(&self) -> Vec<String> {
        let words =
            |(rule, level): &(String, Level)| [format!("--{}", level.as_str()), rule.clone()];
        let selected = self.selected.iter();
        let selected = selected.flat_map(|rule| [format!("--{SELECT}"), rule.clone()]);
        self.given.iter().flat_map(words).chain(selected).collect()
    }
}

fn is_warnings((rule, level): &(String, Level)) -> bool {
    rule == WARNINGS && *level == Level::Deny
}

impl Args for Levels {
    fn augment_args(command: Command) -> Command {
        OPTIONS.into_iter().fold(command, |command, (level, help)| {
            let option = Arg::new(level.as_str())
                .long(level.as_str())
                .value_name("RULES")
                .value_delimiter(',')
                .action(ArgAction::Append)
                .help(help);
            command.arg(option)
        })
        .arg(
            Arg::new(SELECT)
                .long(SELECT)
                .value_name("RULES")
                .value_delimiter(',')
                .action(ArgAction::Append)
                .help(
                    "Report and fix only the findings of these rules, at their current levels. Repeatable",
                ),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Levels {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given: Vec<(usize, String, Level)> = Vec::new();
        for (level, _) in OPTIONS {
            let id = level.as_str();
            let places = matches.indices_of(id).into_iter().flatten();
            let values = matches.get_many::<String>(id).into_iter().flatten();
            // `a, b,` is accepted: spaces are dropped, and so is an empty last rule.
            let rules = places
                .zip(values.map(|value| value.trim()))
                .filter(|(_, rule)| !rule.is_empty());
            given.extend(rules.map(|(at, rule)| (at, rule.to_owned(), level)));
        }
        // clap groups the values by option, but the last option on the command line must win.
        given.sort_by_key(|(at, _, _)| *at);
        let given = given.into_iter().map(|(_, rule, level)| (rule, level));
        let selected = matches.get_many::<String>(SELECT).into_iter().flatten();
        let selected = selected
            .map(|rule| rule.trim().to_owned())
            .filter(|rule| !rule.is_empty());
        Ok(Self {
            given: given.collect(),
            selected: selected.collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
