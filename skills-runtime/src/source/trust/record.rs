//! The records of trusted skills, which the host stores.

use crate::error::{Error, ErrorKind};
use crate::source::changes::Changes;
use crate::source::diagnostics::shown;
use crate::source::folder::{FolderSkill, Root};
use crate::source::memory::MemoryFiles;
use crate::source::open_skill::OpenSkill;
use crate::source::trust::entries::{Found, FoundKind, bytes, entries};
use skills_format::disk;
use skills_format::text::path::PathText as _;
use skills_format::{Digest, left_out};
use std::convert::Infallible;
use std::path::{Component, Path, PathBuf};

/// The maximum number of links that are followed for one path in a record: a record can hold links that
/// form a circle.
const MAX_LINKS: usize = 40;

/// The content of one skill when a person trusted it. Pure data: the host decides where to store the
/// record.
///
/// ```no_run
/// use skills_runtime::Catalog;
///
/// // The project's skills are listed. A person looks at one of them, and says yes.
/// let before = Catalog::builder().untrusted("project", ".agents/skills").load();
/// let record = before.get("project:deploy").expect("a skill").trust_record()?;
///
/// // The next load trusts that skill as long as its folder is the same.
/// let builder = Catalog::builder().untrusted("project", ".agents/skills");
/// let catalog = builder.trusted([record]).load();
/// # Ok::<(), skills_runtime::Error>(())
/// ```
///
/// With the feature `serde` a host saves a record, such as in a file of JSON. A record with another digest than was saved
/// is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "stored::Record", try_from = "stored::Record")
)]
#[non_exhaustive]
pub struct TrustRecord {
    /// The root of the skill's source, with every link resolved.
    pub(crate) root: PathBuf,
    /// The skill's folder, relative to the root.
    pub(crate) folder: PathBuf,
    /// Every entry of the folder, in order of the paths' bytes.
    pub(crate) entries: Vec<TrustedEntry>,
}

/// An entry of a skill's folder when a person trusted the skill.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct TrustedEntry {
    /// The path relative to the skill's folder.
    #[cfg_attr(feature = "serde", serde(with = "stored::path"))]
    pub(crate) path: PathBuf,
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub(crate) content: TrustedContent,
}

/// The content of an entry in a skill's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(tag = "kind", rename_all = "lowercase")
)]
pub(crate) enum TrustedContent {
    /// A folder.
    Folder,
    /// A regular file.
    File {
        /// Length in bytes.
        len: u64,
        /// The time of the last write, in nanoseconds since 1970.
        modified: i64,
        /// SHA-256 of the bytes.
        digest: Digest,
    },
    /// A link to another entry of the folder, or to nothing.
    Link {
        /// The link's text.
        #[cfg_attr(feature = "serde", serde(with = "stored::path"))]
        target: PathBuf,
    },
}

impl TrustRecord {
    /// Returns the place of the skill: the root of its source, with every link resolved, and its folder relative to the
    /// root. A person trusts one version of the skill at a place.
    pub fn place(&self) -> (&Path, &Path) {
        (&self.root, &self.folder)
    }

    /// Iterates over the paths of the files and links, relative to the skill's folder, each with the digest of a file.
    pub fn files(&self) -> impl Iterator<Item = (&Path, Option<Digest>)> {
        self.entries.iter().filter_map(|entry| match entry.content {
            TrustedContent::Folder => None,
            TrustedContent::File { digest, .. } => Some((&*entry.path, Some(digest))),
            TrustedContent::Link { .. } => Some((&*entry.path, None)),
        })
    }

    /// Makes a record. Sorts the entries.
    pub(crate) fn new(root: PathBuf, folder: PathBuf, mut entries: Vec<TrustedEntry>) -> Self {
        entries.sort_unstable_by(|a, b| bytes(&a.path).cmp(bytes(&b.path)));
        Self {
            root,
            folder,
            entries,
        }
    }

