//! Whether a skill may be started.
//!
//! Skills of a project that was just cloned are text from a stranger. A record (`record.rs`) holds every
//! entry of one skill's folder (`entries.rs`) as it was when a person trusted the skill. Loading compares
//! the folder with the record, and starting a skill compares the digests of all its files (`verify.rs`).

#[cfg(feature = "discover")]
pub(crate) mod entries;
#[cfg(feature = "discover")]
pub(crate) mod record;
#[cfg(feature = "discover")]
pub(crate) mod verify;

#[cfg(feature = "discover")]
use crate::source::trust::record::{TrustChanges, TrustRecord};
#[cfg(feature = "discover")]
use std::sync::Arc;

/// The trust state of a skill: why it may be started, or why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum SkillTrust {
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
    pub fn is_trusted(self) -> bool {
        matches!(self, Self::Always | Self::Trusted)
    }
}

/// Whether the skills of a source may be started.
#[derive(Clone, Debug)]
pub(crate) enum SourceTrust {
    /// All of them.
    Always,
    /// A person decides for each skill. In the order of the source's skills.
    #[cfg(feature = "discover")]
    Asked(Vec<Verdict>),
    /// Of each skill of an MCP server, whether a person approved it as it is.
    #[cfg(feature = "remote")]
    Approved(Vec<bool>),
}

/// What comparing a skill with the records gave.
#[cfg(feature = "discover")]
#[derive(Clone, Debug)]
pub(crate) enum Verdict {
    Untrusted,
    /// It matches the record, as far as loading compares.
    Trusted(Arc<TrustRecord>),
    Changed(Arc<TrustRecord>, TrustChanges),
}

impl SourceTrust {
    pub(crate) fn is_asked(&self) -> bool {
        !matches!(self, Self::Always)
    }

    /// Returns the trust state of a skill, by its index in the source.
    #[cfg_attr(
        not(feature = "discover"),
        expect(unused_variables, reason = "no skill of a bundle waits")
    )]
    pub(crate) fn of(&self, skill: usize) -> SkillTrust {
        match self {
            Self::Always => SkillTrust::Always,
            #[cfg(feature = "discover")]
            Self::Asked(skills) => match skills.get(skill) {
                Some(Verdict::Trusted(_)) => SkillTrust::Trusted,
                Some(Verdict::Changed(..)) => SkillTrust::Changed,
                Some(Verdict::Untrusted) | None => SkillTrust::Untrusted,
            },
            #[cfg(feature = "remote")]
            Self::Approved(skills) => match skills.get(skill) {
                Some(true) => SkillTrust::Trusted,
                _ => SkillTrust::Untrusted,
            },
        }
    }

    /// Returns what comparing a skill with the records gave. `None`: no person is asked.
    #[cfg(feature = "discover")]
    pub(crate) fn verdict(&self, skill: usize) -> Option<&Verdict> {
        match self {
            Self::Always => None,
            #[cfg(feature = "remote")]
            Self::Approved(_) => None,
            Self::Asked(skills) => skills.get(skill),
        }
    }
}
