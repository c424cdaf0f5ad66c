//! What a person has trusted, and whether it is still the same.
//!
//! Skills of a project that was just cloned are text from a stranger. A record holds each file of
//! such skills as it was when a person trusted them. Loading compares it with what the files look
//! like (`verify.rs`); starting a skill compares the digests of its files.

pub(crate) mod verify;

use crate::catalog::Catalog;
use crate::disk;
use crate::error::{Error, ErrorKind};
use crate::source::folder::{FolderSkill, FolderSkills, Root};
use crate::source::open_skill::{Listed, OpenSkill};
use crate::source::options::Limits;
use crate::source::{Content, Source};
use skills_format::Digest;
use std::path::{Path, PathBuf};

/// The skills of one folder as a person trusted them. Pure data: where it is kept is the host's
/// business.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trust {
    /// The source's root, every link resolved.
    pub root: PathBuf,
    /// Every file of every skill below it, in order of paths.
    pub files: Vec<TrustedFile>,
}

/// A file as it was when a person trusted it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedFile {
    /// Relative to the root, with `/`.
    pub path: String,
    /// Length in bytes.
    pub len: u64,
    /// Nanoseconds since 1970 at which it was last written.
    pub modified: i64,
    /// SHA-256 of its bytes.
    pub digest: Digest,
}

impl Trust {
    /// SHA-256 over the paths, lengths and digests of the files: what a person can compare.
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
        // Each still ends in `/`, so that `starts_with` is "lies below": nothing there is a skill.
        folders.dedup_by(|below, above| below.starts_with(&**above));
        let folders = folders.into_iter();
        folders.map(|folder| folder.trim_end_matches('/')).collect()
    }

    /// What is different now.
    pub fn difference(&self, now: &Self) -> TrustDifference {
        let mut difference = TrustDifference::default();
        for file in &now.files {
            match self.file(&file.path) {
                None => difference.added.push(file.path.clone()),
                Some(old) if old.digest != file.digest => {
                    difference.changed.push(file.path.clone());
                }
                Some(_) => {}
            }
        }
        let gone = self.files.iter().map(|file| &file.path);
        let gone = gone.filter(|path| now.file(path).is_none());
        difference.removed = gone.cloned().collect();
        difference
    }
}

/// Files of two records that are not the same, in order of paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct TrustDifference {
    /// Those that only the later one has.
    pub added: Vec<String>,
    /// Those with another digest.
    pub changed: Vec<String>,
    /// Those that only the earlier one has.
    pub removed: Vec<String>,
}

impl TrustDifference {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }
}

impl Catalog {
    /// Reads every file of a source's skills, for a person to trust them as they are now: a record
    /// for each root that holds skills. Give them to
    /// [`CatalogBuilder::trusted`](crate::CatalogBuilder::trusted).
    pub fn trust(&self, source: &str) -> Result<Vec<Trust>, Error> {
        let Some(Source {
            content: Content::Folders(folders),
            ..
        }) = self.sources().iter().find(|s| s.name() == source)
        else {
            let message = format_args!("no source of folders is named '{source}'");
            return Err(Error::new(ErrorKind::NotFound, message));
        };
        let limits = self.merged().builder.bounds();
        let roots = folders.roots.iter().enumerate();
        roots
            .map(|(index, root)| record(folders, index, root, limits))
            .filter(|record| !record.as_ref().is_ok_and(|record| record.files.is_empty()))
            .collect()
    }
}

fn record(
    folders: &FolderSkills,
    index: usize,
    root: &Root,
    limits: Limits,
) -> Result<Trust, Error> {
    let mut files = Vec::new();
    for skill in of_root(folders, index) {
        let open = OpenSkill::open(skill, Some(root), limits)?;
        for listed in open.list()? {
            let bytes = open.file(Path::new(&listed.path))?;
            files.push(TrustedFile {
                path: from_root(skill, root, &listed.path),
                len: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
                modified: listed.look.modified,
                digest: Digest::of(&bytes),
            });
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(Trust {
        root: disk::resolved(&root.path),
        files,
    })
}

/// Checks a skill that is about to be started: its files are those of the record. `skill_file` holds
/// the `SKILL.md` as it is going to be used.
pub(crate) fn check_skill(
    open: &OpenSkill<'_>,
    record: &Trust,
    root: &Root,
    skill: &FolderSkill,
    skill_file: &[u8],
) -> Result<(), Error> {
    let listed = open.list()?;
    let dir = from_root(skill, root, "");
    let recorded = record
        .files
        .iter()
        .filter(|file| file.path.starts_with(&dir));
    if recorded.count() != listed.len() {
        return Err(changed(skill));
    }
    for Listed { path, .. } in &listed {
        if *path == skill.file_name {
            check_file(record, root, skill, path, skill_file)?;
        } else {
            check_file(record, root, skill, path, &open.file(Path::new(path))?)?;
        }
    }
    Ok(())
}

/// Checks one file's bytes as they are going to be used.
pub(crate) fn check_file(
    record: &Trust,
    root: &Root,
    skill: &FolderSkill,
    path: &str,
    bytes: &[u8],
) -> Result<(), Error> {
    match record.file(&from_root(skill, root, path)) {
        Some(file) if file.digest == Digest::of(bytes) => Ok(()),
        _ => Err(changed(skill)),
    }
}

fn changed(skill: &FolderSkill) -> Error {
    let message = format_args!(
        "skill '{}' has changed since a person trusted it",
        skill.name
    );
    Error::new(ErrorKind::Untrusted, message)
}

/// The skills that were found below one root.
pub(crate) fn of_root(folders: &FolderSkills, root: usize) -> impl Iterator<Item = &FolderSkill> {
    let skills = folders.skills.iter().map(|skill| &**skill);
    skills.filter(move |skill| skill.root == root)
}

/// The path of a skill's file relative to the root; of the skill's folder with `/` at its end.
pub(crate) fn from_root(skill: &FolderSkill, root: &Root, path: &str) -> String {
    let dir = skill.dir.strip_prefix(&root.path).unwrap_or(&skill.dir);
    let dir = crate::source::diagnostics::shown(dir);
    if dir.is_empty() {
        path.to_owned()
    } else {
        format!("{dir}/{path}")
    }
}
