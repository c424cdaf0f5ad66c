//! The sources of skills: each has a name, a rank, a trust state and skills.

pub(crate) mod diagnostics;
pub(crate) mod discover;
pub(crate) mod folder;
#[cfg(all(feature = "hot", debug_assertions))]
pub(crate) mod hot;
pub(crate) mod memory;
pub(crate) mod names;
pub(crate) mod open_skill;
pub(crate) mod options;
pub(crate) mod plugins;
pub(crate) mod remote;
#[cfg(feature = "arguments")]
pub(crate) mod schema_file;
#[cfg(not(feature = "arguments"))]
#[path = "no_schema_file.rs"]
pub(crate) mod schema_file;
pub(crate) mod skill_file;
pub(crate) mod stamp;
pub(crate) mod trust;

pub use options::Limits;
#[cfg(feature = "remote")]
pub use remote::{RemoteApproval, RemoteServer};
pub use remote::{RemoteFile, RemoteSkill, over_limits};
pub use trust::SkillTrust;
pub use trust::record::{TrustChanges, TrustRecord};

pub use trust::record::{TrustedContent, TrustedEntry};

use crate::bundle::{Bundle, SkillRef};
use crate::source::folder::{FolderSkill, FolderSkills};
use crate::source::trust::SourceTrust;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// A source of skills. Sources of the same rank form a layer.
///
/// ```
/// use skills_runtime::Catalog;
///
/// let loaded = Catalog::builder().untrusted("project", ".agents/skills").load();
/// for source in loaded.catalog.sources() {
///     for folder in source.roots() {
///         println!("{}: {}", source.name(), folder.display());
///     }
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Source {
    pub(crate) name: String,
    pub(crate) kind: SourceKind,
    pub(crate) rank: usize,
    pub(crate) trust: SourceTrust,
    pub(crate) content: Content,
    /// The last reading of a bundle's folder.
    #[cfg(all(feature = "hot", debug_assertions))]
    pub(crate) hot: Option<Arc<hot::Reading>>,
}

/// The kind of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SourceKind {
    /// Folders that a person or a project keeps.
    Folder,
    /// One plugin. All plugins of a folder have equal rank.
    Plugin,
    /// Part of the program.
    Bundle,
    /// An MCP server. Its skills answer only to ids with the name of the source.
    Server,
}

/// The skills of a source.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    Bundle(&'static Bundle),
    Folders(Arc<FolderSkills>),
    /// The skills, in order of names.
    #[cfg_attr(
        not(feature = "remote"),
        expect(dead_code, reason = "no server is asked")
    )]
    Server(Arc<[Arc<RemoteSkill>]>),
}

/// One skill of a source.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SkillContent<'s> {
    Bundled(SkillRef),
    Folder(&'s FolderSkill),
    Remote(&'s RemoteSkill),
}

impl<'s> SkillContent<'s> {
    pub(crate) fn name(self) -> &'s str {
        match self {
            Self::Bundled(skill) => skill.name(),
            Self::Folder(skill) => &skill.name,
            Self::Remote(skill) => &skill.name,
        }
    }
}

/// Writes the name of the source. `{source:#}` also says where its skills were read: `user (FOLDER)`. Of a bundle:
/// `bundled (read from FOLDER)` with the feature `hot`, or `bundled (as it was compiled: …)` with the reason why the folder is
/// not read. If the folder has errors since, or cannot be read, the skills are as they were before, and the words say so.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if !f.alternate() {
            return Ok(());
        }
        let roots: Vec<String> = self
            .roots()
            .map(|root| root.display().to_string())
            .collect();
        if !roots.is_empty() {
            write!(f, " ({})", roots.join(", "))?;
        }
        if let Some(bundle) = self.bundle() {
            #[cfg(all(feature = "hot", debug_assertions))]
            let state = hot::state::state(bundle, self.hot.as_deref());
            #[cfg(not(all(feature = "hot", debug_assertions)))]
            let state = {
                let _ = bundle;
                if cfg!(feature = "hot") {
                    "as it was compiled: a release build reads no folder"
                } else {
                    "as it was compiled: the feature `hot` of skills-runtime is off"
                }
            };
            write!(f, " ({state})")?;
        }
        Ok(())
    }
}

impl Source {
    /// Returns the name, such as `bundled`, `user`, `project` or the name of a plugin. The name is
    /// unique in the catalog.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the kind of the source.
    pub fn kind(&self) -> SourceKind {
        self.kind
    }

    /// Returns the rank. 0 is the highest rank. Sources of equal rank do not shadow each other.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Returns whether a person must trust each skill of the source before the skill may be started:
    /// [`Entry::trust`](crate::Entry::trust). If not, the host trusts all skills of the source.
    pub fn asks_for_trust(&self) -> bool {
        self.trust.is_asked()
    }

    /// Returns the folders that the source reads, the nearest first. A bundle and an MCP server have no
    /// folders.
    pub fn roots(&self) -> impl Iterator<Item = &Path> {
        let roots = match &self.content {
            Content::Bundle(_) | Content::Server(_) => &[],
            Content::Folders(folders) => folders.roots.as_slice(),
        };
        roots.iter().map(|root| root.path.as_path())
    }

    /// Returns the bundle of a source that is part of the program. With the feature `hot` it can be a version that
    /// was read from the bundle's folder: [`Bundle::origin`].
    pub fn bundle(&self) -> Option<&'static Bundle> {
        match self.content {
            Content::Bundle(bundle) => Some(bundle),
            Content::Folders(_) | Content::Server(_) => None,
        }
    }

    /// Returns the number of skills.
    pub fn len(&self) -> usize {
        match &self.content {
            Content::Bundle(bundle) => bundle.len(),
            Content::Folders(folders) => folders.skills.len(),
            Content::Server(skills) => skills.len(),
        }
    }

    /// Returns whether the source has no skills.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the skill at an index. The skills of a source are in order of names.
    pub(crate) fn skill(&self, index: usize) -> Option<SkillContent<'_>> {
        Some(match &self.content {
            Content::Bundle(bundle) => SkillContent::Bundled(bundle.at(index)?),
            Content::Folders(folders) => SkillContent::Folder(folders.skills.get(index)?),
            Content::Server(skills) => SkillContent::Remote(skills.get(index)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::catalog::Catalog;
    use crate::fixture::BUNDLE;

    #[test]
    fn a_source_says_where_its_skills_lie() {
        let sources = Catalog::builder()
            .directory("user", "nowhere/skills")
            .load();
        let shown: Vec<String> = sources
            .catalog
            .sources()
            .iter()
            .map(|source| format!("{source:#}"))
            .collect();
        assert_eq!(shown, ["user (nowhere/skills)"]);
    }

    #[test]
    fn a_source_says_why_its_folder_is_not_read() {
        let catalog = Catalog::builder().bundle("bundled", &BUNDLE).load().catalog;
        let [source] = catalog.sources() else {
            panic!("{:?}", catalog.sources());
        };
        assert_eq!(source.to_string(), "bundled");
        let shown = format!("{source:#}");
        if cfg!(feature = "hot") {
            assert!(
                shown.starts_with("bundled (as it was compiled: "),
                "{shown}"
            );
        } else {
            let off = "bundled (as it was compiled: the feature `hot` of skills-runtime is off)";
            assert_eq!(shown, off);
        }
    }
}
