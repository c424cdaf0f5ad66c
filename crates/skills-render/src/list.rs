//! The list of skills for a model, within its budget.

use crate::budget::fit;
use crate::form::{Form, Item, ListText};
use skills_format::estimate_tokens;
use std::borrow::Cow;

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
    /// The ids of the skills in `omitted` that have no location to show.
    pub without_path: Vec<String>,
    /// The size of the text in estimated tokens.
    pub tokens: usize,
}

impl ListText<'_> {
    /// Writes the skills, each with a location or an id alone: a skill without a location is omitted.
    ///
    /// A description over 1,024 characters is always shortened to that length. If the text exceeds the budget,
    /// descriptions are shortened first, all to the same length, at the ends of words. Then skills are omitted, from the
    /// last up, and the text ends with their number.
    ///
    /// # Cost
    ///
    /// About a microsecond a skill.
    pub fn list<'c>(
        &self,
        skills: impl IntoIterator<Item = Result<Item<'c>, Cow<'c, str>>>,
    ) -> List {
        let mut list = List::default();
        let mut items = Vec::new();
        let mut order = Vec::new();
        for skill in skills {
            match skill {
                Ok(item) => {
                    order.push(item.id.clone());
                    items.push(item);
                }
                Err(id) => {
                    order.push(id.clone());
                    list.without_path.push(id.into_owned());
                }
            }
        }
        let form = Form::new(self);
        let fit = fit(&form, &items, list.without_path.len());
        let shown = &items[..fit.shown];
        for item in shown {
            if item.cut(fit.length).is_some() {
                list.shortened.push(item.id.to_string());
            }
        }
        let left_out = order.len() - shown.len();
        if left_out > 0 {
            let mut shown = shown.iter().map(|item| &item.id).peekable();
            for id in order {
                if shown.next_if(|shown| **shown == id).is_none() {
                    list.omitted.push(id.into_owned());
                }
            }
        }
        if !shown.is_empty() {
            list.text = form.write(shown, fit.length, left_out);
            list.tokens = estimate_tokens(&list.text);
        }
        list
    }
}

#[cfg(test)]
mod tests;
