//! The list of skills for the model, within a budget.

pub(crate) mod budget;
pub(crate) mod format;
pub(crate) mod options;

pub use crate::settings::Budget;
pub use budget::SHORTEST;
pub use options::{Format, ListText, SECTION_HEADING, SECTION_RULES};

use crate::catalog::Catalog;
use crate::catalog::ids::for_model;
use crate::catalog::plugins::Plugins;
use crate::prompt::budget::fit;
use crate::prompt::format::Item;
use skills_format::estimate_tokens;

/// The catalog text, and the skills that did not fit into the budget.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Rendered {
    /// The text. Empty if there is no skill, or if no skill fits into the budget.
    pub text: String,
    /// The ids of the skills whose descriptions were shortened, in the catalog's order.
    pub shortened: Vec<String>,
    /// The ids of the skills that are not in the text, in the catalog's order.
    pub omitted: Vec<String>,
    /// The ids of the skills in `omitted` that have no path to show: bundled skills, with
    /// [`CatalogBuilder::paths_only`](crate::CatalogBuilder::paths_only).
    pub without_path: Vec<String>,
    /// The size of the text in estimated tokens.
    pub tokens: usize,
}

impl Catalog {
    /// Returns the text for the system prompt: the skills that the model may start, and the name of the one tool that
    /// starts them. Empty: there are none.
    pub fn prompt(&self) -> String {
        let settings = self.settings();
        let intro = format!(
            "Call the tool `{}` with the name of a skill when a task matches its description.",
            settings.tool
        );
        let text = ListText {
            format: Format::Xml,
            budget: settings.budget,
            heading: "",
            intro: &intro,
        };
        self.list(&text, Plugins::Merged).text
    }

    /// Renders the list of the skills that are enabled, trusted, eligible and open to the model, in the catalog's order.
    ///
    /// A description over 1,024 characters is always shortened to that length. If the text exceeds the budget,
    /// descriptions are shortened first, all to the same length, at the ends of words. Then skills are omitted, from the
    /// lowest rank up, and the text ends with their number.
    ///
    /// # Cost
    ///
    /// About a microsecond a skill.
    pub fn list(&self, text: &ListText<'_>, plugins: Plugins) -> Rendered {
        render(self, text, plugins)
    }
}

fn render(catalog: &Catalog, options: &ListText<'_>, plugins: Plugins) -> Rendered {
    let mut rendered = Rendered::default();
    let mut items = Vec::new();
    let mut order = Vec::new();
    for skill in for_model(catalog, plugins) {
        order.push(skill.id.clone());
        match catalog.places().file(&skill.entry) {
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

fn write(options: &ListText<'_>, items: &[Item<'_>], length: usize, left_out: usize) -> String {
    let mut text = String::with_capacity(items.iter().map(|item| item.size(length)).sum());
    let format = options.format;
    format.open(&mut text, options.heading, options.intro);
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            text.push('\n');
        }
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

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
