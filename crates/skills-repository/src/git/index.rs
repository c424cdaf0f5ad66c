//! Git's index: the files that a repository tracks, and their modes.

use crate::git::entries::{Entry, read};
use crate::git::folder::{bytes, git_folder};
use crate::git::shared::Shared;
use skills_format::tree::is_skill_file_of_any_case;
use std::io;
use std::path::{Path, PathBuf};

/// The name of the index, in the git folder of a working tree.
const FILE: &str = "index";
/// Maximum size of an index: about two million files.
const MAX_FILE: u64 = 256 * 1024 * 1024;

/// The tracked files of a repository.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// The paths, sorted, each with `true` if the file is executable.
    files: Vec<(String, bool)>,
}

impl Index {
    /// Reads the index of a repository.
    ///
    /// # Errors
    ///
    /// The path of the index, and the reason: missing, too large, not a file, or an unknown format.
    pub(crate) fn read(root: &Path) -> Result<Self, (PathBuf, io::Error)> {
        let folder = git_folder(root).unwrap_or_else(|| root.join(".git"));
        let file = |name: &str| {
            let unknown = || io::Error::new(io::ErrorKind::InvalidData, "its form is unknown");
            bytes(&folder, name, MAX_FILE)
                .and_then(|bytes| read(&bytes).ok_or_else(unknown))
                .map_err(|error| (folder.join(name), error))
        };
        let own = file(FILE)?;
        let mut entries = own.list;
        if let Some(link) = own.link {
            let failed = |reason: String| {
                let path = folder.join(FILE);
                (path, io::Error::new(io::ErrorKind::InvalidData, reason))
            };
            let shared = Shared::read(&link, own.id)
                .ok_or_else(|| failed("the form of its split is unknown".to_owned()))?;
            // A split index has only the entries that differ from those of another file.
            if let Some(name) = shared.file() {
                let base = file(&name)
                    .map_err(|(_, error)| failed(format!("a split index needs {name}: {error}")))?;
                entries = shared.changes.applied(base.list, entries);
            }
        }
        let mut files: Vec<(String, bool)> = entries.into_iter().map(Entry::file).collect();
        files.sort_unstable();
        Ok(Self { files })
    }

    /// Returns whether a file is executable, or `None` if git does not track the file.
    pub(crate) fn is_runnable(&self, path: &str) -> Option<bool> {
        let at = self.first_from(path);
        let (known, is_runnable) = self.files.get(at)?;
        (known == path).then_some(*is_runnable)
    }

    /// Returns whether git tracks a file, or a file below a folder.
    pub(crate) fn tracks(&self, path: &str) -> bool {
        let below = format!("{path}/");
        let holds = |at: usize| {
            let file = self.files.get(at);
            file.is_some_and(|(known, _)| known == path || known.starts_with(&below))
        };
        // Two look-ups: `a.md` sorts between `a` and `a/b`, so the files of a folder need not follow its path.
        holds(self.first_from(path)) || holds(self.first_from(&below))
    }

    /// Returns whether git tracks a `SKILL.md` in a folder or below it.
    pub(crate) fn tracks_skill(&self, folder: &str) -> bool {
        let below = match folder {
            "" => String::new(),
            folder => format!("{folder}/"),
        };
        let files = self.files.get(self.first_from(&below)..);
        files
            .into_iter()
            .flatten()
            .map(|(path, _)| path)
            .take_while(|path| path.starts_with(&below))
            .any(|path| is_skill_file_of_any_case(path))
    }

    fn first_from(&self, path: &str) -> usize {
        self.files
            .partition_point(|(known, _)| known.as_str() < path)
    }
}
