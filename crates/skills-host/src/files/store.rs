//! The store of installed versions, by digest. A lost store only costs time: versions are fetched again.

use crate::files::removal::{finish_removals, is_gone, remove_whole};
use crate::files::snapshot::Snapshot;
use skills_format::Digest;
use skills_store::files::copy::{is_there, list, make_folder, remove, rename};
use skills_store::files::folder::Durable;
use skills_store::files::guard::Guard;
use skills_store::{Error, ErrorKind};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A folder with one read-only folder for each version of a skill.
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
        let place = self.place(digest);
        // `get` verifies the version: a damaged version would otherwise be noticed only when it is needed.
        if let Some(kept) = self.get(digest)? {
            return self.refresh(&kept, snapshot, digest);
        }
        let _guard = self.lock()?;
        if !self.is_swept.swap(true, Ordering::Relaxed) {
            self.sweep()?;
        }
        if self.holds(digest)? {
            // Another process put it there while this one waited.
            return Ok(digest);
        }
        self.write(snapshot, &place)?;
        Ok(digest)
    }

    /// Gives a kept version the run bits of the new one, which the digest does not cover: what is put back from the store is
    /// then executable as its source has it.
    fn refresh(&self, kept: &Snapshot, new: &Snapshot, digest: Digest) -> Result<Digest, Error> {
        let new = new.counted();
        if *kept != new {
            let place = self.place(digest);
            let _guard = self.lock()?;
            remove(&place)?;
            self.write(&new, &place)?;
        }
        Ok(digest)
    }

    fn write(&self, snapshot: &Snapshot, place: &Path) -> Result<(), Error> {
        let part = self.root.join(format!(".part-{}", std::process::id()));
        remove(&part)?;
        let written = snapshot
            .counted()
            .write(&part, Durable::No)
            .and_then(|()| make_read_only(&part))
            .and_then(|()| rename(&part, place));
        if written.is_err() {
            // On a full disk this frees the space of the part.
            let _ = remove(&part);
        }
        written
    }

    /// Returns the version with a digest. A version with another digest is removed, and counts as missing. So does a
    /// version with additional entries: the digest does not cover them, and they would be installed.
    pub fn get(&self, digest: Digest) -> Result<Option<Snapshot>, Error> {
        let found = self.look(digest)?;
        if found.is_none() && self.holds(digest)? {
            let _guard = self.lock()?;
            remove(&self.place(digest))?;
        }
        Ok(found)
    }

    /// Returns the version with a digest, as [`Store::get`] does. Writes nothing: another version stays.
    pub fn look(&self, digest: Digest) -> Result<Option<Snapshot>, Error> {
        let place = self.place(digest);
        if !self.holds(digest)? {
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

    fn holds(&self, digest: Digest) -> Result<bool, Error> {
        Ok(is_there(&self.place(digest))? && !is_gone(&self.root, &name(digest))?)
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

fn make_read_only(folder: &Path) -> Result<(), Error> {
    for (_, path) in list(folder)? {
        if path.is_dir() {
            make_read_only(&path)?;
            continue;
        }
        let set = fs::metadata(&path).and_then(|metadata| {
            let mut permissions = metadata.permissions();
            permissions.set_readonly(true);
            fs::set_permissions(&path, permissions)
        });
        set.map_err(|error| Error::io(&path, "cannot be made read-only", error))?;
    }
    Ok(())
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
        skills_store::files::copy::remove(&file).unwrap();
        fs::write(&file, "other").unwrap();
        assert_eq!(store.get(a).unwrap(), None);
        assert!(!is_there(&store.place(a)).unwrap());
    }
}
