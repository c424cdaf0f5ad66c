//! Where skills come from: a name, a rank, whether it is trusted, and the skills.

use crate::bundle::Bundle;
use crate::folder::FolderSkill;

/// A source of skills. Sources of one rank are a layer.
#[derive(Clone, Debug)]
pub struct Source {
    pub(crate) name: String,
    pub(crate) kind: SourceKind,
    pub(crate) rank: usize,
    pub(crate) trust: Trust,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trust {
    /// They may.
    Trusted,
    /// They are listed, never started, and shadow nothing that is trusted.
    Untrusted,
}

#[derive(Clone, Debug)]
pub(crate) enum Content {
    Bundle(&'static Bundle),
    /// Sorted by name; of equal names the nearest root's first.
    #[cfg_attr(
        not(feature = "discover"),
        expect(dead_code, reason = "nothing reads folders")
    )]
    Folders(Vec<FolderSkill>),
}

impl Source {
    /// `bundled`, `user`, `project`, a plugin's name.
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
        self.trust == Trust::Trusted
    }

    /// How many skills it holds.
    pub fn len(&self) -> usize {
        match &self.content {
            Content::Bundle(bundle) => bundle.len(),
            Content::Folders(skills) => skills.len(),
        }
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
