//! A change of the folders, which the host applies to its current catalog.

use crate::catalog::Catalog;
use crate::catalog::reload::Reloaded;
use skills_format::Diagnostic;

/// A change of the folders, as a [`Watch`](crate::catalog::Watch) delivers it. [`Catalog::apply`] makes
/// the catalog after it.
#[derive(Clone, Debug)]
pub struct Change {
    /// The catalog on which the watch was called.
    pub(crate) origin: Catalog,
    /// The first catalog that the watch read. It has the stamps of its files, which `origin` can be without.
    pub(crate) first: Catalog,
    /// The catalog that was read after the change.
    pub(crate) read: Catalog,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The diagnostics of folders that cannot be watched.
    pub(crate) unwatched: Vec<Diagnostic>,
}

impl Catalog {
    /// Makes the catalog after a change of the folders. The state, the facts and the trust come from
    /// this catalog, so a skill that was disabled or trusted after [`Catalog::watch`] stays disabled or
    /// trusted. The differences are relative to this catalog. A change that this catalog already
    /// contains gives no differences: see [`Reloaded::is_unchanged`].
    ///
    /// # Cost
    ///
    /// Reads nothing if this catalog is the watched catalog, the result of an earlier change, or one of
    /// these with another state or other facts. After [`Catalog::trusting`] and [`Catalog::reload`], the
    /// cost is that of [`Catalog::reload`], and the call blocks.
    pub fn apply(&self, change: &Change) -> Reloaded {
        if self.is_read_as(&change.origin) {
            let catalog = self.with_skills_of(&change.read);
            let mut reloaded = self.compared(catalog, change.diagnostics.clone());
            if !self.has_stamps() {
                reloaded.add_changed(change.first.compared(change.read.clone(), Vec::new()));
            }
            return reloaded;
        }
        let mut reloaded = self.read_again(self.loader().clone(), change.read.sources());
        reloaded.diagnostics.extend_from_slice(&change.unwatched);
        Diagnostic::sort(&mut reloaded.diagnostics);
        reloaded
    }
}
