//! The list of skills for the model, within a budget. `skills-render` writes it.

use crate::catalog::Catalog;
use crate::catalog::ids::for_model;
use crate::catalog::plugins::Plugins;
use skills_render::{Item, List, ListText};

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
            budget: settings.budget,
            intro: &intro,
            ..ListText::default()
        };
        self.list(&text, Plugins::Merged).text
    }

    /// Writes the list of the skills that are enabled, trusted, eligible and open to the model, in the catalog's order.
    /// A bundled skill has no path under [`CatalogBuilder::paths_only`](crate::CatalogBuilder::paths_only), and is omitted.
    ///
    /// # Cost
    ///
    /// About a microsecond a skill.
    pub fn list(&self, text: &ListText<'_>, plugins: Plugins) -> List {
        text.list(
            for_model(self, plugins).map(|skill| match self.places().file(&skill.entry) {
                Some(location) => Ok(Item::new(skill.id, skill.entry.description(), location)),
                None => Err(skill.id),
            }),
        )
    }
}

#[cfg(test)]
mod tests;
