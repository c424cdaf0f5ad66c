//! A snapshot of the files in a skill's folder.

pub mod reading;

use crate::files::copy::make_folder;
use crate::files::executable::set_executable;
use crate::files::folder::{Durable, Obstacle, OpenFolder};
use crate::files::relative_path::{RelativePath, conflict, folded};
use skills_format::{Digest, SKILL_FILE, left_out, prose};
use skills_store::{Error, ErrorKind};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

// A snapshot holds the bytes of all files in memory, so a folder that is named by mistake, such as a home folder, must
// be refused early. The bounds are larger than those of an offered skill (`skills_format::Limits`): a user may add data
// or a virtual environment to an installed skill, and that skill must still be moved, compared and removed.
/// Maximum number of files in a skill.
pub const MAX_FILES: usize = 10_000;
/// Maximum size of a skill in bytes.
pub const MAX_BYTES: u64 = 256 * 1024 * 1024;

/// Returns whether a file name makes its folder a skill, case-insensitive. Other spellings than `SKILL.md` are errors
/// of the strict check, and are read all the same, as everywhere.
pub fn is_skill_file(name: &str) -> bool {
    name.eq_ignore_ascii_case(SKILL_FILE)
}

/// The files of a skill, by path relative to its folder, with `/`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// The entries of the folder, by path.
    pub entries: BTreeMap<RelativePath, Entry>,
    /// True if the folder has a `.git`, which is never copied.
    pub is_repository: bool,
}

/// An entry of the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A regular file.
    File(FileBytes),
    /// A symbolic link. A user may add links; a source may not contain any.
    Link(PathBuf),
}

/// A folder as it was when a plan was made: enough to see that it has not changed since, without its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The fingerprint of the folder.
    pub fingerprint: Digest,
    /// True if the folder has a `.git`.
    pub is_repository: bool,
}

/// The content of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileBytes {
    /// The bytes. The snapshots of a plan share them.
    pub bytes: Arc<[u8]>,
    /// The executable bit, which is outside of the digest.
    pub executable: bool,
}

impl FileBytes {
    /// Creates a file to write. On systems without executable bits the file is not executable, so that it equals the
    /// file that is read back.
    pub fn new(bytes: Vec<u8>, executable: bool) -> Self {
        Self {
            bytes: bytes.into(),
            executable: executable && cfg!(unix),
        }
    }
}

impl Snapshot {
    /// Creates a snapshot of given files.
    pub fn of(files: impl IntoIterator<Item = (RelativePath, FileBytes)>) -> Self {
        let entry = |(path, file)| (path, Entry::File(file));
        Self {
            entries: files.into_iter().map(entry).collect(),
            is_repository: false,
        }
    }

    /// Returns the reason why the files cannot all be written on every system; `None` if they can.
    pub fn conflict(&self) -> Option<String> {
        conflict(self.entries.keys(), true)
    }

    /// Returns the files that the digest covers: no links, and nothing that is not part of a skill.
    pub fn files(&self) -> impl Iterator<Item = (&str, &FileBytes)> {
        self.entries.iter().filter_map(|(path, entry)| match entry {
            Entry::File(file) if self.counts(path, entry) => Some((&**path, file)),
            _ => None,
        })
    }

    /// Returns a snapshot of only the files that the digest covers. Only these may be installed, taken from a repair,
    /// or kept in the store: the digest cannot detect a change of another entry.
    #[must_use]
    pub fn counted(&self) -> Self {
        let entries = self
            .entries
            .iter()
            .filter(|(path, entry)| self.counts(path, entry));
        Self {
            entries: entries
                .map(|(path, entry)| (path.clone(), entry.clone()))
                .collect(),
            is_repository: false,
        }
    }

    /// Returns whether the digest covers an entry.
    fn counts(&self, path: &str, entry: &Entry) -> bool {
        let has = |path: &str| self.entries.contains_key(path);
        matches!(entry, Entry::File(_)) && left_out(path, &has).is_none()
    }

    /// Returns a file by its path; `None` for a link.
    pub fn get(&self, path: &str) -> Option<&FileBytes> {
        match self.entries.get(path)? {
            Entry::File(file) => Some(file),
            Entry::Link(_) => None,
        }
    }

    /// Returns the file that makes the folder a skill, with its name: `SKILL.md`, else a name that differs in case.
    pub fn skill_file(&self) -> Option<(&str, &FileBytes)> {
        let (exact, _) = self.entries.get_key_value(SKILL_FILE).unzip();
        let alike = || self.entries.keys().find(|path| is_skill_file(path));
        let path = exact.or_else(alike)?;
        Some((path, self.get(path)?))
    }

