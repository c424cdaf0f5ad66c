//! Files and folders written, copied and removed, each with an error that names it.

use crate::error::{Error, ErrorKind};
use skills_format::disk::{self, patient};
use skills_format::text::path::PathText as _;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

/// Whether something stands at a path, be it a link that leads nowhere.
pub(crate) fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Makes a folder and those above it.
pub(crate) fn make_folder(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).map_err(|error| Error::io(path, "cannot be created", error))
}

/// Renames. `Ok(false)` when the two places are not on one file system, or a lower layer of
/// overlayfs holds the folder: then nothing was changed.
pub(crate) fn rename(from: &Path, to: &Path) -> Result<bool, Error> {
    match disk::rename(from, to) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => Ok(false),
        Err(error) => Err(Error::io(from, "cannot be renamed", error)),
    }
}

/// Copies a folder beside `to`, then renames it: `to` is there whole or not at all. Everything is
/// copied, whatever it is to a skill.
pub(crate) fn copy_whole(from: &Path, to: &Path) -> Result<(), Error> {
    let part = to.with_extension("part");
    remove(&part)?;
    copy_tree(from, &part)?;
    rename(&part, to)?;
    Ok(())
}

fn copy_tree(from: &Path, to: &Path) -> Result<(), Error> {
    let unread = |error| Error::io(from, "cannot be read", error);
    let unwritten = |error| Error::io(to, "cannot be written", error);
    let kind = fs::symlink_metadata(from).map_err(unread)?.file_type();
    if kind.is_symlink() {
        return link(&fs::read_link(from).map_err(unread)?, to);
    }
    if kind.is_dir() {
        fs::create_dir(to).map_err(unwritten)?;
        for entry in fs::read_dir(from).map_err(unread)? {
            let name = entry.map_err(unread)?.file_name();
            copy_tree(&from.join(&name), &to.join(&name))?;
        }
        return Ok(());
    }
    if !kind.is_file() {
        let message = format!("{} is a pipe, a socket or a device", from.shown());
        return Err(Error::new(ErrorKind::Refused, message).help("remove it"));
    }
    fs::copy(from, to).and_then(|_| sync(to)).map_err(unwritten)
}

/// Waits until a file is on the disk.
#[cfg(unix)]
fn sync(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Windows does that for a writer alone. The copy of a read-only file has none.
#[cfg(not(unix))]
fn sync(path: &Path) -> io::Result<()> {
    match File::options().write(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        file => file?.sync_all(),
    }
}

/// Moves a folder, by a copy where it cannot be renamed.
pub(crate) fn move_folder(from: &Path, to: &Path) -> Result<(), Error> {
    if rename(from, to)? {
        return Ok(());
    }
    copy_whole(from, to)?;
    remove(from)
}

/// Moves one file to its place in a folder, over what stands there.
pub(crate) fn move_file(from: &Path, folder: &Path, path: &str) -> Result<(), Error> {
    let to = folder.join(path);
    for (at, _) in path.match_indices('/') {
        let above = folder.join(path.get(..at).unwrap_or_default());
        if is_there(&above) && !fs::symlink_metadata(&above).is_ok_and(|above| above.is_dir()) {
            remove(&above)?;
        }
    }
    if let Some(above) = to.parent() {
        make_folder(above)?;
    }
    if fs::symlink_metadata(&to).is_ok_and(|to| to.is_dir()) {
        remove(&to)?;
    }
    if !rename(from, &to)? {
        // A folder that is mounted by itself.
        copy_whole(from, &to)?;
        remove(from)?;
    }
    Ok(())
}

/// Removes the folders above a file that are empty without it.
pub(crate) fn remove_empty_above(root: &Path, path: &str) {
    for (at, _) in path.rmatch_indices('/') {
        let folder = root.join(path.get(..at).unwrap_or_default());
        if fs::remove_dir(folder).is_err() {
            return;
        }
    }
}

/// Removes a file, a link or a folder with everything in it. That nothing is there is fine.
pub(crate) fn remove(path: &Path) -> Result<(), Error> {
    allow_removal(path);
    let removed = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => Err(error),
        Ok(metadata) if metadata.is_dir() => patient(|| fs::remove_dir_all(path)),
        Ok(_) => patient(|| fs::remove_file(path)),
    };
    removed.map_err(|error| Error::io(path, "cannot be removed", error))
}

/// Makes the files of the store writable again: some systems remove no file that is read-only.
#[cfg(not(unix))]
fn allow_removal(path: &Path) {
    let Ok(metadata) = fs::symlink_metadata(path) else {
        return;
    };
    if metadata.is_dir() {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            allow_removal(&entry.path());
        }
    } else if metadata.is_file() {
        let mut permissions = metadata.permissions();
        #[expect(
            clippy::permissions_set_readonly_false,
            reason = "it opens a file to all on Unix only"
        )]
        permissions.set_readonly(false);
        // What cannot be changed is reported by the removal.
        let _ = fs::set_permissions(path, permissions);
    }
}

#[cfg(unix)]
fn allow_removal(_: &Path) {}

/// Whether bytes must be on the disk before the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Durable {
    /// They must.
    Yes,
    /// They are checked when they are used.
    No,
}

/// Writes a new file.
pub(crate) fn write_file(path: &Path, bytes: &[u8], durable: Durable) -> Result<File, Error> {
    let written = File::create_new(path).and_then(|mut file| {
        file.write_all(bytes)?;
        if durable == Durable::Yes {
            file.sync_all()?;
        }
        Ok(file)
    });
    written.map_err(|error| Error::io(path, "cannot be written", error))
}

/// Replaces a file: a new one is written beside it and renamed.
pub(crate) fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let new = path.with_extension("new");
    remove(&new)?;
    write_file(&new, bytes, Durable::Yes)?;
    rename(&new, path)?;
    Ok(())
}

/// Makes a symbolic link.
#[cfg(unix)]
pub(crate) fn link(target: &Path, path: &Path) -> Result<(), Error> {
    std::os::unix::fs::symlink(target, path)
        .map_err(|error| Error::io(path, "cannot be written", error))
}

/// Elsewhere links need rights that programs do not have.
#[cfg(not(unix))]
pub(crate) fn link(_: &Path, path: &Path) -> Result<(), Error> {
    let error = io::Error::from(io::ErrorKind::Unsupported);
    Err(Error::io(path, "cannot be written", error))
}
