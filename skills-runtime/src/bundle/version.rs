//! The version of a bundle: baked, or read from its folder. Only debug builds have this chapter.

use std::path::Path;

/// The skills of a bundle by name and alias, sorted by the bytes of the key. A perfect hash takes longer to make than
/// all the look-ups of a debug build.
pub(crate) type Keys = &'static [(&'static str, u32)];

/// The version of a bundle: baked, or read from its folder.
#[derive(Clone, Copy)]
pub(crate) enum Version {
    /// Compiled into the program. `None`: generated code noted no folder.
    Baked(Option<Site>),
    Read {
        folder: &'static Path,
        keys: Keys,
        /// The names of the skills that the next build seals.
        sealed: &'static [&'static str],
    },
}

/// The folder of a bundle, as generated code notes it.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// The folder of the manifest.
    pub(crate) manifest: &'static str,
    /// The folder of the skills, relative to the manifest.
    pub(crate) path: &'static str,
}

impl Site {
    /// Makes the note of a bundle.
    pub const fn new(manifest: &'static str, path: &'static str) -> Self {
        Self { manifest, path }
    }
}

/// Finds a key.
pub(crate) fn find(keys: Keys, key: &str) -> Option<u32> {
    let found = keys.binary_search_by(|(known, _)| known.as_bytes().cmp(key.as_bytes()));
    keys.get(found.ok()?).map(|(_, number)| *number)
}
