//! Lists every entry of a skill's folder. A person's trust covers all of them.

use crate::error::{Error, ErrorKind};
use crate::source::open_skill::{MAX_DEPTH, OpenSkill, error};
use skills_format::disk::{FileStat, Folder, Item, Kind, Refused};
use std::path::{Path, PathBuf};

/// An entry of a skill's folder.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// The path relative to the skill's folder.
    pub(crate) path: PathBuf,
    pub(crate) kind: FoundKind,
}

/// The kind of an entry.
#[derive(Clone, Debug)]
pub(crate) enum FoundKind {
    Folder,
    File(FileStat),
    /// A link to an entry of the folder, or to nothing.
    Link(PathBuf),
    /// A link that leads out of the folder.
    LinkOut,
    /// A pipe, a socket or a device.
    Special,
}

/// Lists every entry of an open skill's folder, including hidden entries and version control, in the
/// order of the paths' bytes. Folders are entered; links are not. Files that exceed the limit of bytes
/// are an error, so that no caller begins to read them.
pub(crate) fn entries(open: &OpenSkill<'_>) -> Result<Vec<Found>, Error> {
    let mut walk = Walk {
        open,
        found: Vec::new(),
        bytes: 0,
    };
    walk.folder(&open.folder, Path::new(""), 0)?;
    let mut found = walk.found;
    found.sort_unstable_by(|a, b| bytes(&a.path).cmp(bytes(&b.path)));
    Ok(found)
}

/// Returns the bytes of a path, the sort key of entries.
pub(crate) fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

struct Walk<'a> {
    open: &'a OpenSkill<'a>,
    found: Vec<Found>,
    /// The sum of the lengths of all files.
    bytes: u64,
}

impl Walk<'_> {
    fn folder(&mut self, folder: &Folder, below: &Path, depth: usize) -> Result<(), Error> {
        let most = self.open.limits.files;
        // One name more than the limit, so that an excess is noticed and not cut off.
        let items = folder.items(most.saturating_add(1));
        for item in items.map_err(|failed| error(self.open.skill, below, Refused::Io(failed)))? {
            if self.found.len() >= most || depth > MAX_DEPTH {
                let what = format!(
                    "it contains more than {most} entries, or more than {MAX_DEPTH} nested folders"
                );
                return Err(self.open.error(ErrorKind::Refused, Path::new(""), &what));
            }
            let path = below.join(&item.name);
            // A skill below a skill at the root of the source is trusted on its own.
            if !self.open.skill.owns(&path) {
                continue;
            }
            let kind = self.kind(folder, &item, &path)?;
            if let FoundKind::File(stat) = &kind {
                self.count(stat.len)?;
            }
            let is_folder = matches!(kind, FoundKind::Folder);
            self.found.push(Found {
                path: path.clone(),
                kind,
            });
            if is_folder {
                let inner = folder.folder_within(Path::new(&item.name));
                let inner = inner.map_err(|refused| error(self.open.skill, &path, refused))?;
                self.folder(&inner, &path, depth + 1)?;
            }
        }
        Ok(())
    }

    fn count(&mut self, bytes: u64) -> Result<(), Error> {
        let most = self.open.limits.bytes;
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes <= most {
            return Ok(());
        }
        let what = format!("its files have more than {most} bytes together");
        Err(self.open.error(ErrorKind::Refused, Path::new(""), &what))
    }

    fn kind(&self, folder: &Folder, item: &Item, path: &Path) -> Result<FoundKind, Error> {
        let name = Path::new(&item.name);
        let failed = |io| error(self.open.skill, path, Refused::Io(io));
        Ok(match item.kind {
            Kind::Folder => FoundKind::Folder,
            Kind::Link => match self.open.folder.file_within(path) {
                Err(Refused::Escape) => FoundKind::LinkOut,
                // The link leads to an entry of the folder, or to nothing.
                _ => FoundKind::Link(folder.link(name).map_err(failed)?),
            },
            Kind::File | Kind::Other => match folder.stat(name).map_err(failed)? {
                stat if stat.is_file => FoundKind::File(stat),
                _ => FoundKind::Special,
            },
        })
    }
}
