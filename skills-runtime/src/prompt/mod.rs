//! The catalog as text: what a model reads to know which skills there are.

pub(crate) mod budget;
pub(crate) mod format;

use crate::catalog::Catalog;
use crate::catalog::names::for_model;
use crate::catalog::places::Places;
use crate::prompt::budget::{Measure, fit};
use crate::prompt::format::{Format, Item};
use crate::turn::resolution::Plugins;
use skills_format::{Text, estimate_tokens};

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

/// A catalog as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Rendered {
    /// The text; empty when there is no skill, or no room for the smallest text.
    pub text: String,
    /// The skills whose description was shortened, by id, in the catalog's order.
    pub shortened: Vec<String>,
    /// The skills that are not in the text, by id, in the catalog's order.
    pub omitted: Vec<String>,
    /// Those of `omitted` that lie in the program alone, where this host's model needs a path.
    pub without_path: Vec<String>,
    /// Estimated tokens of the text.
    pub tokens: usize,
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

impl Catalog {
    /// The catalog text: every skill that is enabled, trusted and open to the model, in the catalog's
    /// order, each by the id that finds it.
    ///
    /// Over the budget, first descriptions are shortened, all to the same length, at the ends of
    /// words; then skills are left out from the lowest layer up. A text that leaves skills out ends
    /// with a line that says how many. The same catalog and options give the same bytes. Costs about
    /// a microsecond a skill.
    pub fn prompt(&self, options: &PromptOptions) -> Rendered {
        let mut rendered = Rendered::default();
        let mut items = Vec::new();
        let mut order = Vec::new();
        for skill in for_model(self, options.plugins) {
            order.push(skill.id.clone());
            match options.places.file(&skill.entry) {
                Some(location) => items.push(Item::new(skill, location)),
                None => rendered.without_path.push(skill.id.into_owned()),
            }
        }
        let fit = fit(options, &items, rendered.without_path.len());
        let shown = items.get(..fit.shown).unwrap_or_default();
        for item in shown {
            if item.cut(fit.length).is_some() {
                rendered.shortened.push(item.id.to_string());
            }
        }
        let left_out = order.len() - shown.len();
        if left_out > 0 {
            let mut shown = shown.iter().map(|item| &item.id).peekable();
            for id in order {
                if shown.next_if(|shown| **shown == id).is_none() {
                    rendered.omitted.push(id.into_owned());
                }
            }
        }
        if !shown.is_empty() {
            rendered.text = write(options, shown, fit.length, left_out);
            rendered.tokens = estimate_tokens(&rendered.text);
        }
        rendered
    }
}

fn write(options: &PromptOptions, items: &[Item<'_>], length: usize, left_out: usize) -> String {
    let mut text = String::with_capacity(items.iter().map(|item| item.size(length)).sum());
    let format = options.format;
    format.open(&mut text, &options.heading, &options.intro);
    for (i, item) in items.iter().enumerate() {
        format.separate(&mut text, i);
        format.before_description(&mut text, item);
        match item.cut(length) {
            None => format.description(&mut text, &item.description),
            Some(end) => {
                format.description(&mut text, item.description.get(..end).unwrap_or_default());
                text.push('…');
            }
        }
        format.after_description(&mut text, item);
    }
    format.close(&mut text, left_out);
    text
}

impl Measure {
    pub(crate) fn of_budget(budget: Budget) -> (Self, usize) {
        match budget {
            Budget::Characters(most) => (Self::Characters, most),
            Budget::Tokens(most) => (Self::QuarterTokens, most.saturating_mul(4)),
            Budget::Unlimited => (Self::Characters, usize::MAX),
        }
    }
}

#[cfg(all(test, feature = "discover", feature = "macros"))]
mod properties;
#[cfg(all(test, feature = "discover", feature = "macros"))]
mod tests;
