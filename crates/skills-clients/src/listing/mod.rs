//! The parts of each description that other programs show a model.
//!
//! The table of clients holds the facts. [`Listing::cut`] applies the facts to a list of skills.

mod cut;
mod even;
mod list;
mod overflow;
mod own;
#[cfg(test)]
mod tests;
mod text;

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
    /// The number of units for each token where the context has at least this many tokens.
    per_token_from: Option<PerTokenFrom>,
    /// The unit of the budget when the context is known.
    context_unit: Option<Unit>,
    #[serde(default)]
    least: u64,
    #[serde(default = "no_limit")]
    most: u64,
    /// The length of the text around the list, if that text counts.
    #[serde(default)]
    frame: usize,
    /// The cost of the remark about skills that are left out.
    #[serde(default)]
    note: usize,
    /// The maximum length of one description, with the ellipsis.
    entry: Option<usize>,
    /// The unit of `entry`, if the client cuts in the middle of a word.
    entry_unit: Option<Unit>,
    /// The maximum number of skills, whatever their size.
    skills: Option<usize>,
    #[serde(default)]
    ellipsis: String,
    #[serde(default)]
    words: bool,
    /// The text between the description and the text of `when-to-use`.
    when_to_use: Option<String>,
    /// True if the part of the description after "Use when" keeps at least half of the room.
    #[serde(default)]
    use_when: bool,
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
    #[serde(default)]
    own_place: OwnPlace,
    roots: Option<Roots>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct PerTokenFrom {
    context: u64,
    per_token: u64,
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

/// The place of a program's own skills in its list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum OwnPlace {
    First,
    #[default]
    Last,
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
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(tag = "rule", rename_all = "kebab-case", deny_unknown_fields)]
enum Overflow {
    /// All descriptions get one length, at most `longest`. Below `shortest`, skills at the end are left out, or, with
    /// `bare`, all descriptions.
    Common {
        shortest: usize,
        longest: usize,
        #[serde(default)]
        bare: bool,
    },
    /// Every description gets one character after the other until the budget is used. If the names alone do not fit, all
    /// descriptions are left out, and the names that do not fit.
    Even,
    /// Every description gets its share. Below `shortest`, all descriptions are left out, then names that do not fit.
    Proportional { shortest: usize },
    /// Names stay, and each description in turn stays if there is room for it.
    FirstFit,
    /// The first skill that does not fit and all skills after it are left out. With `half`, half of the room that is left,
    /// less `half`, goes to the description of that first skill.
    Stop { half: Option<usize> },
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
        let longest = match self.overflow {
            Overflow::Common { longest, .. } => Some(longest),
            _ => None,
        };
        if let Some(longest) = longest.filter(|_| self.entry.is_none()) {
            return Some(format!("{longest} characters if the list is too long"));
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
        let large = self.per_token_from.filter(|large| context >= large.context);
        let per_token = large.map_or(self.per_token, |large| large.per_token);
        let share = u128::from(context) * u128::from(percent) * u128::from(per_token) / 100;
        let share = u64::try_from(share).unwrap_or(u64::MAX);
        let budget = share.clamp(self.least.max(1), self.most);
        let unit = self.context_unit.unwrap_or(self.unit);
        (usize::try_from(budget).unwrap_or(usize::MAX), unit)
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
