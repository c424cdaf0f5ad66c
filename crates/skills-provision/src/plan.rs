//! Compares the folder with the bundle, and says what to write.

use crate::marker::{MARKER, Marker};
use skills_format::Digest;
use skills_format::disk::{Folder, Kind, Refused, is_absent, read_regular};
use skills_runtime::Bundle;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::Path;

/// A larger file is none of the program's.
const MAX_BYTES: u64 = 1 << 30;

/// What [`Provisioning::run`](crate::Provisioning::run) did. Each path is relative to the folder, with `/`, and the lists are sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Provisioned {
    /// Files that were created or brought up to date.
    pub written: Vec<String>,
    /// Files of the program that it no longer has.
    pub removed: Vec<String>,
    /// Files that stay as they are, since a person edited them, or put something else in their place.
    pub kept: Vec<String>,
}

/// What is to be done, and what it comes to.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
    pub(crate) done: Provisioned,
}

/// One change of the folder, whole or not at all.
#[derive(Debug)]
pub(crate) enum Step {
    Write {
        path: String,
        bytes: Cow<'static, [u8]>,
        /// What the plan saw there.
        seen: Option<Digest>,
    },
    Remove {
        path: String,
        seen: Option<Digest>,
    },
    Mark {
        text: String,
    },
}

/// What stands at the path of a file of the program.
enum Found {
    Nothing,
    File(File, Digest),
    /// A link, or something else that is not a file; or a part of the path is.
    Other,
}

/// # Errors
///
/// The path of a file that cannot be read, and the error.
pub(crate) fn plan(
    root: &Folder,
    bundle: &'static Bundle,
    marker: &Marker,
    overwrite: bool,
) -> Result<Plan, (String, io::Error)> {
    let mut plan = Plan::default();
    let mut files = BTreeMap::new();
    for skill in bundle {
        let unreadable = |error| (skill.name().to_owned(), io::Error::other(error));
        for file in skill.files().map_err(unreadable)? {
            let bytes = skill.read(&file.path).map_err(unreadable)?;
            let digest = Digest::of(&bytes);
            files.insert(format!("{}/{}", skill.name(), file.path), (bytes, digest));
        }
    }
    // While files change, both digests of each are those of the program.
    let (mut during, mut after) = (marker.clone(), Marker::default());
    let mut changes = Vec::new();
    for (path, (bytes, digest)) in files {
        let ours = marker.0.get(&path);
        let new = [digest].into();
        match find(root, &path).map_err(|error| (path.clone(), error))? {
            // A script that lost its x bit is written again: the mode of a file that is linked elsewhere stays.
            Found::File(on_disk, found)
                if found == digest && (!is_script(&bytes) || is_executable(&on_disk)) => {}
            found if may_write(&found, digest, ours, overwrite) => {
                plan.done.written.push(path.clone());
                changes.push(Step::Write {
                    path: path.clone(),
                    bytes,
                    seen: found.digest(),
                });
            }
            _ => {
                plan.done.kept.push(path.clone());
                // The digests stay as they were: what a person put there first never counts as the program's.
                if let Some(ours) = ours {
                    after.0.insert(path, ours.clone());
                }
                continue;
            }
        }
        during.0.entry(path.clone()).or_default().insert(digest);
        after.0.insert(path, new);
    }
    for (path, ours) in &marker.0 {
        if after.0.contains_key(path) {
            continue;
        }
        match find(root, path).map_err(|error| (path.clone(), error))? {
            Found::Nothing => {}
            found if may_remove(&found, ours, overwrite) => {
                plan.done.removed.push(path.clone());
                changes.push(Step::Remove {
                    path: path.clone(),
                    seen: found.digest(),
                });
            }
            Found::File(..) | Found::Other => {
                plan.done.kept.push(path.clone());
                after.0.insert(path.clone(), ours.clone());
            }
        }
    }
    plan.done.kept.sort();
    if !plan.done.written.is_empty() || !plan.done.removed.is_empty() {
        plan.steps.push(Step::Mark {
            text: during.text(),
        });
    }
    plan.steps.extend(changes);
    if &after != marker || !plan.steps.is_empty() {
        plan.steps.push(Step::Mark { text: after.text() });
    }
    Ok(plan)
}

/// Returns whether the program may write a file: nothing is there, or a file that it wrote and nobody edited.
fn may_write(found: &Found, new: Digest, ours: Option<&BTreeSet<Digest>>, overwrite: bool) -> bool {
    match found {
        Found::Nothing => true,
        Found::File(_, digest) => {
            overwrite || *digest == new || ours.is_some_and(|ours| ours.contains(digest))
        }
        Found::Other => false,
    }
}

fn may_remove(found: &Found, ours: &BTreeSet<Digest>, overwrite: bool) -> bool {
    match found {
        Found::File(_, digest) => overwrite || ours.contains(digest),
        Found::Nothing | Found::Other => false,
    }
}

