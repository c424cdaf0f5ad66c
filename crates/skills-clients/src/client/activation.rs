//! The facts about the start of a skill.

use crate::source::Source;
use serde::Deserialize;

/// The meaning of `allowed-tools`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct AllowedTools {
    /// The source.
    pub source: Source,
    /// The meaning.
    pub meaning: Meaning,
    /// True if commas may separate the tools. `None`: the documents do not say.
    pub commas: Option<bool>,
    /// True if the value may be a list of YAML. `None`: the documents do not say.
    pub lists: Option<bool>,
}

/// The meaning of a list of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Meaning {
    /// The tools run without a question; all other tools stay.
    Approves,
    /// Only the tools of the list stay.
    Narrows,
    /// Nothing happens.
    Ignored,
}

/// The placeholders that a client replaces in the body of a skill.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Placeholders {
    /// The source.
    pub source: Source,
    /// The replaced placeholders.
    pub replaces: Vec<Replaced>,
    /// The condition under which `$0` and `$1` are replaced.
    pub positional: Positional,
    /// The number of the placeholder that stands for the first word: 0 for `$0`, 1 for `$1`.
    #[serde(default)]
    pub first: usize,
    /// True if a backslash before a placeholder keeps it.
    pub escape: bool,
    /// Further placeholders: `${CLAUDE_SKILL_DIR}`.
    #[serde(default)]
    pub variables: Vec<String>,
}

/// A placeholder that a client replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Replaced {
    /// `$ARGUMENTS` and `$ARGUMENTS[0]`.
    Arguments,
    /// The names of the field `arguments`: `$issue`.
    Names,
    /// Placeholders in code and prices too: `awk '{print $1}'`, `$1,000`.
    Code,
    /// `` !`command` ``, which is run.
    Commands,
}

/// The condition under which placeholders for single arguments are replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Positional {
    /// When arguments are given.
    Given,
    /// When the skill declares `arguments`, or its body has `$ARGUMENTS[0]`.
    Declared,
    /// Never.
    Never,
}

/// The commands by which a person starts a skill.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Commands {
    /// The source.
    pub source: Source,
    /// The characters before the name: `/`, `$`.
    pub prefixes: Vec<String>,
}
