//! The options that a build gives beside `skills.toml`.

use skills_lint::{Config, Level, Sealed};
use std::collections::BTreeMap;

/// The options of an invocation or a build script. They override `skills.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The levels of rules, by id.
    pub levels: BTreeMap<String, Level>,
    /// The sealed skills: a skill of a folder cannot shadow them.
    pub sealed: Option<Sealed>,
    /// The most characters of the catalog text.
    pub budget: Option<usize>,
    /// Whether the skills must equal `skills.lock`.
    pub locked: Option<bool>,
}

impl Options {
    /// Overrides the options of a folder.
    pub(crate) fn over(&self, config: &mut Config) {
        let Self {
            levels,
            sealed,
            budget,
            locked,
        } = self;
        for (rule, level) in levels {
            config.levels.insert(rule.clone(), *level);
        }
        if let Some(sealed) = sealed {
            config.sealed = sealed.clone();
        }
        config.budget = budget.or(config.budget);
        config.locked = locked.unwrap_or(config.locked);
    }
}
