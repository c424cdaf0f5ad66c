//! A list of skills as a client renders it.

use crate::listing::text::{push_escaped, push_html, shares};
use crate::listing::{Counts, Kept, Listed, Listing, Shown, Unit};
use std::borrow::Cow;

/// A client's list: every skill, with its description cut to the maximum of an entry.
pub(super) struct List<'a> {
    pub(super) listing: &'a Listing,
    pub(super) unit: Unit,
    pub(super) budget: usize,
    /// The cost of the names for folders.
    pub(super) table: usize,
    pub(super) skills: Vec<Row<'a>>,
}

/// One skill of a list.
pub(super) struct Row<'a> {
    pub(super) skill: Listed<'a>,
    /// The path as the client writes it.
    pub(super) location: Cow<'a, str>,
    /// True if the description is never cut.
    pub(super) keeps: bool,
    /// The description on one line, cut to the maximum of an entry.
    pub(super) description: String,
    /// The trigger part ("use when …"), if the client separates it from the description.
    pub(super) trigger: Option<String>,
    /// True if the entry's maximum cut the description.
    pub(super) is_part: bool,
}

/// The text that a client writes before the trigger part.
pub(super) const TRIGGER: &str = " — Use when: ";

/// The form in which a skill fits into the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fitted {
    Whole,
    /// At most this many characters of the description, with an ellipsis.
    Length(usize),
    /// At most this many characters of the description, without an ellipsis.
    Head(usize),
    Bare,
    Gone,
}

impl List<'_> {
    /// Returns the cost of the whole list, with the text around it.
    pub(super) fn cost_of_all(&self) -> usize {
        let lines = self
            .skills
            .iter()
            .map(|row| self.cost(row, &self.kept(row, Fitted::Whole)));
        self.with_frame(lines.sum())
    }

    /// Adds the text around the lines to their cost.
    pub(super) fn with_frame(&self, lines: usize) -> usize {
        let last = usize::from(self.listing.counts == Counts::Joined);
        (lines + self.listing.frame + self.table).saturating_sub(last)
    }

    /// Renders a skill in a form.
    pub(super) fn kept(&self, row: &Row<'_>, fitted: Fitted) -> Kept {
        let (description, shown) = match fitted {
            Fitted::Gone => {
                return Kept {
                    shown: Shown::Gone,
                    description: String::new(),
                    line: String::new(),
                };
            }
            Fitted::Whole => (row.joined(None), Shown::Whole),
            Fitted::Length(length) => row.first(self.listing, length, true),
            Fitted::Head(length) => row.first(self.listing, length, false),
            Fitted::Bare => (String::new(), Shown::Bare),
        };
        let shown = match shown {
            _ if description.is_empty() && !row.description.is_empty() => Shown::Bare,
            Shown::Whole if row.is_part => Shown::Shortened,
            shown => shown,
        };
        let listing = self.listing;
        let template = if description.is_empty() {
            &listing.bare
        } else {
            &listing.line
        };
        let mut line = String::new();
        for part in template.split_inclusive('}') {
            let (text, hole) = part.rsplit_once('{').unwrap_or((part, ""));
            line.push_str(text);
            match hole {
                "name}" => push_escaped(&mut line, row.skill.name, &listing.escape),
                "description}" => push_escaped(&mut line, &description, &listing.escape),
                "location}" => match &listing.location_escape {
                    Some(escaped) => push_html(&mut line, &row.location, escaped),
                    None => push_escaped(&mut line, &row.location, &listing.escape),
                },
                _ => {}
            }
        }
        Kept {
            shown,
            description,
            line,
        }
    }

    /// Returns the cost of a rendered skill.
    pub(super) fn cost(&self, row: &Row<'_>, kept: &Kept) -> usize {
        match self.listing.counts {
            _ if kept.shown == Shown::Gone => 0,
            Counts::Texts => self.unit.of(row.skill.name) + self.unit.of(&kept.description),
            // Plus the line feed.
            Counts::Line if self.unit == Unit::Tokens => (kept.line.len() + 1).div_ceil(4),
            Counts::Line | Counts::Joined => self.unit.of(&kept.line) + 1,
        }
    }
}

impl Row<'_> {
    /// Returns the length of the description in characters.
    pub(super) fn length(&self) -> usize {
        self.description.chars().count()
            + self
                .trigger
                .as_ref()
                .map_or(0, |trigger| trigger.chars().count())
    }

    /// Joins the description and its trigger part, or shortened versions of both.
    fn joined(&self, parts: Option<(&str, &str)>) -> String {
        let (rest, trigger) = parts.unwrap_or((
            &self.description,
            self.trigger.as_deref().unwrap_or_default(),
        ));
        match (rest, trigger) {
            (rest, "") => rest.to_owned(),
            ("", trigger) => format!("{}{trigger}", TRIGGER.trim_start_matches([' ', '—'])),
            (rest, trigger) => format!("{rest}{TRIGGER}{trigger}"),
        }
    }

    /// Cuts the description to a number of characters, with or without an ellipsis.
    fn first(&self, listing: &Listing, length: usize, ellipsis: bool) -> (String, Shown) {
        if self.length() <= length {
            return (self.joined(None), Shown::Whole);
        }
        if length == 0 {
            return (String::new(), Shown::Bare);
        }
        if !ellipsis {
            return (
                self.description.chars().take(length).collect(),
                Shown::Shortened,
            );
        }
        let (rest, of_trigger) = shares(&self.description, self.trigger.as_deref(), length);
        let trigger = self.trigger.as_deref().unwrap_or_default();
        let parts = (
            listing.shortened(&self.description, rest),
            listing.shortened(trigger, of_trigger),
        );
        (self.joined(Some((&parts.0, &parts.1))), Shown::Shortened)
    }
}
