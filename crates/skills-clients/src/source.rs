//! The source of a fact.

use serde::Deserialize;

/// The source of the facts of a section.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Source {
    /// The page or the source file, and what it says.
    pub at: String,
    /// The day on which the source was read or the program was run: `2026-11-23`.
    pub seen: String,
    /// The version of the program that was run. `None`: the program was not run, and its documents were read.
    pub version: Option<String>,
}
