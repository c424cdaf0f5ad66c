//! The parts of each description that other programs show a model.
//!
//! The table of clients holds the facts. [`Listing::cut`] applies the facts to a list of skills. The list of a program that
//! was run ([`Listing::reads`]) is exact, as far as the kept lists of `tests/clients` show. Of the others only the size is
//! known, [a bound](Listing::is_bound): which description loses how much can differ.

mod cut;
#[cfg(test)]
mod tests;

use crate::reading::Reader;
use crate::source::Source;
use serde::Deserialize;
use unicode_width::UnicodeWidthStr as _;

/// The part of a list of skills that a client shows its model.
///
/// The section `[listing]` of a client's file in the table; the fields explain its words.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Listing {
    /// The id of the client: `claude-code`.
    #[serde(skip)]
    pub name: String,
    /// The product name: `Claude Code`.
    #[serde(skip)]
    pub title: String,
    /// The source of the numbers.
    pub source: Source,
    /// A remark on the accuracy of the result.
    pub remark: Option<String>,
    /// The unit of the budget.
    pub unit: Unit,
    /// The budget when the context is unknown. A client without a budget lists everything.
    budget: Option<usize>,
    /// The share of a known context. It replaces the budget, between `least` and `most` units.
    percent: Option<u64>,
    #[serde(default = "one")]
    per_token: u64,
    /// A size of the context in tokens, and the number of units for each token from there on.
    per_token_from: Option<(u64, u64)>,
    #[serde(default)]
    least: u64,
    #[serde(default = "no_limit")]
    most: u64,
    /// The length of the text around the list, if that text counts.
    #[serde(default)]
    frame: usize,
    /// The maximum length of one description, with the ellipsis.
    entry: Option<usize>,
    /// The unit of `entry`, if the client cuts in the middle of a word.
    entry_unit: Option<Unit>,
    /// The maximum number of skills, whatever their size.
    skills: Option<usize>,
    #[serde(default)]
    ellipsis: String,
    /// The text between the description and the text of `when-to-use`.
    when_to_use: Option<String>,
    #[serde(default)]
    first_line: bool,
    /// A skill as the client writes it.
    line: String,
    /// A skill without its description.
    bare: String,
    /// The characters that are written as entities of XML.
    #[serde(default)]
    escape: String,
    /// The characters of a location that are written as entities, if they are others than those of `escape`.
    location_escape: Option<String>,
    #[serde(default)]
    counts: Counts,
    overflow: Overflow,
    /// The way in which the program reads a folder of skills, if known.
    pub reads: Option<Reader>,
    /// The skills that the client brings along: they take their part of the budget.
    #[serde(default)]
    own: Vec<OwnSkill>,
    /// True if the client's own skills are the first of the list.
    #[serde(default)]
    own_first: bool,
    roots: Option<Roots>,
}

/// A skill that a program brings along. It takes its part of the budget.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OwnSkill {
    name: String,
    /// The length of the description.
    description: usize,
    /// True if the description is never cut.
    #[serde(default)]
    keeps: bool,
}

/// Names for folders of skills, with which a program shortens paths.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Roots {
    /// The folder of the program's own skills; `~` is the home folder.
    own: String,
    /// The bytes of the table of names that cost nothing.
    free: usize,
}

/// The unit of a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Unit {
    /// Unicode scalar values.
    Characters,
    /// UTF-16 code units, the characters of JavaScript.
    Utf16,
    /// Bytes of UTF-8.
    Bytes,
    /// Columns of a terminal: a wide character has two, a mark none.
    Columns,
    /// Tokens, estimated as four bytes of UTF-8 and rounded up per line.
    Tokens,
}

/// The part of a line that counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Counts {
    /// The written line and its end.
    #[default]
    Line,
    /// The lines with line feeds between them.
    Joined,
    /// The name and the description alone.
    Texts,
}

/// The rule for a list that is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Overflow {
    /// Every description gets one character after the other until the budget is used. If the names alone do not fit, all
    /// descriptions are left out, and the names that do not fit.
    Even,
    /// Names stay, and each description in turn stays if there is room for it.
    FirstFit,
    /// The first skill that does not fit and all skills after it are left out.
    Stop,
}

