//! Which ids a plugin's skills answer to.

/// Which ids a plugin's skills answer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Plugins {
    /// Bare names, as all other skills.
    Merged,
    /// Only `plugin:name`.
    Namespaces,
}
