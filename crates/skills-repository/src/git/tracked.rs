//! The skills that git tracks, for a walk that leaves out folders which programs fill.

use crate::git::index::Index;
use crate::git::repository::{is_absent, root_of};
use skills_format::join;
use skills_format::text::path::PathText as _;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

/// The skills that the repository of a folder tracks.
#[derive(Debug)]
pub struct TrackedSkills {
    /// The root of the repository, and the path of the folder in it. `None` outside of repositories.
    place: Option<(PathBuf, String)>,
    /// The tracked files, read at the first question: most folders hold no folder to ask about. Or the path of an index
    /// that cannot be read, and the reason.
    index: OnceCell<Result<Index, (PathBuf, String)>>,
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
    /// index nothing is tracked: see [`TrackedSkills::fault`].
    pub fn holds(&self, path: &str) -> bool {
        let Some((root, above)) = &self.place else {
            return false;
        };
        let index = self.index.get_or_init(|| match Index::read(root) {
            // Nothing was added so far.
            Err((_, error)) if is_absent(&error) => Ok(Index::default()),
            Err((path, error)) => Err((path, error.to_string())),
            Ok(index) => Ok(index),
        });
        let index = index.as_ref().ok();
        index.is_some_and(|index| index.tracks_skill(&join(above, path)))
    }

    /// Returns the path of git's index and the reason why it cannot be read, if something was asked of it.
    pub fn fault(&self) -> Option<(&Path, &str)> {
        let (path, reason) = self.index.get()?.as_ref().err()?;
        Some((path, reason))
    }
}
