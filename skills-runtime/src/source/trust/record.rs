//! Records of trusted files, which the host stores.

use crate::disk;
use crate::error::Error;
use crate::source::diagnostics::shown;
use crate::source::folder::{FolderSkill, FolderSkills, Root};
use crate::source::open_skill::OpenSkill;
use crate::source::options::Limits;
use skills_format::Digest;
use std::path::{Path, PathBuf};

/// The skills of one folder, as a person trusted them. Pure data: the host decides where to store it.
///
/// ```no_run
/// use skills_runtime::Catalog;
///
/// // The project's skills are listed. A person looks at them, and says yes.
/// let before = Catalog::builder().untrusted("project", ".agents/skills").load().catalog;
/// let records = before.trust_records("project")?;
///
/// // The next load trusts them as long as their files are the same.
/// let builder = Catalog::builder().untrusted("project", ".agents/skills");
/// let catalog = builder.trusted(records).load().catalog;
/// # Ok::<(), skills_runtime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustRecord {
    /// The source's root, with every link resolved.
    pub root: PathBuf,
    /// Every file of every skill below the root, in order of paths.
    pub files: Vec<TrustedFile>,
}

/// A file as it was when a person trusted it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedFile {
    /// Relative to the root, with `/`.
    pub path: String,
    /// Length in bytes.
    pub len: u64,
    /// When it was last written, in nanoseconds since 1970.
    pub modified: i64,
    /// SHA-256 of the bytes.
    pub digest: Digest,
}

/// The differences between two records, in order of paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct TrustChanges {
    /// Files that only the later record has.
    pub added: Vec<String>,
    /// Files whose digest has changed.
    pub changed: Vec<String>,
    /// Files that only the earlier record has.
    pub removed: Vec<String>,
}

impl TrustRecord {
    /// SHA-256 over the paths, lengths and digests of the files, for a person to compare.
    pub fn digest(&self) -> Digest {
        let files = self.files.iter();
        Digest::of_files(files.map(|file| (file.path.as_str(), file.len, file.digest)))
    }

    pub(crate) fn file(&self, path: &str) -> Option<&TrustedFile> {
        let files = &self.files;
        let index = files.binary_search_by(|file| file.path.as_str().cmp(path));
        files.get(index.ok()?)
    }

    /// The folders of the skills, relative to the root, sorted.
    pub fn skills(&self) -> Vec<&str> {
        let paths = self.files.iter().map(|file| file.path.as_str());
        let mut folders: Vec<&str> = paths
            .filter_map(|path| {
                let name = path.rfind('/').map_or(0, |slash| slash + 1);
                let (folder, name) = path.split_at_checked(name)?;
                name.eq_ignore_ascii_case("SKILL.md").then_some(folder)
            })
            .collect();
        folders.sort_unstable();
        // Each folder still ends in `/`, so that `starts_with` means "lies below". A folder below a
        // skill is not a skill.
        folders.dedup_by(|below, above| below.starts_with(&**above));
        let folders = folders.into_iter();
        folders.map(|folder| folder.trim_end_matches('/')).collect()
    }

    /// Compares this record with a later one of the same root.
    pub fn difference(&self, now: &Self) -> TrustChanges {
        let mut changes = TrustChanges::default();
        for file in &now.files {
            match self.file(&file.path) {
                None => changes.added.push(file.path.clone()),
                Some(old) if old.digest != file.digest => changes.changed.push(file.path.clone()),
                Some(_) => {}
            }
        }
        let gone = self.files.iter().map(|file| &file.path);
        let gone = gone.filter(|path| now.file(path).is_none());
        changes.removed = gone.cloned().collect();
        changes
    }
}

impl TrustChanges {
    /// Whether the records hold the same files.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }
}

/// Reads every file of the skills below each root. Roots without skills give no record.
pub(crate) fn records(folders: &FolderSkills, limits: Limits) -> Result<Vec<TrustRecord>, Error> {
    let roots = folders.roots.iter().enumerate();
    roots
        .map(|(index, root)| record(folders, index, root, limits))
        .filter(|record| !record.as_ref().is_ok_and(|record| record.files.is_empty()))
        .collect()
}

fn record(
    folders: &FolderSkills,
    index: usize,
    root: &Root,
    limits: Limits,
) -> Result<TrustRecord, Error> {
    let mut files = Vec::new();
    for skill in of_root(folders, index) {
        let open = OpenSkill::open(skill, Some(root), limits)?;
        for listed in open.list()? {
            let bytes = open.file(Path::new(&listed.path))?;
            files.push(TrustedFile {
                path: from_root(skill, root, &listed.path),
                len: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
                modified: listed.stat.modified,
                digest: Digest::of(&bytes),
            });
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(TrustRecord {
        root: disk::resolved(&root.path),
        files,
    })
}

/// The skills that were found below one root.
pub(crate) fn of_root(folders: &FolderSkills, root: usize) -> impl Iterator<Item = &FolderSkill> {
    let skills = folders.skills.iter().map(|skill| &**skill);
    skills.filter(move |skill| skill.root == root)
}

/// The path of a skill's file relative to the root. With an empty `path`, the skill's folder with `/`
/// at the end.
pub(crate) fn from_root(skill: &FolderSkill, root: &Root, path: &str) -> String {
    let dir = skill.dir.strip_prefix(&root.path).unwrap_or(&skill.dir);
    let dir = shown(dir);
    if dir.is_empty() {
        path.to_owned()
    } else {
        format!("{dir}/{path}")
    }
}
