//! A skill that a person is asked to trust.

use crate::commands::trust::list::look;
use skills_runtime::Entry;
use skills_runtime::source::{SkillTrust, TrustChanges, TrustRecord};

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
    /// The command that shows what a person would trust.
    pub(crate) fn look(&self) -> String {
        look(&self.id, self.trust())
    }

    /// The trust in the skill as it is now.
    pub(crate) fn trust(&self) -> SkillTrust {
        match &self.changes {
            None => SkillTrust::Untrusted,
            Some(changes) if changes.is_empty() => SkillTrust::Trusted,
            Some(_) => SkillTrust::Changed,
        }
    }

    /// Whether the person trusted the skill as it is now.
    pub(crate) fn is_trusted(&self) -> bool {
        self.trust() == SkillTrust::Trusted
    }
}
