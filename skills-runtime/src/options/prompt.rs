//! The format and the budget of the catalog text.

use crate::options::plugins::Plugins;
use skills_format::Text;

/// The options of the catalog text, the list of skills for a model.
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
    /// The format of each skill.
    pub format: Format,
    /// The maximum cost of the text. The default is 8,000 characters.
    pub budget: Budget,
    /// The first line. Empty: no line. Ignored for JSON.
    pub heading: Text,
    /// The text between the heading and the skills. Empty: no text. Ignored for JSON.
    pub intro: Text,
    /// The ids by which a plugin's skills are listed.
    pub plugins: Plugins,
}

/// The format of a skill in the catalog text. In every format a description is one line, and cannot end
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
    /// A line `- name: description (file: …)` for each skill.
    Files,
    /// A heading and the rules of use, then two lines for each skill: `- name: description` and `  path:
    /// …`.
    Section,
    /// `{"skills":[{"name","description","location"}]}`, one line for each skill.
    Json,
}

/// The maximum cost of a catalog text. The heading, the intro and the tags count too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Budget {
    /// A maximum number of characters (Unicode scalar values).
    Characters(usize),
    /// A maximum number of estimated tokens.
    Tokens(usize),
    /// No limit.
    Unlimited,
}

impl PromptOptions {
    /// Makes the usual options of a format, with a budget of 8,000 characters. [`Format::Section`] has a
    /// heading and rules; the other formats have neither.
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
    /// Returns the options for XML within 8,000 characters.
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
