//! Reads archives in memory: nothing is unpacked on the disk.

use crate::files::snapshot::{FileBytes, MAX_BYTES};
use crate::review::item::{Item, ItemKind, MAX_ITEMS};
use flate2::read::MultiGzDecoder;
use skills_format::disk::Folder;
use skills_format::{Prose, prose};
use skills_store::{Error, ErrorKind};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Maximum bytes of a description before an entry of a tar file, which the crate holds in memory whole. A path has at most 4096;
/// PAX records also hold attributes of files.
const MAX_DESCRIPTION: u64 = 1 << 20;

/// Maximum unpacked size of an archive, in bytes.
const MAX_UNPACKED: u64 = 1 << 30;
/// Maximum bytes of all paths of an archive, which are held in memory: enough for 100,000 paths of 255 bytes.
const MAX_PATHS: usize = 32 << 20;
/// Maximum bytes of the directory of a zip file, which is read as a whole. An entry with a path of 255 bytes has 400.
const MAX_DIRECTORY: u64 = 64 << 20;

/// The items of an archive, with the contents of some files.
pub(crate) struct Listed {
    pub(crate) items: Vec<Item>,
    /// The contents of the wanted files, by path.
    pub(crate) files: BTreeMap<Vec<u8>, FileBytes>,
    /// The remaining bytes for contents.
    left: u64,
    /// The remaining bytes for paths.
    left_paths: usize,
}

/// An archive on the disk.
#[derive(Clone, Debug)]
pub(crate) struct ArchiveFile {
    path: PathBuf,
    /// The URL from which the archive was fetched; `None` for a file of the user.
    url: Option<String>,
}

impl ArchiveFile {
    pub(crate) fn new(path: &Path) -> Self {
        let path = path.to_owned();
        Self { path, url: None }
    }

    pub(crate) fn fetched(path: PathBuf, url: &str) -> Self {
        let url = Some(url.to_owned());
        Self { path, url }
    }
}

impl From<&ArchiveFile> for Prose {
    fn from(archive: &ArchiveFile) -> Self {
        match &archive.url {
            Some(url) => url.into(),
            None => (&archive.path).into(),
        }
    }
}

/// Lists an archive, with the contents of the files for which `wanted` returns true.
pub(crate) fn read(archive: &ArchiveFile, wanted: &dyn Fn(&[u8]) -> bool) -> Result<Listed, Error> {
    let name = archive.path.to_string_lossy().to_ascii_lowercase();
    let mut listed = Listed {
        items: Vec::new(),
        files: BTreeMap::new(),
        left: MAX_BYTES,
        left_paths: MAX_PATHS,
    };
    if name.ends_with("gz") {
        check_descriptions(archive)?;
        read_tar(archive, wanted, &mut listed)?;
    } else {
        read_zip(archive, wanted, &mut listed)?;
    }
    listed.items.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(listed)
}

/// Opens an archive, without waiting for a pipe.
fn open(path: &Path) -> Result<File, Error> {
    let unread = |error| Error::io(path, "cannot be read", error);
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(unread(io::ErrorKind::IsADirectory.into()));
    };
    let file = Folder::open(folder)
        .and_then(|folder| folder.file(Path::new(name)))
        .map_err(unread)?;
    if file.metadata().map_err(unread)?.is_file() {
        return Ok(file);
    }
    let message = prose!("{} is not a file: a pipe or a device", path);
    Err(Error::new(ErrorKind::Refused, message).help("write the archive into a file first"))
}

fn tar(archive: &ArchiveFile) -> Result<tar::Archive<impl Read>, Error> {
    let inner = MultiGzDecoder::new(io::BufReader::new(open(&archive.path)?));
    Ok(tar::Archive::new(Limited::unpacked(inner, MAX_UNPACKED)))
}

/// Refuses long descriptions of files, and those that give a file another size: programs read these differently, so the user could
/// see other content than is installed.
fn check_descriptions(archive: &ArchiveFile) -> Result<(), Error> {
    let damaged = |error: io::Error| damaged(archive, &error);
    for entry in tar(archive)?.entries().map_err(damaged)?.raw(true) {
        let mut entry = entry.map_err(damaged)?;
        let kind = entry.header().entry_type();
        let is_pax = kind.is_pax_local_extensions();
        if !is_pax && !kind.is_gnu_longname() && !kind.is_gnu_longlink() {
            continue;
        }
        let mut bytes = Vec::new();
        let mut description = entry.by_ref().take(MAX_DESCRIPTION + 1);
        description.read_to_end(&mut bytes).map_err(damaged)?;
        // A record is `LENGTH KEY=VALUE`. Wherever a length can stand, some program may begin a record.
        let is_key = |part: &[u8], key: &[u8]| {
            let part = part.split_first();
            part.is_some_and(|(length, part)| length.is_ascii_digit() && part == key)
        };
        let has = |key: &[u8]| {
            let mut parts = bytes.windows(key.len() + 1);
            is_pax && parts.any(|part| is_key(part, key))
        };
        let why = if bytes.len() as u64 > MAX_DESCRIPTION {
            format!("a description of a file has more than {MAX_DESCRIPTION} bytes")
        } else if has(b" size=") {
            "a PAX record gives a file another size".to_owned()
        } else if has(b" GNU.sparse.") {
            "it contains a sparse file".to_owned()
        } else {
            continue;
        };
        return Err(damaged(io::Error::other(why)));
    }
    Ok(())
}

