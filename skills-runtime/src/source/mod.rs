//! The sources of skills: each has a name, a rank, a trust state and skills.

pub(crate) mod changes;
pub(crate) mod diagnostics;
pub(crate) mod discover;
pub(crate) mod files;
pub(crate) mod folder;
#[cfg(all(feature = "hot", debug_assertions))]
pub(crate) mod hot;
pub(crate) mod memory;
pub(crate) mod names;
pub(crate) mod open_skill;
pub(crate) mod options;
pub(crate) mod plugins;
#[cfg(feature = "arguments")]
pub(crate) mod schema_file;
#[cfg(not(feature = "arguments"))]
#[path = "no_schema_file.rs"]
pub(crate) mod schema_file;
pub(crate) mod skill_file;
pub(crate) mod stamp;
pub(crate) mod trust;

pub use changes::Changes;
pub use trust::record::TrustRecord;

use crate::bundle::{Baked, Bundle};
use crate::source::folder::{FolderSkill, FolderSkills};
use crate::source::trust::SourceTrust;
use std::path::Path;
use std::sync::Arc;

/// A source of skills. Sources of the same rank form a layer.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) kind: SourceKind,
    pub(crate) rank: usize,
    pub(crate) trust: SourceTrust,
    pub(crate) content: Content,
    /// Whether the skills have only qualified ids.
    pub(crate) namespaced: bool,
}

/// The kind of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SourceKind {
    /// Folders that a person or a project keeps.
    Folder,
    /// One plugin. All plugins of a folder have equal rank.
    Plugin,
    /// Part of the program.
    Bundle,
    /// Files that the host read itself, such as those of an MCP server.
    Files,
}

/// The skills of a source.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    Bundle(&'static Bundle),
    Folders(Arc<FolderSkills>),
}

/// One skill of a source.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SkillContent<'s> {
    Bundled(Baked),
    Folder(&'s FolderSkill),
}

impl Source {
    /// Returns whether the skills are of another machine: no alias and no command of their own counts.
    pub(crate) fn is_foreign(&self) -> bool {
        self.namespaced && self.kind != SourceKind::Plugin
    }

    /// Returns the folders that the source reads, the nearest first. A bundle and files that the host hands over have
    /// none; a bundle of a debug build with the feature `hot` has its own.
    pub(crate) fn roots(&self) -> impl Iterator<Item = &Path> {
        let roots = match &self.content {
            Content::Folders(folders) if self.kind != SourceKind::Files => folders.roots.as_slice(),
            _ => &[],
        };
        roots.iter().map(|root| root.path.as_path())
    }

    /// Returns the bundle of a source that is part of the program, unless it was read from its folder (feature `hot`).
    pub(crate) fn bundle(&self) -> Option<&'static Bundle> {
        match self.content {
            Content::Bundle(bundle) => Some(bundle),
            Content::Folders(_) => None,
        }
    }

    /// Returns the number of skills.
    pub(crate) fn len(&self) -> usize {
        match &self.content {
            Content::Bundle(bundle) => bundle.len(),
            Content::Folders(folders) => folders.skills.len(),
        }
    }

    /// Returns the skill at an index, which is less than the length. The skills of a source are in order of names.
    pub(crate) fn skill(&self, index: usize) -> SkillContent<'_> {
        match &self.content {
            Content::Bundle(bundle) => SkillContent::Bundled(bundle.at(index)),
            Content::Folders(folders) => SkillContent::Folder(&folders.skills[index]),
        }
    }
}
