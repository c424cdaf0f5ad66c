//! The options of a build, which override `skills.toml`.

use skills_lint::{Config, Level, Sealed};
use std::collections::BTreeMap;

/// The options of an invocation or a build script, which override `skills.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The levels of rules, by id.
    pub levels: BTreeMap<String, Level>,
    /// The sealed skills: a skill of a folder cannot shadow them.
    pub sealed: Option<Sealed>,
    /// The maximum characters of the catalog text.
    pub budget: Option<usize>,
    /// True if the skills must match `skills.lock`.
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
