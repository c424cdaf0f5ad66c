//! A skill that a person is asked to trust.

use crate::commands::trust::list::look;
use skills_format::text::command::Command;
use skills_runtime::Entry;
use skills_runtime::source::{SkillTrust, TrustChanges, TrustRecord};

/// A skill, and the record that is to be trusted.
pub(crate) struct PlannedTrust<'c> {
    pub(crate) id: String,
    /// The skill in the catalog without records.
    pub(crate) entry: Entry<'c>,
    pub(crate) record: TrustRecord,
    /// The changes since the skill was trusted. `None` for a skill that was never trusted.
    pub(crate) changes: Option<TrustChanges>,
    /// True when the person named the version by its digest.
    pub(crate) is_named_by_digest: bool,
}

impl PlannedTrust<'_> {
    /// Returns the command that shows the version that a person would trust.
    pub(crate) fn look(&self) -> Command {
        look(&self.id, self.trust())
    }

    /// Returns the trust in the present skill.
    pub(crate) fn trust(&self) -> SkillTrust {
        match &self.changes {
            None => SkillTrust::Untrusted,
            Some(changes) if changes.is_empty() => SkillTrust::Trusted,
            Some(_) => SkillTrust::Changed,
        }
    }

    /// Returns whether the person trusts the present skill.
    pub(crate) fn is_trusted(&self) -> bool {
        self.trust() == SkillTrust::Trusted
    }
}
