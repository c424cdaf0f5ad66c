//! Files in a folder where a stranger may have left links and pipes: the lock, and the new file that
//! replaces the old file.

use crate::error::Error;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The number of random characters in the name of a new file.
const RANDOM: usize = 12;
/// The end of the name of a new file.
const NEW: &str = ".new";

/// Opens a regular file. Links are followed; a pipe is not waited for.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    regular(&options, path, Links::Followed)
}

/// Takes the lock of a file. Waits until no other program has the lock. A link in the place of the lock
/// is an error.
pub(crate) fn lock(path: &Path) -> Result<File, Error> {
    let lock = beside(path, ".lock");
    let failed = |error| Error::io(&lock, "cannot be locked", error);
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    let file = regular(&options, &lock, Links::Refused).map_err(failed)?;
    file.lock().map_err(failed)?;
    Ok(file)
}

/// Writes a new file and renames it over the old file. The new file has a random name and is created, so
/// that nothing can wait in its place. The caller has the lock.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let failed = |error| Error::io(path, "cannot be written", error);
    let (prefix, old) = (beside(path, "."), fs::metadata(path).ok());
    let mut builder = tempfile::Builder::new();
    let prefix = prefix.file_name().unwrap_or_default();
    builder.prefix(prefix).suffix(NEW).rand_bytes(RANDOM);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // The mask of the process applies, as to any new file.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut new = builder.tempfile_in(folder(path)).map_err(failed)?;
    new.write_all(bytes).map_err(failed)?;
    if let Some(old) = old {
        let permissions = old.permissions();
        new.as_file().set_permissions(permissions).map_err(failed)?;
    }
    new.as_file().sync_all().map_err(failed)?;
    new.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Removes the new files that killed programs left. The caller has the lock, so that no other program is
/// writing. A file that cannot be removed is left.
pub(crate) fn sweep(path: &Path) {
    let Ok(entries) = fs::read_dir(folder(path)) else {
        return;
    };
    for entry in entries.flatten() {
        if is_new_file(&entry.file_name(), path) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Returns the folder of a file.
pub(crate) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Whether a file of this name is a new file of `path`. Earlier versions used no random characters.
fn is_new_file(name: &OsStr, path: &Path) -> bool {
    let start = beside(path, "");
    let start = start.file_name().unwrap_or_default().as_encoded_bytes();
    let rest = name.as_encoded_bytes().strip_prefix(start);
    let random = rest.and_then(|rest| rest.strip_suffix(NEW.as_bytes()));
    match random {
        Some([]) => true,
        Some([b'.', random @ ..]) => {
            random.len() == RANDOM && random.iter().all(u8::is_ascii_alphanumeric)
        }
        _ => false,
    }
}

/// Makes a hidden name in the same folder.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(ending);
    path.with_file_name(name)
}

/// Whether a link is followed to the file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    Followed,
    Refused,
}

/// Opens a file, and checks after opening that it is a regular file.
fn regular(options: &OpenOptions, path: &Path, links: Links) -> io::Result<File> {
    let mut options = options.clone();
    set_flags(&mut options, links);
    let invalid = |what| io::Error::new(io::ErrorKind::InvalidInput, what);
    let file = options.open(path).map_err(|error| {
        if links == Links::Refused && path.is_symlink() {
            invalid("it is a link")
        } else {
            error
        }
    })?;
    if !file.metadata()?.is_file() {
        return Err(invalid("it is not a file"));
    }
    Ok(file)
}

#[cfg(unix)]
fn set_flags(options: &mut OpenOptions, links: Links) {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt as _;
    // Without this flag, opening a pipe waits for its other end.
    let mut flags = OFlags::NONBLOCK;
    flags.set(OFlags::NOFOLLOW, links == Links::Refused);
    options.custom_flags(flags.bits().cast_signed());
}

#[cfg(windows)]
fn set_flags(options: &mut OpenOptions, links: Links) {
    use std::os::windows::fs::OpenOptionsExt as _;
    /// Opens a link itself, which is not a regular file.
    const OPEN_REPARSE_POINT: u32 = 0x0020_0000;
    if links == Links::Refused {
        options.custom_flags(OPEN_REPARSE_POINT);
    }
}

#[cfg(not(any(unix, windows)))]
fn set_flags(_: &mut OpenOptions, _: Links) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_files_are_known_by_their_names() {
        let path = Path::new("folder/skills.json");
        let is_new = |name: &str| is_new_file(OsStr::new(name), path);
        assert!(is_new(".skills.json.new") && is_new(".skills.json.a1B2c3D4e5F6.new"));
        for other in [
            "skills.json.new",
            ".skills.json.lock",
            ".skills.json.a.new",
            ".skills.json.a1B2c3D4e5F-.new",
            ".skills.jsona1B2c3D4e5F6.new",
            ".trust.json.new",
        ] {
            assert!(!is_new(other), "{other}");
        }
    }
}
