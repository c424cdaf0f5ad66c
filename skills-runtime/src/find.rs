//! The skill that an id names, when it is named alone: for commands, tools and programs.

use crate::catalog::Catalog;
use crate::entry::Entry;
use crate::notice::Notice;
use crate::resolution::{Outcome, Plugins, Policy, Surface};
use crate::resolve::Resolver;

impl Catalog {
    /// Finds the skill that an id names, as a mention of it would: by name, alias or qualified id,
    /// and only one that this surface may start. What stands in the way is a notice.
    pub fn find(&self, id: &str, surface: Surface, plugins: Plugins) -> Result<Entry<'_>, Notice> {
        let policy = Policy {
            plugins,
            ..Policy::DEFAULT
        };
        let resolver = Resolver {
            catalog: self,
            surface,
            policy,
        };
        let meaning = resolver.meaning(id);
        meaning
            .entry
            .ok_or_else(|| notice(id, meaning.outcome, surface))
    }
}

/// What is told of an outcome that is no skill.
fn notice(id: &str, outcome: Outcome, surface: Surface) -> Notice {
    let id = id.to_owned();
    match outcome {
        Outcome::Suggestion { suggestion, .. } => Notice::Suggestion { id, suggestion },
        Outcome::Ambiguous {
            candidates, use_id, ..
        } => Notice::Ambiguous {
            id,
            candidates,
            use_id,
        },
        Outcome::Disabled { skill } => Notice::Disabled { skill },
        Outcome::Untrusted { skill } => Notice::Untrusted { skill },
        Outcome::Ineligible { skill, needs } => Notice::Ineligible { skill, needs },
        Outcome::NotInvocable { skill } if surface == Surface::Model => Notice::UserOnly { skill },
        Outcome::NotInvocable { skill } => Notice::ModelOnly { skill },
        _ => Notice::Unknown { id },
    }
}
