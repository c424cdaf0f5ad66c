//! The skills that git tracks, for a walk that leaves out folders which programs fill.

use crate::git::index::Index;
use crate::git::repository::root_of;
use skills_format::join;
use skills_format::text::path::PathText as _;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

/// The skills that the repository of a folder tracks.
#[derive(Debug)]
pub struct TrackedSkills {
    /// The root of the repository, and the path of the folder in it. `None` outside of repositories.
    place: Option<(PathBuf, String)>,
    /// The tracked files, read at the first question: most folders hold no folder to ask about.
    index: OnceCell<Index>,
}

impl TrackedSkills {
    /// Finds the repository that holds a folder.
    pub fn of(folder: &Path) -> Self {
        let root = root_of(folder);
        let place = root.and_then(|root| {
            let below = folder.strip_prefix(root).ok()?;
            Some((root.to_owned(), below.shown().into_owned()))
        });
        Self {
            place,
            index: OnceCell::new(),
        }
    }

    /// Returns whether git tracks a `SKILL.md` in or below a path, which is relative to the folder. Without a readable
    /// index nothing is tracked.
    pub fn holds(&self, path: &str) -> bool {
        let Some((root, above)) = &self.place else {
            return false;
        };
        let index = self
            .index
            .get_or_init(|| Index::read(root).unwrap_or_default());
        index.tracks_skill(&join(above, path))
    }
}
