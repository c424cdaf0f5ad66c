//! The digests that the server has listed for skills of folders, to detect changed files.

// A file that differs from its listed digest is one error, which names `skills/get`. Then the digests are
// forgotten, so that a client without the extension can read on.

use skills_format::Digest;
use skills_runtime::bundle::ManifestEntry;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The listed digests, by the address of the skill.
#[derive(Debug, Default)]
pub(crate) struct Held {
    skills: Mutex<HashMap<String, Arc<HeldFiles>>>,
}

/// The listed files of one skill: the digest and the size of each, by address.
#[derive(Debug)]
pub(crate) struct HeldFiles(BTreeMap<String, (Digest, u64)>);

impl Held {
    /// Keeps the files of an entry, in place of those listed before.
    pub(crate) fn keep(&self, entry: &ManifestEntry) {
        let files = Arc::new(HeldFiles::of(entry));
        self.lock().insert(entry.uri.clone(), files);
    }

    /// Returns the listed files of the skill at an address.
    pub(crate) fn of(&self, uri: &str) -> Option<Arc<HeldFiles>> {
        self.lock().get(uri).cloned()
    }

    /// Forgets a skill. Its next read computes the digests again.
    pub(crate) fn forget(&self, uri: &str) {
        self.lock().remove(uri);
    }

    /// Forgets all skills.
    #[cfg(feature = "watch")]
    pub(crate) fn forget_all(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<HeldFiles>>> {
        self.skills.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HeldFiles {
    pub(crate) fn of(entry: &ManifestEntry) -> Self {
        let files = entry.resources.iter();
        Self(
            files
                .map(|file| (file.uri.clone(), (file.digest, file.size)))
                .collect(),
        )
    }

    /// Returns the size of a listed file.
    pub(crate) fn size(&self, uri: &str) -> Option<u64> {
        self.0.get(uri).map(|(_, size)| *size)
    }

    /// Returns whether the bytes of a file match its listed digest.
    pub(crate) fn holds(&self, uri: &str, bytes: &[u8]) -> bool {
        self.0
            .get(uri)
            .is_some_and(|(digest, _)| Digest::of(bytes) == *digest)
    }
}
