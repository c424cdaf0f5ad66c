//! How the catalog text is written, and its budget.

use crate::options::plugins::Plugins;
use skills_format::Text;

/// How the catalog text is written.
///
/// Start from [`PromptOptions::default`], [`PromptOptions::new`] or
/// [`Profile::prompt`](crate::Profile::prompt), and change fields.
///
/// ```
/// use skills_runtime::options::{Budget, Format, PromptOptions};
///
/// let mut options = PromptOptions::new(Format::Section);
/// assert_eq!(options.heading, "## Skills");
/// assert_eq!(options.budget, Budget::Characters(8_000));
/// options.heading = "## What this agent can do".into();
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PromptOptions {
    /// How each skill is written.
    pub format: Format,
    /// The most that the text may cost. The default is 8,000 characters.
    pub budget: Budget,
    /// The first line. Empty: no line. JSON leaves it out.
    pub heading: Text,
    /// The text between the heading and the skills. Empty: no text. JSON leaves it out.
    pub intro: Text,
    /// Whether a plugin's skills are listed only by their qualified ids.
    pub plugins: Plugins,
}

/// How a skill is written in the catalog text. In every format a description is one line. It cannot end
/// its own entry or begin another entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Format {
    /// `<available_skills>` with a `<skill>` for each skill: `<name>`, `<description>`, `<location>`.
    #[default]
    Xml,
    /// A line `- name: description` for each skill.
    Bullets,
    /// A heading, the rules of use, and for each skill two lines: `- name: description` and `  path: …`.
    Section,
    /// `{"skills":[{"name","description","location"}]}`, one line for each skill.
    Json,
}

/// The most that a catalog text may cost. The whole text counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Budget {
    /// So many characters (Unicode scalar values).
    Characters(usize),
    /// So many estimated tokens.
    Tokens(usize),
    /// No limit.
    Unlimited,
}

impl PromptOptions {
    /// Makes the usual options of a format, with a budget of 8,000 characters. A section has a heading
    /// and rules; the other formats have neither.
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
            plugins: Plugins::Merged,
        }
    }
}

impl Default for PromptOptions {
    /// Returns XML within 8,000 characters.
    fn default() -> Self {
        Self::new(Format::Xml)
    }
}

/// The first line of a section.
pub(crate) const SECTION_HEADING: &str = "## Skills";

/// The rules of a section, before its skills.
pub(crate) const SECTION_RULES: &str = "\
How to use skills:
- When the user names a skill, with `$name` or in plain words, use that skill.
- When the task clearly matches a skill's description, use that skill.
- When several skills match, use all of them.
- A skill holds for the turn that names it: use it again only when it is named again.

To use a skill, read its file and follow it. The skills:";