    /// Returns the trust digest: SHA-256 over the path, the kind and the content of every entry, for a
    /// person to compare. Times are left out.
    pub fn digest(&self) -> Digest {
        // The number changes with the layout of this text: a digest that a person noted never means two folders. Every
        // part but a path has a fixed length, and a path brings its length, so two lists never give the same text.
        let mut text = b"skills-trust-1\0".to_vec();
        for TrustedEntry { path, content } in &self.entries {
            push_path(&mut text, path);
            match content {
                TrustedContent::Folder => text.push(b'd'),
                TrustedContent::File { len, digest, .. } => {
                    text.push(b'f');
                    text.extend(len.to_le_bytes());
                    text.extend(digest.to_string().as_bytes());
                }
                TrustedContent::Link { target } => {
                    text.push(b'l');
                    push_path(&mut text, target);
                }
            }
        }
        Digest::of(&text)
    }

    /// Compares this record with a later record of the same skill.
    pub fn difference(&self, now: &Self) -> Changes {
        let Ok(changes) = self.changes(
            &now.entries,
            |entry| &entry.path,
            |old, now| Ok::<_, Infallible>(old.content.is_same_as(&now.content)),
        );
        changes
    }

    /// Compares this record with entries that are in the order of paths. `same` compares two entries
    /// with one path.
    pub(crate) fn changes<T, E>(
        &self,
        now: &[T],
        path: impl Fn(&T) -> &Path,
        mut same: impl FnMut(&TrustedEntry, &T) -> Result<bool, E>,
    ) -> Result<Changes, E> {
        let mut changes = Changes::default();
        let mut before = self.entries.iter().peekable();
        for entry in now {
            let here = bytes(path(entry));
            while let Some(gone) = before.next_if(|old| bytes(&old.path) < here) {
                changes.removed.push(shown(&gone.path));
            }
            match before.next_if(|old| bytes(&old.path) == here) {
                None => changes.added.push(shown(path(entry))),
                Some(old) if same(old, entry)? => {}
                Some(old) => changes.changed.push(shown(&old.path)),
            }
        }
        changes.removed.extend(before.map(|gone| shown(&gone.path)));
        Ok(changes)
    }

    fn entry(&self, path: &Path) -> Option<&TrustedEntry> {
        let search = |entry: &TrustedEntry| bytes(&entry.path).cmp(bytes(path));
        let index = self.entries.binary_search_by(search).ok()?;
        self.entries.get(index)
    }

    /// Returns the digest of the file that a path leads to, through the links of the
    /// record. The disk is not asked: it can have changed since.
    pub(crate) fn file(&self, path: &Path) -> Option<Digest> {
        let mut pending: Vec<PathBuf> = steps(path)?;
        let mut at = PathBuf::new();
        let mut links = 0..MAX_LINKS;
        while let Some(step) = pending.pop() {
            if step.as_os_str() == ".." {
                if !at.pop() {
                    return None;
                }
                continue;
            }
            at.push(step);
            match &self.entry(&at)?.content {
                TrustedContent::Folder => {}
                TrustedContent::File { digest, .. } => {
                    return pending.is_empty().then_some(*digest);
                }
                TrustedContent::Link { target } => {
                    links.next()?;
                    // The target is relative to the folder of the link, so the link's own name is dropped.
                    pending.extend(steps(target)?);
                    at.pop();
                }
            }
        }
        None
    }

    /// Returns the files beside the `SKILL.md` that are part of the skill, as a listing of the folder
    /// returns them.
    pub(crate) fn resources(&self, skill_file: &str) -> Vec<String> {
        let is_resource = |path: &Path| {
            let is_git = |part: Component<'_>| part.as_os_str() == ".git";
            path != Path::new(skill_file)
                && left_out(&shown(path), &|path| self.entry(Path::new(path)).is_some()).is_none()
                && !path.parent().is_some_and(|p| p.components().any(is_git))
        };
        let entries = self.entries.iter();
        entries
            .filter(|entry| entry.content != TrustedContent::Folder && is_resource(&entry.path))
            .filter(|entry| self.file(&entry.path).is_some())
            .map(|entry| shown(&entry.path))
            .collect()
    }
}

