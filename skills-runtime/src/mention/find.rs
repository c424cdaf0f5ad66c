//! The skill that an id names, when it is named alone: for commands, tools and programs.

use crate::catalog::Catalog;
use crate::catalog::entry::Entry;
use crate::mention::notice::Notice;
use crate::mention::resolver::Resolver;
use crate::turn::notices::notice;
use crate::turn::resolution::{Plugins, Policy, Surface};
use skills_format::nfc;

impl Catalog {
    /// Finds the skill that an id names, as a mention of it would: by name, alias or qualified id,
    /// and only one that this surface may start. What stands in the way is a notice.
    pub fn find(&self, id: &str, surface: Surface, plugins: Plugins) -> Result<Entry<'_>, Notice> {
        let policy = Policy {
            plugins,
            ..Policy::DEFAULT
        };
        let resolver = Resolver::new(self, surface, policy);
        let meaning = match self.of_path(id) {
            Some(entry) => resolver.checked(entry),
            None => resolver.meaning(&nfc(id)),
        };
        meaning.entry.ok_or_else(|| {
            let unknown = || Notice::Unknown { id: id.to_owned() };
            notice(surface, id, &meaning.outcome).unwrap_or_else(unknown)
        })
    }
}
