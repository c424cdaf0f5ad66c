//! Options that a build gives beside `skills.toml`.

use skills_format::{Config, Level, Sealed};
use std::collections::BTreeMap;

/// Options of an invocation or a build script. What is given here goes before `skills.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Levels of rules.
    pub levels: BTreeMap<String, Level>,
    /// Skills that no folder's skill may shadow.
    pub sealed: Option<Sealed>,
    /// Characters that the catalog text may have.
    pub budget: Option<usize>,
    /// Whether the skills must be those of `skills.lock`.
    pub locked: Option<bool>,
}

impl Options {
    /// Puts these options over those of a folder.
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
