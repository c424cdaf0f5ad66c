//! Writes new files and folders whole, or not at all.
//!
//! A file is written under an unpredictable name in the open folder, and then renamed. A link planted
//! at a name is never followed, since the name must be free. A program that is killed leaves its
//! temporary file. The next run removes the file, unless another program holds the file's lock. On
//! systems without such locks, a temporary file is removed when it is an hour old.

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
        let (temporary, mut file) = self.temporary(name, |name| self.create_new(name))?;
        let written =
            write(&mut file, bytes, permissions).and_then(|()| self.rename(&temporary, self, name));
        if written.is_err() {
            // The first error is the cause. If the removal fails too, a later run sweeps the file.
            let _ = self.remove(&temporary);
        }
        written
    }

    /// Creates a folder with one file in this folder: both, or neither.
    ///
    /// # Errors
    ///
    /// `AlreadyExists`: the name is taken. Any other error: the folder or the file cannot be created.
    /// Nothing is left in either case.
    pub fn make(&self, name: &OsStr, file_name: &OsStr, bytes: &[u8]) -> io::Result<()> {
        self.sweep();
        let (temporary, folder) = self.temporary(name, |name| {
            self.create_folder(name)?;
            self.child(name).map_err(Into::into)
        })?;
        let made = folder
            .create_new(file_name)
            .and_then(|mut file| write(&mut file, bytes, None))
            .and_then(|()| self.rename_new(&temporary, name));
        if made.is_err() {
            // The first error is the cause. If the removal fails too, a later run sweeps the folder.
            let _ = folder.remove(file_name);
            let _ = self.remove_folder(&temporary);
        }
        made
    }

    /// Renames an item to a name that is free. Not atomic: a file that takes the name between the two calls is replaced.
    pub(super) fn rename_if_free(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        match self.stat(to.as_ref()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.rename(from, self, to),
            Err(error) => Err(error),
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        }
    }

    /// Creates a file or folder under a temporary name, and locks it, so that no other program sweeps it.
    fn temporary<T: Locked>(
        &self,
        name: &OsStr,
        create: impl Fn(&OsStr) -> io::Result<T>,
    ) -> io::Result<(OsString, T)> {
        for _ in 0..TRIES {
            let temporary = temporary_name(name);
            match create(&temporary) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => {
                    let made = made?;
                    // Another program can have swept the item between its creation and its lock.
                    if made.hold() && self.stat(temporary.as_ref()).is_ok() {
                        return Ok((temporary, made));
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
            && self.child_file(&item.name).is_ok_and(|file| file.is_left())
    }

    /// Removes the temporary files and folders of killed programs from this folder. An item that cannot
    /// be removed stays.
    fn sweep(&self) {
        let Ok(items) = self.items(MAX_ITEMS) else {
            return;
        };
        for item in items.iter().filter(|item| is_temporary(&item.name)) {
            match item.kind {
                Kind::Folder => {
                    let Ok(folder) = self.child(&item.name) else {
                        continue;
                    };
                    // `make` writes only files into a temporary folder, so one level is enough.
                    if folder.is_left() {
                        for left in folder.items(MAX_ITEMS).unwrap_or_default() {
                            let _ = folder.remove(&left.name);
                        }
                        let _ = self.remove_folder(&item.name);
                    }
                }
                Kind::File => {
                    if let Ok(file) = self.child_file(&item.name)
                        && file.is_left()
                    {
                        let _ = self.remove(&item.name);
                    }
                }
                Kind::Link | Kind::Other => {}
            }
        }
    }
}

/// An item that can be locked against other programs.
pub(super) trait Locked {
    /// Takes the lock without waiting. Returns whether the lock is taken.
    fn hold(&self) -> bool;
    /// Returns whether no program writes the item any more.
    fn is_left(&self) -> bool {
        self.hold()
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
