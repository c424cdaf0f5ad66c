//! The list of skills for the model, within a budget. `skills-render` writes it.

use crate::catalog::Catalog;
use skills_render::{Budget, Item, List, ListText};

impl Catalog {
    /// Returns the text for the system prompt: the skills that the model may start, and the name of the one tool that
    /// starts them, `skill`. At most 8,000 characters; `skills-session` has other budgets, forms and tools. Empty: there
    /// are none.
    pub fn prompt(&self) -> String {
        let text = ListText {
            budget: Budget::Characters(8_000),
            intro: "Call the tool `skill` with the name of a skill when a task matches its description.",
            ..ListText::default()
        };
        self.list(&text).text
    }

    /// Writes the list of the skills that are enabled, trusted, eligible and open to the model, in the catalog's order.
    ///
    /// # Cost
    ///
    /// About a microsecond a skill.
    pub(crate) fn list(&self, text: &ListText<'_>) -> List {
        let for_model = self.iter().filter_map(|skill| {
            let is_closed = skill.fields().disable_model_invocation || !skill.is_enabled();
            let id = (!is_closed && skill.missing().is_empty()).then(|| skill.listed_as());
            Some((id??, skill))
        });
        text.list(for_model.map(|(id, skill)| Item::new(id, skill.description(), skill.place())))
    }
}

#[cfg(test)]
mod tests;
