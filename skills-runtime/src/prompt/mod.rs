//! The catalog as text: what a model reads to know which skills there are.

pub(crate) mod budget;
pub(crate) mod format;
pub(crate) mod options;

pub use format::Format;
pub use options::{Budget, PromptOptions};

use crate::catalog::Catalog;
use crate::catalog::ids::for_model;
use crate::prompt::budget::fit;
use crate::prompt::format::Item;
use skills_format::estimate_tokens;

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

#[cfg(all(test, feature = "discover", feature = "macros"))]
mod properties;
#[cfg(all(test, feature = "discover", feature = "macros"))]
mod tests;