impl TrustedContent {
    /// Returns whether both contents are the same, apart from the time.
    fn is_same_as(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::File { len, digest, .. },
                Self::File {
                    len: other_len,
                    digest: other,
                    ..
                },
            ) => len == other_len && digest == other,
            _ => self == other,
        }
    }
}

/// Reads every entry of an open skill's folder.
pub(crate) fn record(
    open: &OpenSkill<'_>,
    skill: &FolderSkill,
    root: &Root,
) -> Result<TrustRecord, Error> {
    let mut trusted = Vec::new();
    for Found { path, kind } in entries(open)? {
        let content = match kind {
            FoundKind::Folder => TrustedContent::Folder,
            FoundKind::Link(target) => TrustedContent::Link { target },
            FoundKind::File(stat) => {
                let bytes = open.file(&path)?;
                TrustedContent::File {
                    len: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
                    // The time of the listing, from before the read: a write in between then shows as
                    // another time at the next load.
                    modified: stat.modified,
                    digest: Digest::of(&bytes),
                }
            }
            FoundKind::LinkOut => {
                let what = "the link leads out of the folder";
                return Err(refused(skill, &path, what));
            }
            FoundKind::Special => {
                let what = "it is a pipe, a socket or a device";
                return Err(refused(skill, &path, what));
            }
        };
        trusted.push(TrustedEntry { path, content });
    }
    let root_path = disk::resolved(&root.path);
    Ok(TrustRecord::new(root_path, below(skill, root), trusted))
}

/// Records the files of a skill that the host handed over.
pub(crate) fn record_files(files: &MemoryFiles, skill: &FolderSkill, root: &Root) -> TrustRecord {
    let entries = files.iter().map(|(path, bytes)| TrustedEntry {
        path: path.into(),
        content: TrustedContent::File {
            len: bytes.len() as u64,
            modified: 0,
            digest: Digest::of(bytes),
        },
    });
    TrustRecord::new(root.path.clone(), below(skill, root), entries.collect())
}

/// Returns the skill's folder relative to its root.
pub(crate) fn below(skill: &FolderSkill, root: &Root) -> PathBuf {
    let below = skill.dir.strip_prefix(&root.path).unwrap_or(&skill.dir);
    below.to_owned()
}

fn refused(skill: &FolderSkill, path: &Path, what: &str) -> Error {
    let (name, path) = (&skill.name, path.shown());
    Error::new(
        ErrorKind::Refused,
        format_args!("skill '{name}' cannot be trusted: '{path}': {what}"),
    )
}

fn push_path(text: &mut Vec<u8>, path: &Path) {
    let parts: Vec<&[u8]> = path
        .components()
        .map(|part| part.as_os_str().as_encoded_bytes())
        .collect();
    // With `/` on Windows too, people on two systems can compare the digests of a skill. On other systems `\` is a
    // character of a name, and a link to `a/` differs from a link to `a`: `components` drops that difference.
    let written = if cfg!(windows) {
        parts.join(&b'/')
    } else {
        bytes(path).to_vec()
    };
    // The length comes first, so that no path can contain what looks like the next entry.
    text.extend((written.len() as u64).to_le_bytes());
    text.extend(written);
}

/// Returns the components of a path in reverse order. Returns `None` if the path is absolute.
fn steps(path: &Path) -> Option<Vec<PathBuf>> {
    let mut steps = Vec::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::Normal(_) | Component::ParentDir => {
                steps.push(PathBuf::from(part.as_os_str()));
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    steps.reverse();
    Some(steps)
}

#[cfg(feature = "serde")]
mod stored;
#[cfg(test)]
mod tests;
