//! A list of skills as a client writes it.

use crate::client::text::{push_escaped, shares};
use crate::client::{Client, Counts, Kept, Listed, Shown, Unit};

/// The list of a client: every skill with the description that fits in one entry.
pub(super) struct List<'a> {
    pub(super) client: &'a Client,
    pub(super) unit: Unit,
    pub(super) budget: usize,
    pub(super) skills: Vec<Row<'a>>,
}

/// A skill of a list.
pub(super) struct Row<'a> {
    pub(super) skill: Listed<'a>,
    /// On one line, and of the length of one entry.
    pub(super) description: String,
    /// The part that says when to use the skill, where a client keeps it apart.
    pub(super) trigger: Option<String>,
    /// Whether the entry is a part of what the skill says.
    pub(super) is_part: bool,
}

/// What a client writes before the part that says when to use a skill.
pub(super) const TRIGGER: &str = " — Use when: ";

/// What is left of a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fitted {
    Whole,
    /// So many characters of the description, with an ellipsis.
    Length(usize),
    /// So many characters of the description, without an ellipsis.
    Head(usize),
    Bare,
    Gone,
}

impl List<'_> {
    /// What everything costs together, with what stands around it.
    pub(super) fn cost_of_all(&self) -> usize {
        let lines = self
            .skills
            .iter()
            .map(|row| self.cost(row, &self.kept(row, Fitted::Whole)));
        lines.sum::<usize>() + self.client.frame
    }

    /// A skill as it is written.
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
            Fitted::Length(length) => row.first(self.client, length, true),
            Fitted::Head(length) => row.first(self.client, length, false),
            Fitted::Bare => (String::new(), Shown::Bare),
        };
        let shown = match shown {
            _ if description.is_empty() && !row.description.is_empty() => Shown::Bare,
            Shown::Whole if row.is_part => Shown::Shortened,
            shown => shown,
        };
        let client = self.client;
        let template = if description.is_empty() {
            &client.bare
        } else {
            &client.line
        };
        let mut line = String::new();
        for part in template.split_inclusive('}') {
            let (text, hole) = part.rsplit_once('{').unwrap_or((part, ""));
            line.push_str(text);
            let value = match hole {
                "name}" => row.skill.name,
                "description}" => &description,
                "location}" => row.skill.location,
                _ => continue,
            };
            push_escaped(&mut line, value, &client.escape);
        }
        Kept {
            shown,
            description,
            line,
        }
    }

    /// What a skill costs as it is written.
    pub(super) fn cost(&self, row: &Row<'_>, kept: &Kept) -> usize {
        match self.client.counts {
            _ if kept.shown == Shown::Gone => 0,
            Counts::Texts => self.unit.of(row.skill.name) + self.unit.of(&kept.description),
            // With the end of the line.
            Counts::Line if self.unit == Unit::Tokens => (kept.line.len() + 1).div_ceil(4),
            Counts::Line => self.unit.of(&kept.line) + 1,
        }
    }
}

impl Row<'_> {
    /// How many characters the description has.
    pub(super) fn length(&self) -> usize {
        self.description.chars().count()
            + self
                .trigger
                .as_ref()
                .map_or(0, |trigger| trigger.chars().count())
    }

    /// The description with the part that says when to use the skill, each of at most so many characters.
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

    /// The description in so many characters, with an ellipsis or without.
    fn first(&self, client: &Client, length: usize, ellipsis: bool) -> (String, Shown) {
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
            client.shortened(&self.description, rest),
            client.shortened(trigger, of_trigger),
        );
        (self.joined(Some((&parts.0, &parts.1))), Shown::Shortened)
    }
}
