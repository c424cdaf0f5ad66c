//! The skill that an id names, when it is named alone: for commands, tools and programs.

use crate::catalog::Catalog;
use crate::entry::Entry;
use crate::meaning::Resolver;
use crate::notice::Notice;
use crate::resolution::{Plugins, Policy, Surface};
use crate::telling::notice;
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
