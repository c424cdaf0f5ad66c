//! The formats of a skill in the catalog text.

/// The format of a skill in the catalog text. In every format a description is one line, and cannot end
/// its own entry or begin another entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
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

impl Format {
    /// Returns the format's name in JSON: `xml`, `bullets`, `files` or `section`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Xml => "xml",
            Self::Bullets => "bullets",
            Self::Files => "files",
            Self::Section => "section",
        }
    }

    /// Returns the text of a skill. `None`: elements of XML.
    pub(crate) fn skill(self) -> Option<&'static str> {
        match self {
            Self::Xml => None,
            Self::Bullets => Some("- {name}: {description}"),
            Self::Files => Some("- {name}: {description} (file: {location})"),
            Self::Section => Some("- {name}: {description}\n  path: {location}"),
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
