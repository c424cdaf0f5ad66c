//! Where skills come from: a name, a rank, whether it is trusted, and the skills.

pub(crate) mod diagnostics;
#[cfg(feature = "discover")]
pub(crate) mod discover;
pub(crate) mod folder;
pub(crate) mod layout;
pub(crate) mod names;
#[cfg(feature = "discover")]
pub(crate) mod open_skill;
#[cfg(feature = "discover")]
pub(crate) mod options;
#[cfg(feature = "discover")]
pub(crate) mod plugins;
#[cfg(feature = "discover")]
pub(crate) mod skill_file;
#[cfg(feature = "discover")]
pub(crate) mod trust;

pub use layout::{Base, Bases, Bundled, Layout, Place, PlaceKind};
#[cfg(feature = "discover")]
pub use {
    options::Limits,
    trust::{Trust, TrustDifference, TrustedFile},
};

use crate::bundle::Bundle;
use crate::source::folder::FolderSkills;
use std::path::Path;
use std::sync::Arc;

/// A source of skills. Sources of one rank are a layer.
#[derive(Clone, Debug)]
pub struct Source {
    pub(crate) name: String,
    pub(crate) kind: SourceKind,
    pub(crate) rank: usize,
    pub(crate) standing: Standing,
    pub(crate) content: Content,
}

/// What kind of place a source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SourceKind {
    /// Folders that a person or a project keeps.
    Folder,
    /// One plugin among several of equal rank.
    Plugin,
    /// Part of the program.
    Bundle,
}

/// Whether a source's skills may be started.
#[derive(Clone, Debug)]
pub(crate) enum Standing {
    /// They may.
    Trusted,
    /// They are listed, never started, and shadow nothing that is trusted: what is the case with
    /// each root.
    #[cfg(feature = "discover")]
    Untrusted(Vec<FolderTrust>),
    /// They may as long as they are those that a person has trusted: one record for each root,
    /// where there is one.
    #[cfg(feature = "discover")]
    Recorded(Vec<Option<Arc<Trust>>>),
}

/// On whose word the skills of a source's folder are started, or why they are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum FolderTrust {
    /// On the host's: no person is asked.
    Always,
    /// On a person's: they are those that the person trusted.
    Recorded,
    /// No person has trusted them.
    Untrusted,
    /// They have changed since a person trusted them.
    Changed,
    /// There are none.
    Empty,
}

#[derive(Clone, Debug)]
pub(crate) enum Content {
    Bundle(&'static Bundle),
    #[cfg_attr(
        not(feature = "discover"),
        expect(dead_code, reason = "nothing reads folders")
    )]
    Folders(Arc<FolderSkills>),
}

impl Source {
    /// `bundled`, `user`, `project`, a plugin's name. No other source of the catalog has it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What kind of place it is.
    pub fn kind(&self) -> SourceKind {
        self.kind
    }

    /// 0 is the highest; sources of equal rank shadow nothing of each other.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Whether its skills may be started.
    pub fn is_trusted(&self) -> bool {
        match self.standing {
            #[cfg(feature = "discover")]
            Standing::Untrusted(_) => false,
            _ => true,
        }
    }

    /// The folders that it reads, the nearest first. A bundle has none.
    pub fn roots(&self) -> impl Iterator<Item = &Path> {
        let roots = match &self.content {
            Content::Bundle(_) => &[],
            Content::Folders(folders) => folders.roots.as_slice(),
        };
        roots.iter().map(|root| root.path.as_path())
    }

    /// The folders that it reads, the nearest first, and what is the case with the trust in each. As
    /// long as one of them waits for a person's word, [`Source::is_trusted`] is false for all.
    pub fn folders(&self) -> impl Iterator<Item = (&Path, FolderTrust)> {
        let roots = self.roots().enumerate();
        roots.map(|(index, root)| (root, self.trust_in(index)))
    }

    /// What is the case with the trust in one of the roots.
    #[cfg_attr(
        not(feature = "discover"),
        expect(unused_variables, reason = "bundles have none")
    )]
    pub(crate) fn trust_in(&self, root: usize) -> FolderTrust {
        match &self.standing {
            Standing::Trusted => FolderTrust::Always,
            #[cfg(feature = "discover")]
            Standing::Untrusted(roots) => roots.get(root).copied().unwrap_or(FolderTrust::Empty),
            #[cfg(feature = "discover")]
            Standing::Recorded(records) => match records.get(root) {
                Some(Some(_)) => FolderTrust::Recorded,
                _ => FolderTrust::Empty,
            },
        }
    }

    /// How many skills it holds.
    pub fn len(&self) -> usize {
        match &self.content {
            Content::Bundle(bundle) => bundle.len(),
            Content::Folders(folders) => folders.skills.len(),
        }
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
