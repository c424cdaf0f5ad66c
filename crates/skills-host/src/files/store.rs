//! The store of installed versions, by digest. A lost store costs time, and merges with local changes: versions are fetched again.

use crate::files::copy::{is_there, list, make_folder, remove, rename};
use crate::files::folder::Durable;
use crate::files::guard::Guard;
use crate::files::removal::{finish_removals, is_gone, remove_whole};
use crate::files::snapshot::Snapshot;
use skills_format::Digest;
use skills_store::{Error, ErrorKind};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A folder with one folder for each version of a skill.
#[derive(Clone, Debug)]
pub struct Store {
    root: PathBuf,
    /// True once the rest of killed processes was removed: once is enough for an operation over thousands of skills.
    is_swept: Arc<AtomicBool>,
}

impl Store {
    /// Returns the store of a folder, which need not exist. Writes nothing.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            is_swept: Arc::default(),
        }
    }

    /// Keeps the files of a skill that the digest covers, and returns the digest.
    pub fn put(&self, snapshot: &Snapshot) -> Result<Digest, Error> {
        let digest = snapshot.digest();
        // `get` verifies the version: a damaged version would otherwise be noticed only when it is needed.
        if self.get(digest)?.is_some() {
            return Ok(digest);
        }
        let _guard = self.lock()?;
        if !self.is_swept.swap(true, Ordering::Relaxed) {
            self.sweep()?;
        }
        // Another process may have put it there while this one waited.
        if self.get(digest)?.is_some() {
            return Ok(digest);
        }
        let place = self.place(digest);
        remove(&place)?;
        self.write(snapshot, &place)?;
        Ok(digest)
    }

    fn write(&self, snapshot: &Snapshot, place: &Path) -> Result<(), Error> {
        let part = self.root.join(format!(".part-{}", std::process::id()));
        remove(&part)?;
        let written = snapshot
            .counted()
            .write(&part, Durable::No)
            .and_then(|()| rename(&part, place));
        if written.is_err() {
            // On a full disk this frees the space of the part.
            let _ = remove(&part);
        }
        written
    }

    /// Returns the version with a digest. A version with another digest counts as missing. So does a version with additional
    /// entries: the digest does not cover them, and they would be installed.
    pub fn get(&self, digest: Digest) -> Result<Option<Snapshot>, Error> {
        let place = self.place(digest);
        if !is_there(&place)? || is_gone(&self.root, &name(digest))? {
            return Ok(None);
        }
        match Snapshot::read(&place) {
            Ok(snapshot) if snapshot.digest() == digest && is_exact(&snapshot) => {
                Ok(Some(snapshot))
            }
            // The disk may hold it whole, and give it the next time.
            Err(error) if error.kind() == ErrorKind::Io && place.is_dir() => Err(error),
            _ => Ok(None),
        }
    }

    /// Removes every version that is not in `kept`, and returns their number.
    pub fn collect(&self, kept: &BTreeSet<Digest>) -> Result<usize, Error> {
        if !is_there(&self.root)? {
            return Ok(0);
        }
        let _guard = self.lock()?;
        self.sweep()?;
        let mut removed = 0;
        for (name, _) in self.folders()? {
            let Some(digest) = Digest::parse(&format!("sha256:{name}")) else {
                continue;
            };
            if !kept.contains(&digest) && !is_gone(&self.root, &name)? {
                remove_whole(&self.root, &name)?;
                removed += 1;
            }
        }
        Ok(removed)
    }

    fn place(&self, digest: Digest) -> PathBuf {
        self.root.join(name(digest))
    }

    fn lock(&self) -> Result<Guard, Error> {
        Guard::wait(&self.root.join(".lock"), &|_, _| {})
    }

    /// Removes what a killed process has left.
    fn sweep(&self) -> Result<(), Error> {
        finish_removals(&self.root)?;
        let folders = self.folders()?;
        folders
            .iter()
            .filter(|(name, _)| name.starts_with(".part-"))
            .try_for_each(|(_, path)| remove(path))
    }

    fn folders(&self) -> Result<Vec<(String, PathBuf)>, Error> {
        make_folder(&self.root)?;
        list(&self.root)
    }
}

/// Returns whether a version holds exactly what [`Store::put`] writes.
fn is_exact(snapshot: &Snapshot) -> bool {
    !snapshot.is_repository && snapshot.beside().next().is_none()
}

/// Returns the name of a version's folder.
fn name(digest: Digest) -> String {
    digest.to_string().replacen("sha256:", "", 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::relative_path::RelativePath;
    use crate::files::snapshot::FileBytes;

    fn skill(text: &str) -> Snapshot {
        let file = FileBytes {
            bytes: text.as_bytes().into(),
            executable: false,
        };
        Snapshot::of([(RelativePath::new("SKILL.md").unwrap(), file)])
    }

    #[test]
    fn kept_checked_and_collected() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::new(dir.path().join("store"));
        assert_eq!(store.get(skill("a").digest()).unwrap(), None);
        let a = store.put(&skill("a")).unwrap();
        let b = store.put(&skill("b")).unwrap();
        assert_eq!(store.put(&skill("a")).unwrap(), a);
        assert_eq!(store.get(a).unwrap(), Some(skill("a")));
        let kept = BTreeSet::from([a]);
        assert_eq!(store.collect(&kept).unwrap(), 1);
        assert_eq!(store.get(b).unwrap(), None);
        // A changed version is not a version any more.
        let file = store.place(a).join("SKILL.md");
        std::fs::write(&file, "other").unwrap();
        assert_eq!(store.get(a).unwrap(), None);
        store.put(&skill("a")).unwrap();
        assert_eq!(store.get(a).unwrap(), Some(skill("a")));
    }
}
