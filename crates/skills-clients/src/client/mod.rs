//! What other programs show a model of its skills: how much of each description is left.
//!
//! `clients.toml` holds the facts; [`Client::cut`] shows what a client would make of a list of skills.

mod cut;
mod even;
mod list;
mod overflow;
#[cfg(test)]
mod tests;
mod text;

use serde::Deserialize;
use std::sync::LazyLock;

/// What a client shows a model of its skills.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Client {
    /// The name by which it is chosen: `claude-code`.
    pub name: String,
    /// Its name as it writes it.
    pub title: String,
    /// Where its numbers come from.
    pub source: String,
    /// When the source was read: year and month.
    pub seen: String,
    /// What a person should know of the result.
    pub remark: Option<String>,
    /// In what the budget is counted.
    pub unit: Unit,
    /// The budget where the context is not known.
    budget: usize,
    percent: Option<u64>,
    #[serde(default = "one")]
    per_token: u64,
    /// In what the budget is counted where the context is known.
    context_unit: Option<Unit>,
    #[serde(default)]
    least: u64,
    #[serde(default = "no_limit")]
    most: u64,
    #[serde(default)]
    frame: usize,
    #[serde(default)]
    note: usize,
    entry: Option<usize>,
    skills: Option<usize>,
    #[serde(default)]
    ellipsis: String,
    #[serde(default)]
    words: bool,
    when_to_use: Option<String>,
    #[serde(default)]
    use_when: bool,
    #[serde(default)]
    first_line: bool,
    line: String,
    bare: String,
    #[serde(default)]
    escape: String,
    #[serde(default)]
    counts: Counts,
    overflow: Overflow,
}

/// What a budget counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Unit {
    /// Unicode scalar values.
    Characters,
    /// Units of UTF-16, the characters of JavaScript.
    Utf16,
    /// Bytes of UTF-8.
    Bytes,
    /// Four bytes of UTF-8 each, every line by itself.
    Tokens,
}

/// What of a line counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Counts {
    #[default]
    Line,
    Texts,
}

/// What happens to a list that is too long. `clients.toml` explains each.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(tag = "rule", rename_all = "kebab-case", deny_unknown_fields)]
enum Overflow {
    Common {
        shortest: usize,
        longest: usize,
        #[serde(default)]
        bare: bool,
    },
    Even,
    Proportional {
        shortest: usize,
    },
    Names,
    Stop {
        half: Option<usize>,
    },
}

/// A skill as a client lists it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Listed<'a> {
    /// The name, or the id under which it is listed.
    pub name: &'a str,
    /// The whole description.
    pub description: &'a str,
    /// When to use it; empty where the skill does not say.
    pub when_to_use: &'a str,
    /// The path of its `SKILL.md`.
    pub location: &'a str,
}

/// What is left of a list of skills.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cut {
    /// In what the numbers are counted.
    pub unit: Unit,
    /// How much the list may have.
    pub budget: usize,
    /// How much everything would have.
    pub whole: usize,
    /// How much the list has.
    pub used: usize,
    /// What is left of each skill, in the order given.
    pub skills: Vec<Kept>,
}

/// What is left of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Kept {
    /// How much of it is left.
    pub shown: Shown,
    /// The description as a model reads it.
    pub description: String,
    /// The line as a model reads it; empty if the skill is left out.
    pub line: String,
}

/// How much of a skill is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Shown {
    /// The whole description.
    Whole,
    /// A part of the description.
    Shortened,
    /// The name without the description.
    Bare,
    /// Nothing.
    Gone,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    client: Vec<Client>,
}

/// Every client whose numbers are known, this project's own first.
///
/// ```
/// use skills_clients::client::{Listed, Shown, clients};
///
/// let codex = clients().iter().find(|client| client.name == "codex").unwrap();
/// let skill = Listed { name: "tidy", description: "Sorts files.", location: "tidy/SKILL.md", ..Listed::default() };
/// let cut = codex.cut(Some(200_000), &[skill]);
/// assert_eq!(cut.budget, 4_000);
/// assert_eq!(cut.skills[0].shown, Shown::Whole);
/// ```
pub fn clients() -> &'static [Client] {
    static CLIENTS: LazyLock<Vec<Client>> = LazyLock::new(|| {
        let file: Result<File, _> = toml::from_str(include_str!("clients.toml"));
        // A test reads it.
        file.map_or_else(|_| Vec::new(), |file| file.client)
    });
    &CLIENTS
}

impl Client {
    /// The budget and what it is counted in, for a context of so many tokens.
    pub fn budget(&self, context: Option<u64>) -> (usize, Unit) {
        let (Some(context), Some(percent)) = (context, self.percent) else {
            return (self.budget, self.unit);
        };
        let share = u128::from(context) * u128::from(percent) * u128::from(self.per_token) / 100;
        let share = u64::try_from(share).unwrap_or(u64::MAX);
        let budget = share.clamp(self.least.max(1), self.most);
        let unit = self.context_unit.unwrap_or(self.unit);
        (usize::try_from(budget).unwrap_or(usize::MAX), unit)
    }
}

impl Cut {
    /// The lines that are left, as a model reads them.
    pub fn text(&self) -> String {
        let lines = self.skills.iter().filter(|kept| kept.shown != Shown::Gone);
        let lines: Vec<&str> = lines.map(|kept| kept.line.as_str()).collect();
        lines.join("\n")
    }
}

impl Unit {
    /// What is counted, in words: `characters`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Characters | Self::Utf16 => "characters",
            Self::Bytes => "bytes",
            Self::Tokens => "tokens",
        }
    }

    fn of(self, text: &str) -> usize {
        match self {
            Self::Characters => text.chars().count(),
            Self::Utf16 => text.chars().map(char::len_utf16).sum(),
            Self::Bytes => text.len(),
            Self::Tokens => text.len().div_ceil(4),
        }
    }
}

const fn one() -> u64 {
    1
}

const fn no_limit() -> u64 {
    u64::MAX
}