    /// Returns the entries that the digest does not cover, in order of paths: links, and what is not part of a skill.
    pub fn beside(&self) -> impl Iterator<Item = (&RelativePath, &Entry)> {
        let all = self.entries.iter();
        all.filter(|(path, entry)| !self.counts(path, entry))
    }

    /// Makes the files executable that are so in another version.
    #[must_use]
    pub fn with_run_bits_of(mut self, other: &Self) -> Self {
        for (path, entry) in &mut self.entries {
            if let Entry::File(file) = entry {
                file.executable |= other.get(path).is_some_and(|other| other.executable);
            }
        }
        self
    }

    /// Adds entries. An entry whose place is taken is left out: a link `scripts` and a file `scripts/run.sh` cannot
    /// both exist.
    #[must_use]
    pub fn with<'e>(
        mut self,
        entries: impl Iterator<Item = (&'e RelativePath, &'e Entry)>,
    ) -> Self {
        let mut taken: BTreeSet<String> = self.entries.keys().map(|path| folded(path)).collect();
        for (path, entry) in entries {
            let place = folded(path);
            let below = format!("{place}/");
            let is_folder = taken
                .range(below.clone()..)
                .next()
                .is_some_and(|first| first.starts_with(&below));
            let mut above = place
                .match_indices('/')
                .filter_map(|(at, _)| place.get(..at));
            if !is_folder && !taken.contains(&place) && !above.any(|above| taken.contains(above)) {
                self.entries.insert(path.clone(), entry.clone());
                taken.insert(place);
            }
        }
        self
    }

    /// Returns the digest of the skill, equal to its digest in a bundle.
    pub fn digest(&self) -> Digest {
        Digest::of_files(
            self.files()
                .map(|(path, file)| (path, file.bytes.len() as u64, Digest::of(&file.bytes))),
        )
    }

    /// Returns the size of the covered files in bytes.
    pub fn size(&self) -> u64 {
        self.files().map(|(_, file)| file.bytes.len() as u64).sum()
    }

    /// Returns the size of all files in bytes.
    pub fn bytes(&self) -> u64 {
        let size = |entry: &Entry| match entry {
            Entry::File(file) => file.bytes.len() as u64,
            Entry::Link(_) => 0,
        };
        self.entries.values().map(size).sum()
    }

    /// Returns what a later state of the folder is compared with.
    pub fn seen(&self) -> Seen {
        Seen {
            fingerprint: self.fingerprint(),
            is_repository: self.is_repository,
        }
    }

    /// Returns a digest over everything, also links and executable bits.
    pub fn fingerprint(&self) -> Digest {
        let entries: Vec<_> = self
            .entries
            .iter()
            .map(|(path, entry)| match entry {
                Entry::File(file) => {
                    // In the place of the length: a file that became executable, or a link of the same bytes, has
                    // another fingerprint.
                    let kind = u64::from(file.executable);
                    (&**path, kind, Digest::of(&file.bytes))
                }
                Entry::Link(target) => {
                    let target = target.as_os_str().as_encoded_bytes();
                    (&**path, 2, Digest::of(target))
                }
            })
            .collect();
        Digest::of_files(entries)
    }

    /// Writes a new folder.
    ///
    /// # Errors
    ///
    /// As [`Snapshot::write_open`].
    pub fn write(&self, folder: &Path, durable: Durable) -> Result<(), Error> {
        make_folder(folder)?;
        self.write_open(&OpenFolder::open(folder)?, durable)
    }

    /// Writes the entries into an open, empty folder.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], before anything is written, if a file's path is also the folder of another file: a file below a link
    /// would be written outside of this folder.
    pub fn write_open(&self, folder: &OpenFolder, durable: Durable) -> Result<(), Error> {
        if let Some(why) = conflict(self.entries.keys(), false) {
            let message = prose!("{} cannot be written: {why}", folder.path());
            return Err(Error::new(ErrorKind::Refused, message).help("rename the file"));
        }
        let mut last: Option<(&Path, OpenFolder)> = None;
        for (path, entry) in &self.entries {
            let path: &Path = path.as_ref();
            let above = path.parent().unwrap_or(Path::new(""));
            let above = match last.take() {
                // Files of one folder are adjacent, so the open folder is used again.
                Some((known, open)) if known == above => &last.insert((known, open)).1,
                _ => {
                    let open = folder.make_below(above, Obstacle::Refused)?;
                    &last.insert((above, open)).1
                }
            };
            let name = path.file_name().unwrap_or_default();
            match entry {
                Entry::Link(target) => above.link(target, name)?,
                Entry::File(file) => {
                    let written = above.write_file(name, &file.bytes, durable)?;
                    if file.executable {
                        set_executable(&written, &folder.path().join(path))?;
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn written_and_read() {
        let dir = tempfile::tempdir().unwrap();
        let file = |text: &str, executable| FileBytes {
            bytes: text.as_bytes().into(),
            executable,
        };
        let path = |path: &str| RelativePath::new(path).unwrap();
        let mut snapshot = Snapshot::of([
            (path("SKILL.md"), file("---\n", false)),
            (path("scripts/run.sh"), file("#!/bin/sh\n", cfg!(unix))),
            (path("notes~"), file("old", false)),
        ]);
        if cfg!(unix) {
            let link = Entry::Link("/etc/passwd".into());
            snapshot.entries.insert(path("link"), link);
        }
        let folder = dir.path().join("a");
        snapshot.write(&folder, Durable::No).unwrap();
        let mut read = Snapshot::read(&folder).unwrap();
        assert_eq!(read, snapshot);
        read.entries.remove("notes~");
        read.entries.remove("link");
        assert_eq!(read.digest(), snapshot.digest());
        assert_ne!(read.fingerprint(), snapshot.fingerprint());
        assert_eq!(read.size(), 14);
    }

    /// Bytes that this thread has read with system calls.
    #[cfg(target_os = "linux")]
    fn bytes_read() -> u64 {
        let text = fs::read_to_string("/proc/thread-self/io").unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix("rchar: "));
        line.unwrap().parse().unwrap()
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_skill_that_is_too_large_is_refused_before_it_is_read() {
        use crate::files::snapshot::reading::read_file;
        use std::fs::File;

        let dir = tempfile::tempdir().unwrap();
        for name in ["a", "b", "c"] {
            let file = File::create(dir.path().join(name)).unwrap();
            file.set_len(MAX_BYTES / 2).unwrap();
        }
        let before = bytes_read();
        let error = Snapshot::read(dir.path()).unwrap_err();
        assert!(error.to_string().contains("is too large"), "{error}");
        assert!(bytes_read() - before < 1024 * 1024);
        // A file that grows after its size was asked for.
        let file = File::create(dir.path().join("grown")).unwrap();
        file.set_len(9).unwrap();
        let file = File::open(dir.path().join("grown")).unwrap();
        let error = read_file(file, dir.path(), 8).unwrap_err();
        assert!(error.to_string().contains("is too large"), "{error}");
    }

    #[test]
    #[cfg(unix)]
    fn no_file_is_written_through_a_link() {
        let dir = tempfile::tempdir().unwrap();
        let outside = dir.path().join("outside");
        fs::create_dir(&outside).unwrap();
        let path = |path: &str| RelativePath::new(path).unwrap();
        let mut snapshot = Snapshot::of([(path("Link/x"), FileBytes::default())]);
        let link = Entry::Link(outside.clone());
        snapshot.entries.insert(path("link"), link);
        let error = snapshot.write(&dir.path().join("a"), Durable::No);
        assert_eq!(error.unwrap_err().kind(), ErrorKind::Refused);
        assert_eq!(fs::read_dir(dir.path().join("a")).unwrap().count(), 0);
        assert_eq!(fs::read_dir(outside).unwrap().count(), 0);
    }

    #[test]
    fn what_does_not_count_is_carried_where_its_place_is_free() {
        let path = |path: &str| RelativePath::new(path).unwrap();
        let file = |name: &str| (path(name), FileBytes::default());
        let mut had = Snapshot::of(["SKILL.md", "a~", "scripts/b~", "x/y~"].map(file));
        for name in ["scripts/run.sh", "NEW", "link"] {
            let link = Entry::Link("/elsewhere".into());
            had.entries.insert(path(name), link);
        }
        let new = Snapshot::of(["SKILL.md", "a~", "scripts/run.sh", "new/file", "x"].map(file));
        let paths: Vec<String> = new
            .counted()
            .with(had.beside())
            .entries
            .into_keys()
            .map(|path| path.to_string())
            .collect();
        let expected = [
            "SKILL.md",
            "a~",
            "link",
            "new/file",
            "scripts/b~",
            "scripts/run.sh",
            "x",
        ];
        assert_eq!(paths, expected);
        assert_eq!(new.counted().entries.len(), 4);
    }

    #[test]
    fn the_digest_is_that_of_a_bundle() {
        let dir = tempfile::tempdir().unwrap();
        let text =
            "---\nname: greet\ndescription: Greets. Use when someone arrives.\n---\nHello.\n";
        let folder = dir.path().join("skills/greet");
        fs::create_dir_all(folder.join(".git")).unwrap();
        fs::write(folder.join("SKILL.md"), text).unwrap();
        fs::write(folder.join(".hidden"), "x").unwrap();
        fs::write(folder.join("a~"), "x").unwrap();
        let read = skills_compiler::Folder::read(dir.path(), "skills");
        let compiled = read.compile();
        let snapshot = Snapshot::read(&folder).unwrap();
        assert_eq!(compiled.model.skills[0].digest, snapshot.digest());
        assert!(snapshot.is_repository);
    }
}
