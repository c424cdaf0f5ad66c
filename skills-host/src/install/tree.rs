//! The files of a source, wherever it is: listed first, then those of the chosen skills are read.

use crate::error::{Error, ErrorKind};
use crate::files::snapshot::{FileBytes, MAX_BYTES, MAX_FILES, Snapshot};
use crate::git::observer::Observer;
use crate::git::repository::Repository;
use crate::install::archive;
use crate::install::item::{Item, ItemKind, SKILL_FILE, joined};
use crate::install::paths::{folded, refused};
use crate::install::temporary::Temporary;
use crate::install::walk::read_files;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Deepest folder in which a skill is looked for.
const MAX_DEPTH: usize = 8;

/// A source that was fetched.
pub(crate) struct SourceTree<'g> {
    pub(crate) items: Vec<Item>,
    pub(crate) reader: Reader<'g>,
    /// The commit, of a repository.
    pub(crate) commit: Option<String>,
    pub(crate) name: String,
}

/// What reads the files.
pub(crate) enum Reader<'g> {
    Folder(PathBuf),
    Archive {
        path: PathBuf,
        /// The one folder that everything is in.
        around: Vec<u8>,
    },
    Git {
        repository: Repository<'g>,
        ids: BTreeMap<Vec<u8>, String>,
        _folder: Temporary,
    },
}

