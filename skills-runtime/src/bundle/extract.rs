//! Writes a bundle to disk, for models that read files by path.

#![expect(
    clippy::disallowed_methods,
    reason = "a host asks for the bundle on disk"
)]

use crate::bundle::Bundle;
use crate::bundle::baked::BakedFile;
use crate::error::{Error, ErrorKind};
use skills_format::text::path::PathText as _;
use std::fs::{self, File};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

impl Bundle {
    /// Writes the skills into a folder below `dir`, and returns the folder's path. Each skill has a
    /// subfolder with its name. The folder is named after the first 16 hexadecimal digits of the
    /// bundle's digest, so each version has its own folder.
    ///
    /// The skills are written beside the folder and moved into place by one rename. The folder is
    /// therefore complete or missing, also when several processes extract at the same time. Extracted
    /// files are never changed or repaired: if the folder exists, every file is read and compared.
    ///
    /// A file that begins with `#!` is a script, and is executable: a bundle holds no modes, which Windows and many
    /// archives do not keep either. Other programs are run by their interpreter, as in `python3 NAME`.
    ///
    /// Pass the folder to [`CatalogBuilder::extracted`](crate::CatalogBuilder::extracted).
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::Refused`]: the bytes of an extracted file have changed. The message names the
    ///   file.
    /// - [`ErrorKind::NotFound`]: an extracted file is missing.
    /// - [`ErrorKind::Refused`]: the files cannot be written or read.
    ///
    /// # Cost
    ///
    /// The first call writes and syncs every file. Every call reads every file.
    pub fn extract(&'static self, dir: impl AsRef<Path>) -> Result<PathBuf, Error> {
        let dir = dir.as_ref();
        let digest = self.digest().to_string();
        let name = digest.strip_prefix("sha256:").unwrap_or(&digest);
        let name = name.get(..16).unwrap_or(name);
        let target = dir.join(name);
        if !target.exists() {
            self.write_whole(dir, name, &target)?;
        }
        self.verify(&target)?;
        remove_leftovers(dir, name);
        Ok(target)
    }

    /// Writes a folder with a random name and renames the folder. If another process was faster, its
    /// folder is used.
    fn write_whole(&'static self, dir: &Path, name: &str, target: &Path) -> Result<(), Error> {
        let random = RandomState::new().build_hasher().finish();
        let new = dir.join(format!("{}{random:016x}", prefix(name)));
        let written = self
            .write(&new)
            .and_then(|()| fs::rename(&new, target).map_err(|error| Error::io(target, error)));
        if written.is_err() {
            // The first error is reported. The next extraction removes what stays.
            let _ = fs::remove_dir_all(&new);
        }
        if target.exists() { Ok(()) } else { written }
    }

    fn write(&'static self, root: &Path) -> Result<(), Error> {
        let above = root.parent().unwrap_or(root);
        // `create_dir` fails on an existing name, so a planted link at this name is not followed.
        fs::create_dir_all(above)
            .and_then(|()| fs::create_dir(root))
            .map_err(|error| Error::io(root, error))?;
        self.files(root).try_for_each(|(path, file)| {
            write_file(&path, file.bytes).map_err(|error| Error::io(&path, error))
        })
    }

    fn verify(&'static self, root: &Path) -> Result<(), Error> {
        self.files(root).try_for_each(|(path, file)| {
            if is_unchanged(&path, &file).map_err(|error| Error::io(&path, error))? {
                return Ok(());
            }
            let path = path.shown();
            Err(Error::new(
                ErrorKind::Refused,
                format_args!(
                    "{path} has changed since it was written: remove the folder that contains the skills"
                ),
            ))
        })
    }

    /// Iterates over every file, and its path below `root`.
    fn files(&'static self, root: &Path) -> impl Iterator<Item = (PathBuf, BakedFile)> {
        self.baked().flat_map(move |skill| {
            let folder = root.join(skill.name());
            skill
                .files()
                .map(move |file| (folder.join(file.path), file))
        })
    }
}

/// Returns whether a file holds the baked bytes. A pipe is not waited for, and a larger file not read.
fn is_unchanged(path: &Path, file: &BakedFile) -> io::Result<bool> {
    let there = fs::metadata(path)?;
    let is_as_long = there.is_file() && there.len() == file.bytes.len() as u64;
    Ok(is_as_long && fs::read(path)? == file.bytes)
}

fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if bytes.starts_with(b"#!") {
        use std::os::unix::fs::OpenOptionsExt as _;
        // The umask takes away what the user never gives.
        options.mode(0o777);
    }
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Returns the prefix of the names of unfinished folders.
fn prefix(name: &str) -> String {
    format!(".{name}-")
}

/// Removes the folders that killed processes left. A process that still writes into its folder fails,
/// and then finds the target.
fn remove_leftovers(dir: &Path, name: &str) {
    let Ok(entries) = fs::read_dir(dir) else {
        return;
    };
    let prefix = prefix(name);
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with(&prefix) {
            // Another process can remove it at the same time. What stays is tried again by the next extraction.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::BUNDLE;

    fn names(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn written_once() {
        let dir = tempfile::tempdir().unwrap();
        let root = BUNDLE.extract(dir.path()).unwrap();
        let skill = BUNDLE.by_name("code-review").unwrap();
        for file in skill.files() {
            let path = root.join("code-review").join(file.path);
            assert_eq!(fs::read(path).unwrap(), file.bytes);
        }
        assert_eq!(names(&root).len(), BUNDLE.len());
        let before = fs::metadata(root.join("code-review/SKILL.md")).unwrap();
        assert_eq!(BUNDLE.extract(dir.path()).unwrap(), root);
        let after = fs::metadata(root.join("code-review/SKILL.md")).unwrap();
        assert_eq!(before.modified().unwrap(), after.modified().unwrap());
    }

    #[cfg(unix)]
    #[test]
    fn a_script_is_executable() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        for (name, bytes, expected) in [
            ("a", "#!/bin/sh\n", true),
            ("b", "echo\n", false),
            ("c", "", false),
            ("d", " #!/bin/sh\n", false),
        ] {
            let path = dir.path().join("scripts").join(name);
            write_file(&path, bytes.as_bytes()).unwrap();
            let mode = fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o100 != 0, expected, "{name}: {mode:o}");
        }
    }

    #[test]
    fn a_changed_file_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let root = BUNDLE.extract(dir.path()).unwrap();
        let file = root.join("code-review/SKILL.md");
        fs::write(&file, "other").unwrap();
        let error = BUNDLE.extract(dir.path()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Refused);
        assert!(
            error
                .to_string()
                .contains("SKILL.md has changed since it was written")
        );
        fs::remove_file(&file).unwrap();
        assert_eq!(
            BUNDLE.extract(dir.path()).unwrap_err().kind(),
            ErrorKind::NotFound
        );
    }

    #[test]
    fn leftovers_go_and_neighbours_stay() {
        let dir = tempfile::tempdir().unwrap();
        let name = BUNDLE.extract(dir.path()).unwrap();
        let name = name.file_name().unwrap().to_str().unwrap().to_owned();
        fs::create_dir_all(dir.path().join(format!(".{name}-1-0/code-review"))).unwrap();
        fs::create_dir_all(dir.path().join(".other-1-0")).unwrap();
        BUNDLE.extract(dir.path()).unwrap();
        assert_eq!(names(dir.path()), [".other-1-0", &*name]);
    }

    #[test]
    fn many_at_once() {
        let dir = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|_| scope.spawn(|| BUNDLE.extract(dir.path())))
                .collect();
            for thread in threads {
                thread.join().unwrap().unwrap();
            }
        });
        assert_eq!(names(dir.path()).len(), 1);
    }
}
