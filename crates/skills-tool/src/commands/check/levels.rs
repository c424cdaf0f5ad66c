//! `--deny`, `--warn` and `--allow`: the last option wins. `--select` leaves the other rules out.

use crate::catalog::find::rule_help;
use crate::outcome::Failure;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use skills_format::RuleId;
use skills_lint::{Config, Level, rules};

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

    /// Returns the selected rules that are off by default, and get no level by the options.
    pub(crate) fn selected_off(&self) -> impl Iterator<Item = &str> {
        let is_off = |rule: &&str| {
            let has_level = self.given.iter().any(|(given, _)| given == rule);
            !has_level && rules::find(rule).is_some_and(|rule| rule.level == Level::Allow)
        };
        self.selected.iter().map(String::as_str).filter(is_off)
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
                    "Report and fix the findings of these rules alone, at the levels that they have. Repeatable",
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
