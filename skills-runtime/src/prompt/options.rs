//! The format and the budget of the catalog text.

use crate::settings::Budget;

/// The format of a skill in the catalog text. In every format a description is one line, and cannot end
/// its own entry or begin another entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
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
}

/// The text around the list of skills, its format and its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListText<'a> {
    /// The format of each skill.
    pub format: Format,
    /// The maximum cost of the text.
    pub budget: Budget,
    /// The first line. Empty: no line.
    pub heading: &'a str,
    /// The text between the heading and the skills. Empty: no text.
    pub intro: &'a str,
}

impl ListText<'static> {
    /// Makes the usual text of a format, within 8,000 characters. [`Format::Section`] has a heading and rules; the other
    /// formats have neither.
    pub const fn new(format: Format) -> Self {
        let (heading, intro) = match format {
            Format::Section => (SECTION_HEADING, SECTION_RULES),
            _ => ("", ""),
        };
        Self {
            format,
            budget: Budget::Characters(8_000),
            heading,
            intro,
        }
    }
}

/// The first line of a section.
pub const SECTION_HEADING: &str = "## Skills";

/// The rules of a section, before its skills.
pub const SECTION_RULES: &str = "\
How to use skills:
- When the user names a skill, with `$name` or in plain words, use that skill.
- When the task clearly matches a skill's description, use that skill.
- When several skills match, use all of them.
- A skill holds for the turn that names it: use it again only when it is named again.

To use a skill, read its file and follow it. The skills:";
