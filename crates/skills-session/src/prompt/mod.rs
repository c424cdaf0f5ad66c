//! The catalog text: the list of skills that a model reads.
//!
//! [`Profile::prompt`] renders the text in one of the [formats](crate::options::Format), within a
//! [`Budget`](crate::options::Budget).
//!
//! ```
//! # use skills_runtime::{Bundle, include_skills};
//! # static SKILLS: Bundle = include_skills!("tests/bundled");
//! use skills_session::options::{Budget, Format};
//! use skills_runtime::Catalog;
//! use skills_session::Profile;
//!
//! let catalog = Catalog::builder().bundle("bundled", &SKILLS).load().catalog;
//! let mut profile = Profile::DEFAULT;
//! profile.catalog.format = Format::Bullets;
//! profile.catalog.budget = Budget::Tokens(1_000);
//! let rendered = profile.prompt(&catalog);
//! assert_eq!(
//!     rendered.text,
//!     "- code-review: Reviews a change. Use before a merge.\n\
//!      - deploy-safely: Deploys with a way back. Use when a version goes out."
//! );
//! assert!(rendered.omitted.is_empty());
//! ```

pub(crate) mod budget;
pub(crate) mod format;
pub(crate) mod rank;

pub use rank::{Ranked, Ranker};

use crate::profile::{CatalogText, Profile};
use crate::prompt::budget::fit;
use crate::prompt::format::Item;
use skills_format::estimate_tokens;
use skills_runtime::Catalog;
use skills_runtime::catalog::Plugins;
use skills_runtime::catalog::ids::for_model;

/// The catalog text, and the skills that did not fit into the budget.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Rendered {
    /// The text. Empty if there is no skill, or if no skill fits into the budget.
    pub text: String,
    /// The ids of the skills whose descriptions were shortened, in the catalog's order.
    pub shortened: Vec<String>,
    /// The ids of the skills that are not in the text, in the catalog's order.
    pub omitted: Vec<String>,
    /// The ids of the skills in `omitted` that have no path to show: bundled skills, with
    /// [`CatalogBuilder::paths_only`](skills_runtime::CatalogBuilder::paths_only).
    pub without_path: Vec<String>,
    /// The size of the text in estimated tokens.
    pub tokens: usize,
}

impl Profile {
    /// Renders the catalog text, which lists each skill that is enabled, trusted, eligible and open to
    /// the model, by its id, in the catalog's order.
    ///
    /// A description over 1,024 characters is always shortened to that length, the maximum of the
    /// specification. If the text exceeds the budget, descriptions are shortened first, all to the same
    /// length, at the ends of words. Then skills are omitted, from the lowest rank up. A text that omits
    /// skills ends with a line with their number. The same catalog and profile give the same bytes.
    ///
    /// # Cost
    ///
    /// About a microsecond a skill.
    pub fn prompt(&self, catalog: &Catalog) -> Rendered {
        render(catalog, &self.catalog, self.mentions.plugins)
    }
}

fn render(catalog: &Catalog, options: &CatalogText, plugins: Plugins) -> Rendered {
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

fn write(options: &CatalogText, items: &[Item<'_>], length: usize, left_out: usize) -> String {
    let mut text = String::with_capacity(items.iter().map(|item| item.size(length)).sum());
    let format = options.format;
    format.open(&mut text, &options.heading, &options.intro);
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
