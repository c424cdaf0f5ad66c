//! How the catalog text is written, and what it may cost.

use crate::catalog::names::Plugins;
use crate::catalog::places::Places;
use crate::prompt::format::Format;
use skills_format::Text;

/// How the catalog text is written.
///
/// Start from [`PromptOptions::default`], from [`PromptOptions::new`] or from a profile, and change
/// fields.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PromptOptions {
    /// How a skill is written.
    pub format: Format,
    /// What the text may cost. 8,000 characters where nothing is said.
    pub budget: Budget,
    /// The first line; empty: none. No part of the JSON.
    pub heading: Text,
    /// What stands between the heading and the skills; empty: nothing. No part of the JSON.
    pub intro: Text,
    /// How places are written.
    pub places: Places,
    /// Whether a plugin's skills are listed by their qualified ids only.
    pub plugins: Plugins,
}

/// What a catalog text may cost, counted over the whole text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Budget {
    /// Characters (Unicode scalar values).
    Characters(usize),
    /// Estimated tokens.
    Tokens(usize),
    /// As much as it takes.
    Unlimited,
}

impl PromptOptions {
    /// The usual text of a format: a section has its heading and its rules, the others have
    /// neither.
    pub fn new(format: Format) -> Self {
        let (heading, intro) = match format {
            Format::Section => (SECTION_HEADING, SECTION_RULES),
            _ => ("", ""),
        };
        Self {
            format,
            budget: Budget::Characters(8_000),
            heading: heading.into(),
            intro: intro.into(),
            places: Places::default(),
            plugins: Plugins::Merged,
        }
    }
}

impl Default for PromptOptions {
    /// XML within 8,000 characters.
    fn default() -> Self {
        Self::new(Format::Xml)
    }
}

/// The first line of a section.
pub(crate) const SECTION_HEADING: &str = "## Skills";

/// What a section says before its skills.
pub(crate) const SECTION_RULES: &str = "\
How to use skills:
- When the user names a skill, with `$name` or in plain words, use that skill.
- When the task clearly matches a skill's description, use that skill.
- When several skills match, use all of them.
- A skill holds for the turn that names it: use it again only when it is named again.

To use a skill, read its file and follow it. The skills:";
