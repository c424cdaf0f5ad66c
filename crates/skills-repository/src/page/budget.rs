//! The part of the skills' names and descriptions that each client shows a model.

use crate::page::{Page, PageSkill};
use skills_clients::client::listings;
use skills_clients::listing::{Listed, Shown, Unit};

/// What one client shows of all bundles. Each bundle has the whole budget to itself.
pub(crate) struct Budget<'p> {
    pub(crate) client: &'static str,
    pub(crate) unit: Unit,
    pub(crate) limit: usize,
    /// The size of the uncut list of the bundle with the longest list, with the client's own skills.
    pub(crate) size: usize,
    /// The part of that size that the client's own skills take.
    pub(crate) own: usize,
    /// The name of that bundle.
    pub(crate) bundle: &'p str,
    pub(crate) whole: usize,
    /// The names of the skills that are left out, are shown by name alone, or have a shortened description.
    pub(crate) gone: Vec<&'p str>,
    pub(crate) bare: Vec<&'p str>,
    pub(crate) shortened: Vec<&'p str>,
}

impl Budget<'_> {
    pub(crate) fn shows_all(&self) -> bool {
        self.gone.is_empty() && self.bare.is_empty() && self.shortened.is_empty()
    }
}

/// Returns what each client that has a budget shows.
pub(crate) fn budgets(page: &Page) -> Vec<Budget<'_>> {
    let mut budgets = Vec::new();
    for client in listings().filter(|client| client.has_budget()) {
        let empty = client.cut(page.context, &[]);
        let mut budget = Budget {
            client: match client.name.as_str() {
                // A reader of the page does not know the profile that this project calls its default.
                "default" => "Programs built on skills-runtime",
                _ => &client.title,
            },
            unit: empty.unit,
            limit: empty.budget,
            size: 0,
            own: empty.whole,
            bundle: "",
            whole: 0,
            gone: Vec::new(),
            bare: Vec::new(),
            shortened: Vec::new(),
        };
        for bundle in &page.bundles {
            let offered: Vec<&PageSkill> = bundle.skills.iter().filter(|s| is_offered(s)).collect();
            if offered.is_empty() {
                continue;
            }
            let listed: Vec<Listed<'_>> = offered.iter().map(|skill| listed(skill)).collect();
            let cut = client.cut(page.context, &listed);
            if cut.whole > budget.size {
                (budget.size, budget.bundle) = (cut.whole, &bundle.name);
            }
            for (skill, kept) in offered.iter().zip(&cut.skills) {
                match kept.shown {
                    Shown::Gone => budget.gone.push(&skill.name),
                    Shown::Bare => budget.bare.push(&skill.name),
                    Shown::Shortened => budget.shortened.push(&skill.name),
                    _ => budget.whole += 1,
                }
            }
        }
        if budget.size > 0 {
            budgets.push(budget);
        }
    }
    budgets
}

/// Returns whether a client lists the skill. A broken skill without a description is listed nowhere.
pub(crate) const fn is_offered(skill: &PageSkill) -> bool {
    !(skill.is_for_people_alone || skill.is_broken && skill.description.is_empty())
}

fn listed(skill: &PageSkill) -> Listed<'_> {
    Listed {
        name: &skill.name,
        description: &skill.description,
        when_to_use: &skill.when_to_use,
        location: &skill.location,
        root: "",
    }
}
