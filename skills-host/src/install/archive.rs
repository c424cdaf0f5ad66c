//! Archives, read in memory: nothing is unpacked on the disk.

use crate::error::{Error, ErrorKind};
use crate::files::snapshot::{FileBytes, MAX_BYTES};
use crate::install::item::{Item, ItemKind, MAX_ITEMS};
use flate2::read::MultiGzDecoder;
use skills_format::text::path::PathText as _;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Most bytes that an archive may unpack to.
const MAX_UNPACKED: u64 = 1 << 30;

/// What is read from an archive.
pub(crate) struct Listed {
    pub(crate) items: Vec<Item>,
    /// The contents of the files that were asked for, by path.
    pub(crate) files: BTreeMap<Vec<u8>, FileBytes>,
    /// Bytes that these may still have.
    left: u64,
}

/// Lists an archive, with the contents of the files that `wanted` names.
pub(crate) fn read(path: &Path, wanted: &dyn Fn(&[u8]) -> bool) -> Result<Listed, Error> {
    let file = File::open(path).map_err(|error| Error::io(path, "cannot be read", error))?;
    let name = path.to_string_lossy().to_ascii_lowercase();
    let mut listed = Listed {
        items: Vec::new(),
        files: BTreeMap::new(),
        left: MAX_BYTES,
    };
    if name.ends_with("gz") {
        read_tar(path, file, wanted, &mut listed)?;
    } else {
        read_zip(path, file, wanted, &mut listed)?;
    }
    listed.items.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(listed)
}

fn read_tar(
    path: &Path,
    file: File,
    wanted: &dyn Fn(&[u8]) -> bool,
    listed: &mut Listed,
) -> Result<(), Error> {
    let damaged = |error: io::Error| damaged(path, &error);
    let limited = Limited {
        inner: MultiGzDecoder::new(io::BufReader::new(file)),
        left: MAX_UNPACKED,
    };
    let mut archive = tar::Archive::new(limited);
    for entry in archive.entries().map_err(damaged)? {
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
    path: &Path,
    file: File,
    wanted: &dyn Fn(&[u8]) -> bool,
    listed: &mut Listed,
) -> Result<(), Error> {
    let damaged = |error: zip::result::ZipError| damaged(path, &error);
    let mut archive = zip::ZipArchive::new(io::BufReader::new(file)).map_err(damaged)?;
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
        let mut limited = Limited {
            inner: &mut entry,
            left,
        };
        listed.add(path, item, wanted, &mut limited)?;
        left = limited.left;
    }
    Ok(())
}

impl Listed {
    fn add(
        &mut self,
        archive: &Path,
        mut item: Item,
        wanted: &dyn Fn(&[u8]) -> bool,
        content: &mut dyn Read,
    ) -> Result<(), Error> {
        // As `tar -c .` writes paths.
        while let Some(rest) = item.path.strip_prefix(b"./") {
            item.path = rest.to_vec();
        }
        if let ItemKind::File { executable } = item.kind
            && wanted(&item.path)
        {
            let mut bytes = Vec::new();
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
        self.items.push(item);
        if self.items.len() > MAX_ITEMS {
            return Err(too_many(archive));
        }
        Ok(())
    }
}

/// A stream that fails once it gave too much: a small archive may hold terabytes of zeros.
struct Limited<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        let message = format!("it unpacks to more than {MAX_UNPACKED} bytes");
        self.left = self
            .left
            .checked_sub(read as u64)
            .ok_or_else(|| io::Error::other(message))?;
        Ok(read)
    }
}

fn too_large(path: &Path) -> Error {
    let message = format!("{}: a skill has more than {MAX_BYTES} bytes", path.shown());
    Error::new(ErrorKind::Refused, message).help("a skill holds instructions, not data")
}

fn too_many(path: &Path) -> Error {
    let message = format!("{} holds more than {MAX_ITEMS} files", path.shown());
    Error::new(ErrorKind::Refused, message).help("install from a smaller archive")
}

fn damaged(path: &Path, error: &dyn std::fmt::Display) -> Error {
    let message = format!("{} cannot be unpacked: {error}", path.shown());
    Error::new(ErrorKind::Refused, message).help(
        "download it again; archives are gzip-compressed tar files, or zip files with deflate",
    )
}
