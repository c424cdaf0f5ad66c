//! `skills.toml`: what a bundle asks of its skills.

use std::collections::BTreeMap;

/// What a rule's findings count as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Errors.
    Deny,
    /// Warnings.
    Warn,
    /// Nothing: they are not told.
    Allow,
}

/// The options of a bundle, as `skills.toml` beside the skills gives them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Config {
    /// Levels that differ from the rules' own, by rule.
    pub levels: BTreeMap<String, Level>,
    /// Skills that no folder's skill may shadow.
    pub sealed: Sealed,
    /// Characters that the catalog text may have.
    pub budget: Option<usize>,
    /// Whether the skills must be those of `skills.lock`.
    pub locked: bool,
    /// The tools of the host, where they are listed.
    pub tools: Option<Vec<String>>,
}

/// Which skills of a bundle cannot be shadowed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Sealed {
    /// None.
    #[default]
    None,
    /// All.
    All,
    /// Those named.
    Skills(Vec<String>),
}
