//! Reads the files of a folder into a snapshot.

use crate::files::executable::is_executable;
use crate::files::folder::OpenFolder;
use crate::files::relative_path::RelativePath;
use crate::files::snapshot::{Entry, FileBytes, MAX_BYTES, MAX_FILES, Snapshot};
use skills_format::disk::{Folder, Kind};
use skills_format::prose;
use skills_store::{Error, ErrorKind};
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// Maximum number of files and folders in a skill. An empty folder costs as much time as a file.
const MAX_ENTRIES: usize = 20_000;
/// Maximum depth of a file. Each folder is opened by a walk from the root, which takes quadratic time in the depth.
const MAX_DEPTH: usize = 128;

impl Snapshot {
    /// Reads a folder. Does not follow links, also not a link that replaces a listed file.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] if the folder is over the limits of a skill, or has an entry that is not a file, a
    /// folder or a link.
    pub fn read(folder: &Path) -> Result<Self, Error> {
        Self::read_open(&OpenFolder::open(folder)?)
    }

    /// Reads an open folder.
    pub fn read_open(folder: &OpenFolder) -> Result<Self, Error> {
        let mut reading = Reading {
            folder: folder.path(),
            snapshot: Self::default(),
            size: 0,
            entries: 0,
            folders: vec![String::new()],
            files: Vec::new(),
        };
        while let Some(relative) = reading.folders.pop() {
            reading.list(folder.folder(), relative)?;
        }
        // Only now: a folder that is too large is refused before any of it is in memory.
        reading.read(folder.folder())?;
        Ok(reading.snapshot)
    }
}

/// A snapshot under construction.
struct Reading<'r> {
    folder: &'r Path,
    snapshot: Snapshot,
    /// Bytes of all files, as the file system says while they are listed.
    size: u64,
    /// The number of files and folders so far.
    entries: usize,
    /// The folders that are not yet listed, relative to `folder`.
    folders: Vec<String>,
    /// The folders that hold files, each with their names.
    files: Vec<(String, Vec<String>)>,
}

impl Reading<'_> {
    /// Opens a folder below the skill's folder. A link is refused.
    fn open(&self, root: &Folder, relative: &str) -> Result<Folder, Error> {
        let open = root.folder_below(Path::new(relative));
        let path = self.folder.join(relative);
        open.map_err(|refused| Error::io(&path, "cannot be read", refused.into()))
    }

    fn list(&mut self, root: &Folder, relative: String) -> Result<(), Error> {
        let path = self.folder.join(&relative);
        let failed = |error| Error::io(&path, "cannot be read", error);
        let open = self.open(root, &relative)?;
        let mut names = Vec::new();
        let depth = relative.split('/').count();
        for item in open.items(usize::MAX).map_err(failed)? {
            self.count(depth)?;
            let path = path.join(&item.name);
            let name = item.name.into_string().map_err(|_| {
                let message = prose!("the name of {} is not UTF-8", &path);
                Error::new(ErrorKind::NotUtf8, message).help("rename the file")
            })?;
            if name == ".git" {
                self.snapshot.is_repository = true;
                continue;
            }
            let relative = joined(&relative, &name);
            match item.kind {
                Kind::Folder => self.folders.push(relative),
                Kind::Link => {
                    let target = open.link(Path::new(&name)).map_err(failed)?;
                    self.add(relative, Entry::Link(target))?;
                }
                Kind::File => {
                    let stat = open.stat(Path::new(&name)).map_err(failed)?;
                    self.size = self.size.saturating_add(stat.len);
                    if self.size > MAX_BYTES {
                        return Err(too_large(&path));
                    }
                    self.add(relative, Entry::File(FileBytes::default()))?;
                    names.push(name);
                }
                Kind::Other => return Err(not_a_file(&path)),
            }
        }
        if !names.is_empty() {
            self.files.push((relative, names));
        }
        Ok(())
    }

    /// Reads the files that were listed. A file may have grown since: what all hold together is bounded again.
    fn read(&mut self, root: &Folder) -> Result<(), Error> {
        let mut left = MAX_BYTES;
        for (relative, names) in std::mem::take(&mut self.files) {
            let open = self.open(root, &relative)?;
            for name in names {
                let path = self.folder.join(&relative).join(&name);
                let file = open.child_file(OsStr::new(&name));
                let file =
                    file.map_err(|refused| Error::io(&path, "cannot be read", refused.into()))?;
                let file = read_file(file, &path, left)?;
                left -= file.bytes.len() as u64;
                self.add(joined(&relative, &name), Entry::File(file))?;
            }
        }
        Ok(())
    }

    /// Counts an entry. Fails over the limits of entries and of depth.
    fn count(&mut self, depth: usize) -> Result<(), Error> {
        self.entries += 1;
        let what = if depth > MAX_DEPTH {
            format!("nests folders over {MAX_DEPTH} levels deep")
        } else if self.entries > MAX_ENTRIES {
            format!("contains more than {MAX_ENTRIES} files and folders")
        } else {
            return Ok(());
        };
        let message = prose!("{} {what}", self.folder);
        Err(Error::new(ErrorKind::Refused, message).help("remove the folders manually"))
    }

    fn add(&mut self, relative: String, entry: Entry) -> Result<(), Error> {
        let relative = RelativePath::new(relative).map_err(|refused| self.refuse(&refused))?;
        self.snapshot.entries.insert(relative, entry);
        if self.snapshot.entries.len() <= MAX_FILES {
            return Ok(());
        }
        let message = prose!("{} contains more than {MAX_FILES} files", self.folder);
        Err(Error::new(ErrorKind::Refused, message).help("a skill contains instructions, not data"))
    }

    fn refuse(&self, refused: &str) -> Error {
        let message = prose!("{}: {refused}", self.folder);
        Error::new(ErrorKind::Refused, message).help("rename the file")
    }
}

fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        return name.to_owned();
    }
    format!("{folder}/{name}")
}

/// Reads an open file that a path led to, of at most `max` bytes.
pub fn read_file(file: File, path: &Path, max: u64) -> Result<FileBytes, Error> {
    let failed = |error| Error::io(path, "cannot be read", error);
    let metadata = file.metadata().map_err(failed)?;
    if !metadata.is_file() {
        return Err(not_a_file(path));
    }
    if metadata.len() > max {
        return Err(too_large(path));
    }
    let mut bytes = Vec::new();
    // It can grow while it is read.
    file.take(max + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > max {
        return Err(too_large(path));
    }
    Ok(FileBytes {
        bytes: bytes.into(),
        executable: is_executable(&metadata),
    })
}

fn too_large(path: &Path) -> Error {
    let message = prose!("{} is too large: a skill may have {MAX_BYTES} bytes", path);
    Error::new(ErrorKind::Refused, message).help("keep data outside of the skill")
}

fn not_a_file(path: &Path) -> Error {
    let message = prose!(
        "{} is not a regular file but a pipe, a socket or a device",
        path
    );
    Error::new(ErrorKind::Refused, message).help("remove it")
}
