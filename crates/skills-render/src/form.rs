//! The form of a list of skills for a model.

// A text that omits skills ends with a line that counts them. In XML this line is a comment after the
// root, so that a parser still reads the text.

use crate::escape::push_xml;
use skills_format::text::shorten::{cut_known, one_line};
use std::borrow::Cow;

/// The form of the list: the text around the skills, the text of each skill, and the budget. A description is one line, and
/// cannot end its own entry or begin another entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListText<'a> {
    /// The maximum cost of the text.
    pub budget: Budget,
    /// The first line. Empty: no line.
    pub heading: &'a str,
    /// The text between the heading and the skills. Empty: no text.
    pub intro: &'a str,
    /// A skill: a text with `{name}`, `{description}` and perhaps `{location}`, in this order.
    pub skill: &'a str,
    /// True: the skills are the elements of `<available_skills>`, and their values are escaped.
    pub is_xml: bool,
}

impl Default for ListText<'_> {
    /// Elements of XML within 8,000 characters, without a heading and an intro.
    fn default() -> Self {
        Self {
            budget: Budget::Characters(8_000),
            heading: "",
            intro: "",
            skill: "<skill>\n<name>{name}</name>\n<description>{description}</description>\n\
                    <location>{location}</location>\n</skill>",
            is_xml: true,
        }
    }
}

/// The maximum cost of a list. The heading, the intro and the tags count too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
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

/// One skill of the list.
#[derive(Clone, Debug)]
pub struct Item<'c> {
    pub(crate) id: Cow<'c, str>,
    /// As one line.
    pub(crate) description: Cow<'c, str>,
    location: String,
    is_ascii: bool,
}

impl<'c> Item<'c> {
    /// Makes the item of a skill. `location` must not hold a line end.
    pub fn new(id: Cow<'c, str>, description: &'c str, location: String) -> Self {
        let description = one_line(description);
        Self {
            id,
            is_ascii: description.is_ascii(),
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
        cut_known(&self.description, length, self.is_ascii)
    }

    /// Returns the approximate size in bytes.
    fn size(&self, length: usize) -> usize {
        let most = length.saturating_mul(4);
        self.id.len() + self.description.len().min(most) + self.location.len() + 128
    }
}

/// A form whose text of a skill is split.
pub(crate) struct Form<'a> {
    pub(crate) text: &'a ListText<'a>,
    /// What stands before the name, the description and the location, and at the end.
    parts: [&'a str; 4],
    has_location: bool,
}

impl<'a> Form<'a> {
    pub(crate) fn new(text: &'a ListText<'a>) -> Self {
        let (before, rest) = text.skill.split_once("{name}").unwrap_or_default();
        let (after_name, rest) = rest.split_once("{description}").unwrap_or((rest, ""));
        let location = rest.split_once("{location}");
        let (after_description, end) = location.unwrap_or((rest, ""));
        Self {
            text,
            parts: [before, after_name, after_description, end],
            has_location: location.is_some(),
        }
    }

    pub(crate) fn write(&self, items: &[Item<'_>], length: usize, left_out: usize) -> String {
        let mut text = String::with_capacity(items.iter().map(|item| item.size(length)).sum());
        self.open(&mut text);
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                text.push('\n');
            }
            self.before_description(&mut text, item);
            match item.cut(length) {
                None => self.push(&mut text, &item.description),
                Some(end) => {
                    self.push(&mut text, &item.description[..end]);
                    text.push('…');
                }
            }
            self.after_description(&mut text, item);
        }
        self.close(&mut text, left_out);
        text
    }

    fn push(&self, out: &mut String, value: &str) {
        if self.text.is_xml {
            push_xml(out, value);
        } else {
            out.push_str(value);
        }
    }

    /// Writes the text before the first skill.
    pub(crate) fn open(&self, out: &mut String) {
        for part in [self.text.heading, self.text.intro] {
            if !part.is_empty() {
                out.push_str(part);
                out.push_str("\n\n");
            }
        }
        if self.text.is_xml {
            out.push_str("<available_skills>\n");
        }
    }

    pub(crate) fn before_description(&self, out: &mut String, item: &Item<'_>) {
        out.push_str(self.parts[0]);
        self.push(out, &item.id);
        out.push_str(self.parts[1]);
    }

    pub(crate) fn after_description(&self, out: &mut String, item: &Item<'_>) {
        out.push_str(self.parts[2]);
        if self.has_location {
            self.push(out, &item.location);
            out.push_str(self.parts[3]);
        }
    }

    /// Writes the text after the last skill, with the number of omitted skills.
    pub(crate) fn close(&self, out: &mut String, left_out: usize) {
        if self.text.is_xml {
            out.push_str("\n</available_skills>");
        }
        let note = match left_out {
            0 => return,
            1 => "1 more skill is not shown; list_skills shows it.".to_owned(),
            n => format!("{n} more skills are not shown; list_skills shows them."),
        };
        let (before, after) = if self.text.is_xml {
            ("\n<!-- ", " -->")
        } else {
            ("\n\n", "")
        };
        for part in [before, &note, after] {
            out.push_str(part);
        }
    }
}
