//! Writes new files whole, or not at all.
//!
//! A file is written under an unpredictable name in the open folder, and then renamed. A link planted
//! at a name is never followed, since the name must be free. A program that is killed leaves its
//! temporary file. The next run removes the file, unless another program holds the file's lock. On
//! systems without such locks, a temporary file is removed when it is an hour old.

#[cfg(not(unix))]
use crate::disk::portable::{hold, is_left};
#[cfg(unix)]
use crate::disk::posix::{hold, is_left};
use crate::disk::{Folder, Item, Kind};
use std::ffi::{OsStr, OsString};
use std::fs::{File, Permissions};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, Write as _};

/// The mark in every temporary name, before 16 hexadecimal digits and `~`.
const MARK: &str = ".skills-";
/// The maximum number of characters that a temporary name takes from the name: at most 128 bytes. File
/// systems limit a name to 255 bytes, of which the mark and the digits need 26.
const MAX_STEM: usize = 32;
/// The maximum number of items of a folder that are searched for leftover temporary files.
const MAX_ITEMS: usize = 100_000;
/// The maximum number of temporary names that are tried, since another program can take or remove each.
const TRIES: usize = 8;

impl Folder {
    /// Writes a file of this folder: writes a new file and renames it over the old file. Removes the
    /// temporary files of killed programs.
    ///
    /// # Errors
    ///
    /// The file cannot be created, written or renamed. The old file is then unchanged.
    pub fn replace(
        &self,
        name: &OsStr,
        bytes: &[u8],
        permissions: Option<Permissions>,
    ) -> io::Result<()> {
        self.sweep();
        let (temporary, mut file) = self.temporary(name)?;
        let written =
            write(&mut file, bytes, permissions).and_then(|()| self.rename(&temporary, self, name));
        if written.is_err() {
            // The first error is the cause. If the removal fails too, a later run sweeps the file.
            let _ = self.remove(&temporary);
        }
        written
    }

    /// Creates a folder with one file in this folder. A program that is killed meanwhile leaves the empty folder.
    ///
    /// # Errors
    ///
    /// `AlreadyExists`: the name is taken. Any other error: the folder or the file cannot be created.
    /// Nothing is left in either case.
    pub fn make(&self, name: &OsStr, file_name: &OsStr, bytes: &[u8]) -> io::Result<()> {
        self.create_folder(name)?;
        let folder = self.child(name)?;
        let made = folder.create_new(file_name);
        let made = made.and_then(|mut file| write(&mut file, bytes, None));
        if made.is_err() {
            // The first error is the cause.
            let _ = folder.remove(file_name);
            let _ = self.remove_folder(name);
        }
        made
    }

    /// Creates a file under a temporary name, and locks it, so that no other program sweeps it.
    fn temporary(&self, name: &OsStr) -> io::Result<(OsString, File)> {
        for _ in 0..TRIES {
            let temporary = temporary_name(name);
            match self.create_new(&temporary) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => {
                    let file = made?;
                    // Another program can have swept the file between its creation and its lock.
                    if hold(&file) && self.stat(temporary.as_ref()).is_ok() {
                        return Ok((temporary, file));
                    }
                }
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Returns whether an item of this folder is the temporary file of a killed program. [`Folder::replace`] removes it.
    pub fn is_left_over(&self, item: &Item) -> bool {
        item.kind == Kind::File
            && is_temporary(&item.name)
            && self.child_file(&item.name).is_ok_and(|file| is_left(&file))
    }

    /// Removes the temporary files of killed programs from this folder. A file that cannot be removed stays.
    fn sweep(&self) {
        for item in self.items(MAX_ITEMS).unwrap_or_default() {
            if self.is_left_over(&item) {
                let _ = self.remove(&item.name);
            }
        }
    }
}

fn write(file: &mut File, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
    file.write_all(bytes)?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    // Before the rename: after a power failure, the new name could otherwise lead to an empty file.
    file.sync_all()
}

/// Returns `.NAME.skills-0123456789abcdef~`: an unpredictable name. The `~` keeps it out of every check.
fn temporary_name(name: &OsStr) -> OsString {
    // The standard library seeds these hashers from the system's random numbers: no crate is needed.
    let random = RandomState::new().build_hasher().finish();
    let stem: String = name.to_string_lossy().chars().take(MAX_STEM).collect();
    format!(".{stem}{MARK}{random:016x}~").into()
}

fn is_temporary(name: &OsStr) -> bool {
    let Some((stem, rest)) = name.to_str().and_then(|name| name.rsplit_once(MARK)) else {
        return false;
    };
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    stem.starts_with('.')
        && rest
            .strip_suffix('~')
            .is_some_and(|digits| digits.len() == 16 && digits.bytes().all(is_digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_names_are_new_and_known() {
        let [one, other] = [(); 2].map(|()| temporary_name("SKILL.md".as_ref()));
        assert_ne!(one, other);
        assert!(is_temporary(&one) && is_temporary(&temporary_name("ü".repeat(200).as_ref())));
        for name in ["SKILL.md~", ".SKILL.md.1234~", "a.skills-0123456789abcdef~"] {
            assert!(!is_temporary(name.as_ref()), "{name}");
        }
    }
}
