//! The formats of a catalog text.

// A text that omits skills ends with a line that counts them. In XML this line is a comment after the
// root, so that a parser still reads the text.

use crate::catalog::ids::Listed;
use crate::escape::push_xml;
use crate::prompt::options::Format;
use skills_format::text::shorten::{cut_known, one_line};
use std::borrow::Cow;

/// One skill of the text.
pub(crate) struct Item<'c> {
    pub(crate) id: Cow<'c, str>,
    /// The description as one line.
    pub(crate) description: Cow<'c, str>,
    pub(crate) location: String,
    /// `true` if the description is ASCII.
    pub(crate) ascii: bool,
}

impl<'c> Item<'c> {
    /// Makes the item of a listed skill. `location` must not hold a line end.
    pub(crate) fn new(skill: Listed<'c>, location: String) -> Self {
        let description = one_line(skill.entry.description());
        Self {
            id: skill.id,
            ascii: description.is_ascii(),
            description,
            location,
        }
    }

    /// Returns the number of bytes that a limit of `length` characters leaves of the description.
    /// Returns `None` if the description is not cut.
    pub(crate) fn cut(&self, length: usize) -> Option<usize> {
        if self.description.len() <= length {
            return None;
        }
        cut_known(&self.description, length, self.ascii)
    }

    /// Returns the approximate size in bytes.
    pub(crate) fn size(&self, length: usize) -> usize {
        let most = length.saturating_mul(4);
        self.id.len() + self.description.len().min(most) + self.location.len() + 128
    }
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

    /// Writes the text before the first skill.
    pub(crate) fn open(self, out: &mut String, heading: &str, intro: &str) {
        for part in [heading, intro] {
            if !part.is_empty() {
                out.push_str(part);
                out.push_str("\n\n");
            }
        }
        if self == Self::Xml {
            out.push_str("<available_skills>\n");
        }
    }

    pub(crate) fn before_description(self, out: &mut String, item: &Item<'_>) {
        match self {
            Self::Xml => {
                out.push_str("<skill>\n<name>");
                push_xml(out, &item.id);
                out.push_str("</name>\n<description>");
            }
            Self::Bullets | Self::Files | Self::Section => {
                out.push_str("- ");
                out.push_str(&item.id);
                out.push_str(": ");
            }
        }
    }

    /// Writes a description with the escapes of the format. The description is one line.
    pub(crate) fn description(self, out: &mut String, text: &str) {
        match self {
            Self::Xml => push_xml(out, text),
            Self::Bullets | Self::Files | Self::Section => out.push_str(text),
        }
    }

    pub(crate) fn after_description(self, out: &mut String, item: &Item<'_>) {
        match self {
            Self::Xml => {
                out.push_str("</description>\n<location>");
                push_xml(out, &item.location);
                out.push_str("</location>\n</skill>");
            }
            Self::Bullets => {}
            Self::Files => {
                out.push_str(" (file: ");
                out.push_str(&item.location);
                out.push(')');
            }
            Self::Section => {
                out.push_str("\n  path: ");
                out.push_str(&item.location);
            }
        }
    }

    /// Writes the text after the last skill, with the number of omitted skills.
    pub(crate) fn close(self, out: &mut String, left_out: usize) {
        match self {
            Self::Xml => out.push_str("\n</available_skills>"),
            Self::Bullets | Self::Files | Self::Section => {}
        }
        if left_out > 0 {
            let note = match left_out {
                1 => "1 more skill is not shown; list_skills shows it.".to_owned(),
                n => format!("{n} more skills are not shown; list_skills shows them."),
            };
            let (before, after) = match self {
                Self::Xml => ("\n<!-- ", " -->"),
                Self::Bullets | Self::Files | Self::Section => ("\n\n", ""),
            };
            out.push_str(before);
            out.push_str(&note);
            out.push_str(after);
        }
    }
}
