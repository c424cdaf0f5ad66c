//! The list of skills for a model, within its budget.

use crate::budget::fit;
use crate::form::{Form, Item, ListText};
use skills_format::estimate_tokens;

/// The text, and the skills that did not fit into the budget.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct List {
    /// The text. Empty if there is no skill, or if no skill fits into the budget.
    pub text: String,
    /// The ids of the skills whose descriptions were shortened, in the order of the items.
    pub shortened: Vec<String>,
    /// The ids of the skills that are not in the text, in the order of the items.
    pub omitted: Vec<String>,
    /// The size of the text in estimated tokens.
    pub tokens: usize,
}

impl ListText<'_> {
    /// Writes the skills.
    ///
    /// A description over 1,024 characters is always shortened to that length. If the text exceeds the budget,
    /// descriptions are shortened first, all to the same length, at the ends of words. Then skills are omitted, from the
    /// last up, and the text ends with their number.
    ///
    /// # Cost
    ///
    /// About a microsecond a skill.
    pub fn list<'c>(&self, skills: impl IntoIterator<Item = Item<'c>>) -> List {
        let items: Vec<Item<'_>> = skills.into_iter().collect();
        let form = Form::new(self);
        let (shown, length) = fit(&form, &items);
        let (shown, omitted) = items.split_at(shown);
        let cut = shown.iter().filter(|item| item.cut(length).is_some());
        let text = match shown {
            [] => String::new(),
            shown => form.write(shown, length, omitted.len()),
        };
        List {
            tokens: estimate_tokens(&text),
            text,
            shortened: cut.map(|item| item.id.to_string()).collect(),
            omitted: omitted.iter().map(|item| item.id.to_string()).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
