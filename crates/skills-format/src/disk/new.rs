//! New files and folders, whole or not at all.
//!
//! A file is made under a name that cannot be foreseen, in the open folder, and renamed. A link that
//! waits at a name is never followed, since the name must be free. A program that is killed leaves its
//! temporary file. The next program removes it, unless another program holds the file's lock. Where files
//! have no such lock, it is removed an hour later.

use crate::disk::{Folder, Kind};
use std::ffi::{OsStr, OsString};
use std::fs::{File, Permissions};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, Write as _};

/// Stands in every temporary name, before 16 digits and `~`.
const MARK: &str = ".skills-";
/// The most characters of a name that a temporary name repeats: at most 128 bytes.
const MAX_STEM: usize = 32;
/// The most names of a folder among which left-over files are looked for.
const MAX_ITEMS: usize = 100_000;
/// How often a name is tried that another program takes or removes.
const TRIES: usize = 8;

impl Folder {
    /// Writes a file of this folder: a new file, renamed over the old one. Temporary files that a
    /// killed program left are removed.
    ///
    /// # Errors
    ///
    /// The file cannot be made, written or renamed. The old file is then as it was.
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
            // The first error is reported. A second error adds nothing.
            let _ = self.remove(&temporary);
        }
        written
    }

    /// Makes a folder with one file in this folder: both, or nothing.
    ///
    /// # Errors
    ///
    /// `AlreadyExists`: the name is taken. Otherwise, a part cannot be made, and nothing is left.
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
            // The first error is reported. A second error adds nothing.
            let _ = folder.remove(file_name);
            let _ = self.remove_folder(&temporary);
        }
        made
    }

    /// Makes something under a new name and takes its lock, so that no other program removes it.
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
                    // Between making and locking, another program can have removed it.
                    if made.hold() && self.stat(temporary.as_ref()).is_ok() {
                        return Ok((temporary, made));
                    }
                }
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Removes what killed programs left in this folder. What cannot be removed stays.
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

/// What can be locked against other programs.
pub(super) trait Locked {
    /// Takes the lock, without waiting. Whether it is taken.
    fn hold(&self) -> bool;
    /// Whether no program writes it any more.
    fn is_left(&self) -> bool;
}

fn write(file: &mut File, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
    file.write_all(bytes)?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    file.sync_all()
}

/// `.NAME.skills-0123456789abcdef~`: a name that nobody can foresee and that no check reads.
fn temporary_name(name: &OsStr) -> OsString {
    // The standard library seeds these hashers from the system's random numbers.
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
