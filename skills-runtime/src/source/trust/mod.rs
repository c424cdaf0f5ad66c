//! Whether the skills of a source may be started.
//!
//! Skills of a project that was just cloned are text from a stranger. A record (`record.rs`) holds
//! each file of these skills as it was when a person trusted them. Loading compares the files with the
//! record, and starting a skill compares the digests of its files (`verify.rs`).

#[cfg(feature = "discover")]
pub(crate) mod record;
#[cfg(feature = "discover")]
pub(crate) mod verify;

#[cfg(feature = "discover")]
use crate::source::trust::record::TrustRecord;
#[cfg(feature = "discover")]
use std::sync::Arc;

/// The trust state of one folder of a source: why its skills may be started, or why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum FolderTrust {
    /// The host trusts the folder; no person is asked.
    Always,
    /// A person trusted the skills, and they have not changed since.
    Recorded,
    /// No person has trusted the skills.
    Untrusted,
    /// The skills have changed since a person trusted them.
    Changed,
    /// The folder has no skills.
    Empty,
}

/// Whether a source's skills may be started.
#[derive(Clone, Debug)]
pub(crate) enum SkillTrust {
    /// They may be started.
    Trusted,
    /// They are listed and never started, and they shadow no trusted skill. Holds the state of each
    /// root.
    #[cfg(feature = "discover")]
    Untrusted(Vec<FolderTrust>),
    /// They may be started as long as they match what a person trusted. Holds the record of each root
    /// that has skills.
    #[cfg(feature = "discover")]
    Recorded(Vec<Option<Arc<TrustRecord>>>),
}

impl SkillTrust {
    pub(crate) fn is_trusted(&self) -> bool {
        match self {
            #[cfg(feature = "discover")]
            Self::Untrusted(_) => false,
            _ => true,
        }
    }

    /// The trust state of one root.
    #[cfg_attr(
        not(feature = "discover"),
        expect(unused_variables, reason = "bundles have no roots")
    )]
    pub(crate) fn of_root(&self, root: usize) -> FolderTrust {
        match self {
            Self::Trusted => FolderTrust::Always,
            #[cfg(feature = "discover")]
            Self::Untrusted(roots) => roots.get(root).copied().unwrap_or(FolderTrust::Empty),
            #[cfg(feature = "discover")]
            Self::Recorded(records) => match records.get(root) {
                Some(Some(_)) => FolderTrust::Recorded,
                _ => FolderTrust::Empty,
            },
        }
    }
}
