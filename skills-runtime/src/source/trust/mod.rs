//! Decides whether a skill may be started.
//!
//! A freshly cloned project contains text from strangers. A record (`record.rs`) holds every entry of
//! one skill's folder (`entries.rs`) at the time when a person trusted the skill. Loading compares the
//! folder with the record, and starting a skill compares the digests of all its files (`verify.rs`).

pub(crate) mod entries;
pub(crate) mod record;
pub(crate) mod verify;

use crate::source::changes::Changes;
use crate::source::trust::record::TrustRecord;
use std::sync::Arc;

/// The trust state of a skill: why it may be started, or why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
pub(crate) enum SkillTrust {
    /// The host trusts the source of the skill; no person is asked.
    Always,
    /// A person trusted the skill, and it has not changed since.
    Trusted,
    /// No person has trusted the skill.
    Untrusted,
    /// The skill has changed since a person trusted it.
    Changed,
}

impl SkillTrust {
    /// Returns whether the skill may be started.
    pub(crate) fn is_trusted(self) -> bool {
        matches!(self, Self::Always | Self::Trusted)
    }
}

/// The trust state of a source's skills.
#[derive(Clone, Debug)]
pub(crate) enum SourceTrust {
    /// The host trusts every skill of the source.
    Always,
    /// A person decides about each skill. The verdicts are in the order of the source's skills.
    Asked(Vec<Verdict>),
}

/// The result of comparing a skill with the records.
#[derive(Clone, Debug)]
pub(crate) enum Verdict {
    Untrusted,
    /// The skill matches the record, as far as loading compares.
    Trusted(Arc<TrustRecord>),
    Changed(Arc<TrustRecord>, Changes),
}

impl SourceTrust {
    /// Returns the trust state of a skill, by its index in the source.
    pub(crate) fn of(&self, skill: usize) -> SkillTrust {
        match self {
            Self::Always => SkillTrust::Always,
            Self::Asked(skills) => match skills.get(skill) {
                Some(Verdict::Trusted(_)) => SkillTrust::Trusted,
                Some(Verdict::Changed(..)) => SkillTrust::Changed,
                Some(Verdict::Untrusted) | None => SkillTrust::Untrusted,
            },
        }
    }

    /// Returns the result of comparing a skill with the records. Returns `None` if the source needs no
    /// trust.
    pub(crate) fn verdict(&self, skill: usize) -> Option<&Verdict> {
        match self {
            Self::Always => None,
            Self::Asked(skills) => skills.get(skill),
        }
    }
}

#[cfg(test)]
mod tests;