fn read_tar(
    path: &ArchiveFile,
    wanted: &dyn Fn(&[u8]) -> bool,
    listed: &mut Listed,
) -> Result<(), Error> {
    let damaged = |error: io::Error| damaged(path, &error);
    for entry in tar(path)?.entries().map_err(damaged)? {
        let mut entry = entry.map_err(damaged)?;
        let kind = entry.header().entry_type();
        if kind.is_dir() || kind.is_pax_global_extensions() {
            continue;
        }
        let item = Item {
            path: entry.path_bytes().into_owned(),
            kind: if kind.is_file() {
                let mode = entry.header().mode().unwrap_or(0);
                ItemKind::File {
                    executable: mode & 0o111 != 0,
                }
            } else if kind.is_symlink() || kind.is_hard_link() {
                ItemKind::Link
            } else {
                ItemKind::Other
            },
        };
        listed.add(path, item, wanted, &mut entry)?;
    }
    Ok(())
}

fn read_zip(
    path: &ArchiveFile,
    wanted: &dyn Fn(&[u8]) -> bool,
    listed: &mut Listed,
) -> Result<(), Error> {
    let damaged = |error: zip::result::ZipError| damaged(path, &error);
    let file = || open(&path.path).map(io::BufReader::new);
    // The directory is read twice, first with a bound: the crate holds it in memory as a whole.
    let bounded = Limited {
        inner: file()?,
        left: MAX_DIRECTORY,
        over: format!("its directory has more than {MAX_DIRECTORY} bytes"),
    };
    zip::ZipArchive::new(bounded).map_err(damaged)?;
    let mut archive = zip::ZipArchive::new(file()?).map_err(damaged)?;
    if archive.len() > MAX_ITEMS {
        return Err(too_many(path));
    }
    let mut left = MAX_UNPACKED;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(damaged)?;
        if entry.is_dir() {
            continue;
        }
        let mode = entry.unix_mode().unwrap_or(0o644);
        let item = Item {
            path: entry.name_raw().to_vec(),
            kind: match mode & 0o170_000 {
                0o120_000 => ItemKind::Link,
                0 | 0o100_000 => ItemKind::File {
                    executable: mode & 0o111 != 0,
                },
                _ => ItemKind::Other,
            },
        };
        let mut limited = Limited::unpacked(&mut entry, left);
        listed.add(path, item, wanted, &mut limited)?;
        left = limited.left;
    }
    Ok(())
}

impl Listed {
    fn add(
        &mut self,
        archive: &ArchiveFile,
        mut item: Item,
        wanted: &dyn Fn(&[u8]) -> bool,
        content: &mut dyn Read,
    ) -> Result<(), Error> {
        // `tar -c .` writes `./` before each path.
        while let Some(rest) = item.path.strip_prefix(b"./") {
            item.path = rest.to_vec();
        }
        if let ItemKind::File { executable } = item.kind
            && wanted(&item.path)
        {
            let mut bytes = Vec::new();
            // One byte more than allowed: a file that is too large is an error, and is not cut.
            content
                .take(self.left + 1)
                .read_to_end(&mut bytes)
                .map_err(|error| damaged(archive, &error))?;
            self.left = self
                .left
                .checked_sub(bytes.len() as u64)
                .ok_or_else(|| too_large(archive))?;
            self.files
                .insert(item.path.clone(), FileBytes::new(bytes, executable));
        }
        self.left_paths = self
            .left_paths
            .checked_sub(item.path.len())
            .ok_or_else(|| too_many(archive))?;
        self.items.push(item);
        if self.items.len() > MAX_ITEMS {
            return Err(too_many(archive));
        }
        Ok(())
    }
}

/// A stream that fails after too many bytes: a small archive can hold terabytes of zeros.
struct Limited<R> {
    inner: R,
    left: u64,
    /// The error: what has too many bytes.
    over: String,
}

impl<R> Limited<R> {
    fn unpacked(inner: R, left: u64) -> Self {
        let over = format!("it unpacks to more than {MAX_UNPACKED} bytes");
        Self { inner, left, over }
    }
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        let left = self.left.checked_sub(read as u64);
        self.left = left.ok_or_else(|| io::Error::other(&*self.over))?;
        Ok(read)
    }
}

impl<R: Seek> Seek for Limited<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

fn too_large(path: &ArchiveFile) -> Error {
    let message = prose!("{}: a skill has more than {MAX_BYTES} bytes", path);
    Error::new(ErrorKind::Refused, message).help("a skill contains instructions, not data")
}

fn too_many(path: &ArchiveFile) -> Error {
    let message = prose!(
        "{} contains more than {MAX_ITEMS} files, or paths of more than {MAX_PATHS} bytes",
        path
    );
    Error::new(ErrorKind::Refused, message).help("install from a smaller archive")
}

fn damaged(path: &ArchiveFile, error: &dyn std::fmt::Display) -> Error {
    let message = prose!("{} cannot be unpacked: {error}", path);
    Error::new(ErrorKind::Refused, message).help(
        "download it again; archives are gzip-compressed tar files, or zip files with deflate",
    )
}
