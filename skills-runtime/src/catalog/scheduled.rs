//! Loads scheduled skills into a catalog of their own.

use crate::catalog::Catalog;
use crate::catalog::builder::CatalogBuilder;
use crate::catalog::entry::Entry;
use skills_format::Diagnostic;

/// The name of the source of scheduled skills.
const SOURCE: &str = "scheduler";

impl CatalogBuilder {
    /// Reads the folder of scheduled skills. A missing folder holds no skill.
    pub(crate) fn read_scheduled(&self) -> (Option<Catalog>, Vec<Diagnostic>) {
        let Some(folder) = &self.scheduled else {
            return (None, Vec::new());
        };
        let builder = Catalog::builder().directory(SOURCE, folder);
        let loaded = builder.places(self.places.clone()).load();
        (Some(loaded.catalog), loaded.diagnostics)
    }
}

impl Catalog {
    /// Finds a scheduled skill by its id in this catalog: `scheduler:NAME`.
    pub fn scheduled_skill(&self, id: &str) -> Option<Entry<'_>> {
        let (source, name) = id.rsplit_once(':')?;
        if source != SOURCE {
            return None;
        }
        self.scheduled()?.in_source(source, name)
    }
}