/// A skill in a client's list.
#[derive(Clone, Copy, Debug, Default)]
pub struct Listed<'a> {
    /// The name, or the id that the client lists.
    pub name: &'a str,
    /// The whole description.
    pub description: &'a str,
    /// The text of the field `when-to-use`; empty if missing.
    pub when_to_use: &'a str,
    /// The path of the skill's `SKILL.md`.
    pub location: &'a str,
    /// The folder of skills with which the location begins; empty if not known.
    pub root: &'a str,
}

/// A list of skills, cut to a client's budget.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cut {
    /// The unit of the numbers.
    pub unit: Unit,
    /// The maximum size of the list.
    pub budget: usize,
    /// The size of the uncut list.
    pub whole: usize,
    /// The size of the cut list.
    pub used: usize,
    /// The lines before the skills: names for folders.
    pub roots: Vec<String>,
    /// The skills in the given order, as the client shows them.
    pub skills: Vec<Kept>,
}

/// A skill as a client shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Kept {
    /// The form in which the skill is shown.
    pub shown: Shown,
    /// The description that the model reads.
    pub description: String,
    /// The line that the model reads; empty if the skill is left out.
    pub line: String,
}

/// The form in which a client shows a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Shown {
    /// The name with the whole description.
    Whole,
    /// The name with a part of the description.
    Shortened,
    /// The name without the description.
    Bare,
    /// The skill is left out.
    Gone,
}

impl Listing {
    /// Returns whether the client has a budget: a client without lists everything.
    pub const fn has_budget(&self) -> bool {
        self.budget.is_some()
    }

    /// Returns whether only the size of the list is known, and not which descriptions are cut where.
    pub const fn is_bound(&self) -> bool {
        self.reads.is_none()
    }

    /// Returns the number of skills that the client brings along, and the length of their descriptions.
    pub fn own_skills(&self) -> (usize, usize) {
        let length = self.own.iter().map(|skill| skill.description).sum();
        (self.own.len(), length)
    }

    /// Returns the maximum of one description in words: `1024 characters`. `None`: only the budget cuts a description.
    pub fn description_limit(&self) -> Option<String> {
        if self.first_line {
            return Some("its first line".to_owned());
        }
        let unit = self.entry_unit.unwrap_or(self.unit).as_str();
        let with = if self.when_to_use.is_some() {
            ", with `when_to_use`"
        } else {
            ""
        };
        Some(format!("{} {unit}{with}", self.entry?))
    }

    /// Returns the budget and its unit for a context of `context` tokens.
    pub fn budget(&self, context: Option<u64>) -> (usize, Unit) {
        let (Some(context), Some(percent)) = (context, self.percent) else {
            return (self.budget.unwrap_or(usize::MAX), self.unit);
        };
        let per_token = match self.per_token_from {
            Some((large, per_token)) if context >= large => per_token,
            _ => self.per_token,
        };
        let share = u128::from(context) * u128::from(percent) * u128::from(per_token) / 100;
        let share = u64::try_from(share).unwrap_or(u64::MAX);
        let budget = share.clamp(self.least.max(1), self.most);
        (usize::try_from(budget).unwrap_or(usize::MAX), self.unit)
    }
}

impl Cut {
    /// Returns the lines of the roots and the remaining skills, as a model reads them.
    pub fn text(&self) -> String {
        let lines = self.skills.iter().filter(|kept| kept.shown != Shown::Gone);
        let roots = self.roots.iter().map(String::as_str);
        let lines: Vec<&str> = roots.chain(lines.map(|kept| kept.line.as_str())).collect();
        lines.join("\n")
    }
}

impl Unit {
    /// Returns the name of the unit: `characters`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Characters | Self::Utf16 => "characters",
            Self::Bytes => "bytes",
            Self::Columns => "columns",
            Self::Tokens => "tokens",
        }
    }

    fn of(self, text: &str) -> usize {
        match self {
            Self::Characters => text.chars().count(),
            Self::Utf16 => text.chars().map(char::len_utf16).sum(),
            Self::Bytes => text.len(),
            Self::Columns => text.width(),
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