impl Found {
    fn digest(&self) -> Option<Digest> {
        match self {
            Self::File(_, digest) => Some(*digest),
            Self::Nothing | Self::Other => None,
        }
    }

    /// Returns whether nothing changed since the plan.
    fn is_still(&self, seen: Option<Digest>) -> bool {
        !matches!(self, Self::Other) && self.digest() == seen
    }
}

impl Step {
    pub(crate) fn path(&self) -> &str {
        match self {
            Self::Write { path, .. } | Self::Remove { path, .. } => path,
            Self::Mark { .. } => MARKER,
        }
    }

    /// Makes the change. Returns false if a person was faster: the file then stays. An editor takes no lock, and between
    /// the plan and this step other files were written.
    pub(crate) fn apply(&self, root: &Folder) -> io::Result<bool> {
        match self {
            Self::Mark { text } => root.replace(OsStr::new(MARKER), text.as_bytes(), None)?,
            Self::Write { path, seen, .. } | Self::Remove { path, seen }
                if !find(root, path)?.is_still(*seen) =>
            {
                return Ok(false);
            }
            Self::Write { path, bytes, .. } => {
                let (folder, name) = made(root, path)?;
                folder.replace(name, bytes, None)?;
                if is_script(bytes) {
                    make_executable(&folder, name)?;
                }
            }
            Self::Remove { path, .. } => remove(root, Path::new(path))?,
        }
        Ok(true)
    }
}

fn find(root: &Folder, path: &str) -> io::Result<Found> {
    let path = Path::new(path);
    let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
        return Ok(Found::Other);
    };
    let folder = match root.folder_below(above) {
        Ok(folder) => folder,
        Err(Refused::Io(error)) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(Found::Nothing);
        }
        Err(Refused::Io(error)) if error.kind() == io::ErrorKind::PermissionDenied => {
            return Err(error);
        }
        Err(_) => return Ok(Found::Other),
    };
    match folder.kind(name)? {
        None => Ok(Found::Nothing),
        Some(Kind::File) => {
            let file = folder.child_file(name).map_err(io::Error::from)?;
            if file.metadata()?.len() > MAX_BYTES {
                return Ok(Found::Other);
            }
            let digest = Digest::of(&read_regular(&file, MAX_BYTES)?);
            Ok(Found::File(file, digest))
        }
        Some(_) => Ok(Found::Other),
    }
}

/// The folder of a file, created where it is missing, and the name of the file.
fn made<'p>(root: &Folder, path: &'p str) -> io::Result<(Folder, &'p OsStr)> {
    let mut folder = root.again()?;
    let mut parts = path.split('/').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return Ok((folder, OsStr::new(part)));
        }
        folder = folder
            .make_child(OsStr::new(part))
            .map_err(io::Error::from)?;
    }
    Err(io::ErrorKind::InvalidInput.into())
}

/// Removes a file, and the folders that it leaves empty.
fn remove(root: &Folder, path: &Path) -> io::Result<()> {
    let mut left = path.ancestors();
    let Some((file, name)) = left.next().and_then(|file| Some((file, file.file_name()?))) else {
        return Ok(());
    };
    match root
        .folder_below(file.parent().unwrap_or(Path::new("")))
        .map_err(io::Error::from)?
        .remove(name)
    {
        Err(error) if !is_absent(&error) => return Err(error),
        _ => {}
    }
    for folder in left {
        let (Some(above), Some(name)) = (folder.parent(), folder.file_name()) else {
            break;
        };
        let removed = root
            .folder_below(above)
            .map_err(io::Error::from)
            .and_then(|above| above.remove_folder(name));
        // It holds a person's files, or another process was faster.
        if removed.is_err() {
            break;
        }
    }
    Ok(())
}

fn is_script(bytes: &[u8]) -> bool {
    bytes.starts_with(b"#!")
}

#[cfg(unix)]
fn is_executable(file: &File) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata()
        .is_ok_and(|metadata| metadata.permissions().mode() & 0o100 != 0)
}

#[cfg(not(unix))]
fn is_executable(_: &File) -> bool {
    true
}

/// Lets everybody run the file who may read it: the umask decided about that when the file was created.
#[cfg(unix)]
fn make_executable(folder: &Folder, name: &OsStr) -> io::Result<()> {
    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let file = folder.child_file(name).map_err(io::Error::from)?;
    let metadata = file.metadata()?;
    // The file was just written. Another one that replaced it and is linked elsewhere keeps its mode.
    if metadata.nlink() > 1 {
        return Ok(());
    }
    let mode = metadata.permissions().mode();
    file.set_permissions(Permissions::from_mode(mode | (mode & 0o444) >> 2))
}

#[cfg(not(unix))]
#[expect(
    clippy::unnecessary_wraps,
    reason = "as on the systems that have the bit"
)]
fn make_executable(_: &Folder, _: &OsStr) -> io::Result<()> {
    Ok(())
}
