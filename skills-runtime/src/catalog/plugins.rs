//! The ids that a plugin's skills answer to.

/// The ids that a plugin's skills answer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Plugins {
    /// Bare names and qualified ids, like the skills of every other source.
    Merged,
    /// Only qualified ids, `plugin:name`. A plugin's skill takes no bare name from another skill.
    Namespaces,
}