impl SourceTree<'_> {
    /// The folders of the skills at or below `start`, in order. Nothing below a skill is a skill of
    /// its own; hidden folders are looked into only when there is none elsewhere.
    pub(crate) fn skills(&self, start: Option<&str>) -> Vec<String> {
        let start = start.unwrap_or_default();
        let all: BTreeSet<&str> = self.items.iter().filter_map(skill_folder).collect();
        let mut outer: Vec<&str> = Vec::new();
        let mut open: Vec<&str> = Vec::new();
        for folder in all.iter().filter(|folder| is_at_or_below(folder, start)) {
            let is_nested = all.contains("") && !folder.is_empty()
                || folder
                    .match_indices('/')
                    .any(|(at, _)| folder.get(..at).is_some_and(|above| all.contains(above)));
            let rest = folder.get(start.len()..).unwrap_or_default();
            let parts = || rest.split('/').filter(|part| !part.is_empty());
            let is_filled = parts().any(|part| part == "node_modules" || part == "target");
            if is_nested || is_filled || parts().count() > MAX_DEPTH {
                continue;
            }
            outer.push(folder);
            if !parts().any(|part| part.starts_with('.')) {
                open.push(folder);
            }
        }
        let found = if open.is_empty() { outer } else { open };
        found.into_iter().map(str::to_owned).collect()
    }

    /// Reads only the `SKILL.md` of folders, for a listing.
    pub(crate) fn entries(
        &self,
        folders: &[String],
        observer: &dyn Observer,
    ) -> Result<Vec<Vec<u8>>, Error> {
        let paths: Vec<Vec<u8>> = folders
            .iter()
            .map(|folder| joined(folder, SKILL_FILE))
            .collect();
        let files = self.read(&paths, observer)?;
        Ok(files.into_iter().map(|file| file.bytes).collect())
    }

    /// The files of a skill's folder.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] for links, submodules, paths that leave the folder or that another
    /// system cannot write, two paths that differ in case alone, and too many files or bytes.
    pub(crate) fn skill(&self, folder: &str, observer: &dyn Observer) -> Result<Snapshot, Error> {
        let refuse = |why: String| {
            let shown = if folder.is_empty() {
                "its root"
            } else {
                folder
            };
            let message = format!("the skill in {shown} of {} is refused: {why}", self.name);
            Error::new(ErrorKind::Refused, message).help("this is for its author to correct")
        };
        let prefix = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        let mut paths = Vec::new();
        let mut seen: BTreeMap<String, String> = BTreeMap::new();
        for item in &self.items {
            let Some(rest) = item.path.strip_prefix(prefix.as_bytes()) else {
                continue;
            };
            if rest.split(|byte| *byte == b'/').any(|part| part == b".git") {
                continue;
            }
            if let Some(why) = refused(rest) {
                return Err(refuse(why));
            }
            let shown = String::from_utf8_lossy(rest).into_owned();
            match item.kind {
                ItemKind::File { .. } => {}
                ItemKind::Link => return Err(refuse(format!("'{shown}' is a link"))),
                ItemKind::Other => {
                    return Err(refuse(format!(
                        "'{shown}' is not a file: a submodule or a device"
                    )));
                }
            }
            if let Some(twin) = seen.insert(folded(&shown), shown.clone()) {
                let why = format!("'{twin}' and '{shown}' are one file on some systems");
                return Err(refuse(why));
            }
            if paths.len() == MAX_FILES {
                return Err(refuse(format!("it has more than {} files", paths.len())));
            }
            paths.push((shown, item.path.clone()));
        }
        let wanted: Vec<Vec<u8>> = paths.iter().map(|(_, path)| path.clone()).collect();
        let files = self.read(&wanted, observer)?;
        let size: u64 = files.iter().map(|file| file.bytes.len() as u64).sum();
        if size > MAX_BYTES {
            return Err(refuse(format!("it has more than {MAX_BYTES} bytes")));
        }
        let names = paths.into_iter().map(|(name, _)| name);
        Ok(Snapshot::of(names.zip(files)))
    }

    fn read(&self, paths: &[Vec<u8>], observer: &dyn Observer) -> Result<Vec<FileBytes>, Error> {
        let gone = |path: &[u8]| {
            let path = String::from_utf8_lossy(path);
            Error::new(
                ErrorKind::NotFound,
                format!("{path} of {} is gone", self.name),
            )
            .help("run the same command again")
        };
        match &self.reader {
            Reader::Folder(root) => read_files(root, paths),
            Reader::Archive { path, around } => {
                let wanted: BTreeSet<Vec<u8>> = paths
                    .iter()
                    .map(|path| [around, path.as_slice()].concat())
                    .collect();
                let mut listed = archive::read(path, &|path| wanted.contains(path))?;
                let take = |path: &Vec<u8>| {
                    let whole = [around, path.as_slice()].concat();
                    listed.files.remove(&whole).ok_or_else(|| gone(path))
                };
                paths.iter().map(take).collect()
            }
            Reader::Git {
                repository, ids, ..
            } => {
                let wanted: Result<Vec<String>, Error> = paths
                    .iter()
                    .map(|path| ids.get(path).cloned().ok_or_else(|| gone(path)))
                    .collect();
                let contents = repository.read(&wanted?, MAX_BYTES, observer)?;
                Ok(paths
                    .iter()
                    .zip(contents)
                    .map(|(path, bytes)| FileBytes {
                        bytes,
                        executable: self.is_executable(path),
                    })
                    .collect())
            }
        }
    }

    fn is_executable(&self, path: &[u8]) -> bool {
        let at = self
            .items
            .binary_search_by(|item| item.path.as_slice().cmp(path));
        let item = at.ok().and_then(|at| self.items.get(at));
        item.is_some_and(|item| item.kind == ItemKind::File { executable: true })
    }
}

/// The folder of a skill whose `SKILL.md` this is.
fn skill_folder(item: &Item) -> Option<&str> {
    let path = std::str::from_utf8(&item.path).ok()?;
    let folder = match path.strip_suffix(SKILL_FILE)? {
        "" => "",
        folder => folder.strip_suffix('/')?,
    };
    let fine = matches!(item.kind, ItemKind::File { .. }) && refused(&item.path).is_none();
    fine.then_some(folder)
}

/// Whether a folder is another, or below it. The root is `""`.
fn is_at_or_below(folder: &str, start: &str) -> bool {
    start.is_empty()
        || folder
            .strip_prefix(start)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
