//! A skill that a person is asked to trust.

use skills_runtime::Entry;
use skills_runtime::source::{TrustChanges, TrustRecord};

/// A skill that is to be trusted.
pub(crate) struct Planned<'c> {
    pub(crate) id: String,
    /// The skill in the catalog without records.
    pub(crate) entry: Entry<'c>,
    pub(crate) record: TrustRecord,
    /// What changed since it was trusted. `None`: it was never trusted.
    pub(crate) changes: Option<TrustChanges>,
    /// Whether the person named the version.
    pub(crate) is_named_by_digest: bool,
}

impl Planned<'_> {
    /// Whether the person trusted the skill as it is now.
    pub(crate) fn is_trusted(&self) -> bool {
        self.changes.as_ref().is_some_and(TrustChanges::is_empty)
    }
}
