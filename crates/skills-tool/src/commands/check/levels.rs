//! `--deny`, `--warn` and `--allow`: the last option wins.

use crate::catalog::find::rule_help;
use crate::outcome::Failure;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use skills_lint::{Config, Level};

/// The levels of rules, in the order in which they were given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Levels {
    given: Vec<(String, Level)>,
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
/// The word for every warning.
const WARNINGS: &str = "warnings";

impl Levels {
    /// Returns the levels of rules. An unknown rule is a failure.
    pub(crate) fn rules(&self) -> Result<Vec<(String, Level)>, Failure> {
        let mut known = Config::default();
        let rules = self.given.iter().filter(|given| !is_warnings(given));
        rules
            .map(|(rule, level)| match known.set(rule, *level) {
                Ok(()) => Ok((rule.clone(), *level)),
                Err(unknown) => Err(Failure::failed(
                    format_args!("--{}: no rule is named '{rule}'", level.as_str()),
                    rule_help(&unknown),
                )),
            })
            .collect()
    }

    /// Returns whether warnings count as errors.
    pub(crate) fn has_strict_warnings(&self) -> bool {
        self.given.iter().any(is_warnings)
    }

    /// Returns the options as words.
    pub(crate) fn words(&self) -> Vec<String> {
        let words =
            |(rule, level): &(String, Level)| [format!("--{}", level.as_str()), rule.clone()];
        self.given.iter().flat_map(words).collect()
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
        Ok(Self {
            given: given.collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
