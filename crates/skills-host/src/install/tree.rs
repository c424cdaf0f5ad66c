//! The files of a source: all are listed first, then the files of the chosen skills are read.

use crate::files::relative_path::{RelativePath, conflict};
use crate::files::snapshot::{FileBytes, MAX_BYTES, MAX_FILES, Snapshot, is_skill_file};
use crate::git::observer::Observer;
use crate::git::repository::Repository;
use crate::install::archive::{self, ArchiveFile};
use crate::install::plan::LeftOut;
use crate::install::temporary::Temporary;
use crate::review::item::{Item, ItemKind};
use crate::review::walk::read_files;
use serde::Serialize;
use skills_format::tree::filled::names_filled;
use skills_format::{Digest, SKILL_FILE, left_out};
use skills_repository::repository::is_below_tests;
use skills_store::{Error, ErrorKind};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

/// A fetched source.
pub(crate) struct SourceTree<'g> {
    pub(crate) items: Vec<Item>,
    pub(crate) reader: Reader<'g>,
    /// The fetched commit of a repository.
    pub(crate) commit: Option<String>,
    /// The digest of a fetched archive.
    pub(crate) archive: Option<Digest>,
    pub(crate) name: String,
    /// The result of [`SourceTree::skill_files`], once computed.
    pub(crate) skill_files: OnceCell<BTreeMap<String, Vec<u8>>>,
}

/// The way to read the files.
pub(crate) enum Reader<'g> {
    Folder(PathBuf),
    /// The files, by path.
    Memory(BTreeMap<Vec<u8>, FileBytes>),
    Archive {
        file: ArchiveFile,
        /// The one folder around everything, removed from the paths.
        around: Vec<u8>,
        /// The folder of a fetched archive.
        _folder: Option<Box<Temporary>>,
    },
    Git {
        repository: Repository<'g>,
        ids: BTreeMap<Vec<u8>, String>,
        _folder: Box<Temporary>,
    },
}

/// A skill of a source that is not offered, and that its name does not choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NotOffered {
    /// The folder in the source. Bytes that are not UTF-8 are replaced.
    pub path: String,
    /// The reason.
    pub reason: String,
}

/// The folders of the skills of a source.
#[derive(Debug, Default)]
pub(crate) struct Folders {
    /// The skills that the source offers.
    pub(crate) offered: Vec<String>,
    /// Skills in folders of tests and of built files, and in hidden folders if the source offers others.
    pub(crate) others: Vec<String>,
    /// Skills inside other skills, which are files of those.
    pub(crate) inside: Vec<String>,
}

impl Folders {
    /// Returns whether a folder is one of a skill, offered or not.
    pub(crate) fn contains(&self, folder: &str) -> bool {
        let all = [&self.offered, &self.others, &self.inside];
        all.into_iter().flatten().any(|one| one == folder)
    }
}

impl SourceTree<'_> {
    /// Returns the folders of the skills at or below `start`, in order. Hidden folders count only if no other folder
    /// has a skill. A hidden folder below `skills`, such as `skills/.curated`, counts always.
    pub(crate) fn skills(&self, start: Option<&str>) -> Folders {
        let start = start.unwrap_or_default();
        let all = self.skill_files();
        let is_in_skills = start.split('/').any(|part| part == "skills");
        // Who names a folder of tests means its skills.
        let is_named = is_in_skills || is_below_tests(start.split('/'));
        let [mut offered, mut aside, mut others, mut inside] = [const { Vec::new() }; 4];
        // An update calls this for each skill, so only the range of `start` is visited.
        let from = all.range(start.to_owned()..).map(|(folder, _)| folder);
        let near = from.take_while(|folder| folder.starts_with(start));
        for folder in near.filter(|folder| is_at_or_below(folder, start)) {
            let rest = folder.get(start.len()..).unwrap_or_default();
            let parts = || rest.split('/').filter(|part| !part.is_empty());
            // A skill may have the name of such a folder itself.
            let above_it = rest.rsplit_once('/').map_or("", |(above, _)| above);
            let is_filled = names_filled(above_it);
            let mut above_skills = parts().take_while(|part| *part != "skills" && !is_in_skills);
            let is_skill = |above: &str| is_at_or_below(above, start) && all.contains_key(above);
            let list = if above(folder).any(is_skill) {
                &mut inside
            } else if is_filled
                || !is_named && is_below_tests(parts().take(parts().count().saturating_sub(1)))
            {
                &mut others
            } else if above_skills.any(|part| part.starts_with('.')) {
                &mut aside
            } else {
                &mut offered
            };
            list.push(folder.clone());
        }
        if offered.is_empty() {
            offered = std::mem::take(&mut aside);
        }
        others.append(&mut aside);
        Folders {
            offered,
            others,
            inside,
        }
    }

    /// Returns the skills at or below `start` that are neither offered nor found by their names, in order of their folders.
    pub(crate) fn not_offered(&self, start: Option<&str>) -> Vec<NotOffered> {
        let start = start.unwrap_or_default();
        let known = self.skill_files();
        let mut found: BTreeMap<String, NotOffered> = BTreeMap::new();
        for item in &self.items {
            let path = String::from_utf8_lossy(&item.path);
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
            // A skill inside of another one is a file of it.
            if !is_skill_file(name)
                || !is_at_or_below(folder, start)
                || folder.split('/').any(|part| part == ".git")
                || above(folder).any(|above| known.contains_key(above))
            {
                continue;
            }
            let reason = match RelativePath::portable(&item.path) {
                Err(refused) => refused,
                Ok(_) if known.contains_key(folder) || item.kind != ItemKind::Link => continue,
                Ok(_) => format!("its {name} is a link"),
            };
            let path = folder.to_owned();
            found.insert(path.clone(), NotOffered { path, reason });
        }
        found.into_values().collect()
    }

    /// Returns the file of each skill, by folder. A file such as `skill.md`, which differs in case, counts only if no
    /// `SKILL.md` is in its folder, above or below.
    pub(crate) fn skill_files(&self) -> &BTreeMap<String, Vec<u8>> {
        self.skill_files.get_or_init(|| self.find_skill_files())
    }

    fn find_skill_files(&self) -> BTreeMap<String, Vec<u8>> {
        let (exact, alike): (Vec<_>, Vec<_>) = self
            .items
            .iter()
            .filter_map(skill_file)
            .partition(|(_, name, _)| *name == SKILL_FILE);
        let place = |(folder, _, path)| (folder, path);
        let mut all: BTreeMap<&str, &[u8]> = exact.into_iter().map(place).collect();
        let with_above: BTreeSet<&str> = all.keys().copied().flat_map(above).collect();
        let is_free = |folder: &str| {
            let is_taken = all.contains_key(folder) || with_above.contains(folder);
            !is_taken && !above(folder).any(|above| all.contains_key(above))
        };
        let free: Vec<_> = alike
            .into_iter()
            .filter(|(folder, ..)| is_free(folder))
            .collect();
        all.extend(free.into_iter().map(place));
        all.into_iter()
            .map(|(folder, path)| (folder.to_owned(), path.to_vec()))
            .collect()
    }

    /// Reads only the `SKILL.md` of each folder, for a listing.
    pub(crate) fn entries(
        &self,
        folders: &[String],
        observer: &dyn Observer,
    ) -> Result<Vec<Arc<[u8]>>, Error> {
        let files = self.skill_files();
        let path = |folder: &String| files.get(folder).cloned();
        let paths: Vec<Vec<u8>> = folders.iter().filter_map(path).collect();
        let files = self.read(&paths, observer)?;
        Ok(files.into_iter().map(|file| file.bytes).collect())
    }

    /// Returns the files of a skill, and the files of its folder that are not part of the skill, which are not read.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] for links, submodules, paths that leave the folder or that another system cannot write,
    /// paths that differ in case only, and too many files or bytes.
    pub(crate) fn skill(
        &self,
        folder: &str,
        observer: &dyn Observer,
    ) -> Result<(Snapshot, Vec<LeftOut>), Error> {
        let refuse = |why: String| {
            let shown = if folder.is_empty() {
                "its root"
            } else {
                folder
            };
            let message = format!("the skill in {shown} of {} is refused: {why}", self.name);
            Error::new(ErrorKind::Refused, message).help("this is for its author to correct")
        };
        let Files {
            names,
            paths,
            left_out,
        } = self.files_of(folder).map_err(&refuse)?;
        let files = self.read(&paths, observer)?;
        let size: u64 = files.iter().map(|file| file.bytes.len() as u64).sum();
        if size > MAX_BYTES {
            return Err(refuse(format!("it has more than {MAX_BYTES} bytes")));
        }
        Ok((Snapshot::of(names.into_iter().zip(files)), left_out))
    }

    /// Returns the files of a skill's folder, or the reason why the skill is refused.
    fn files_of(&self, folder: &str) -> Result<Files, String> {
        let prefix = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        let mut files = Files::default();
        let has = |below: &str| {
            let path = [prefix.as_bytes(), below.as_bytes()].concat();
            let found = self.items.binary_search_by(|item| item.path.cmp(&path));
            found.is_ok()
        };
        // The items are sorted, so those of a folder are adjacent.
        let start = self
            .items
            .partition_point(|item| item.path.as_slice() < prefix.as_bytes());
        for item in self.items.iter().skip(start) {
            let Some(rest) = item.path.strip_prefix(prefix.as_bytes()) else {
                break;
            };
            if rest.split(|byte| *byte == b'/').any(|part| part == b".git") {
                continue;
            }
            let name = RelativePath::portable(rest)?;
            match item.kind {
                ItemKind::File { .. } => {}
                ItemKind::Link => return Err(format!("'{name}' is a link")),
                ItemKind::Other => {
                    return Err(format!("'{name}' is not a file: a submodule or a device"));
                }
            }
            if let Some(part) = left_out(&name, &has) {
                let part = LeftOut::new(part);
                // The files of a folder follow each other.
                if files.left_out.last() != Some(&part) {
                    files.left_out.push(part);
                }
                continue;
            }
            if files.paths.len() == MAX_FILES {
                return Err(format!("it has more than {MAX_FILES} files"));
            }
            files.names.push(name);
            files.paths.push(item.path.clone());
        }
        match conflict(&files.names, true) {
            Some(why) => Err(why),
            None => Ok(files),
        }
    }

    fn read(&self, paths: &[Vec<u8>], observer: &dyn Observer) -> Result<Vec<FileBytes>, Error> {
        match &self.reader {
            Reader::Folder(root) => read_files(root, paths),
            Reader::Memory(files) => {
                let file = |path: &Vec<u8>| files.get(path).cloned().ok_or_else(|| self.gone(path));
                paths.iter().map(file).collect()
            }
            Reader::Archive { file, around, .. } => {
                let within = |path: &Vec<u8>| [around, path.as_slice()].concat();
                let wanted: BTreeSet<Vec<u8>> = paths.iter().map(within).collect();
                // A second pass: the listing keeps no contents, since an archive may unpack to 1 GiB.
                let mut listed = archive::read(file, &|path| wanted.contains(path))?;
                let take = |path: &Vec<u8>| {
                    let file = listed.files.remove(&within(path));
                    file.ok_or_else(|| self.gone(path))
                };
                paths.iter().map(take).collect()
            }
            Reader::Git {
                repository, ids, ..
            } => {
                let id = |path: &Vec<u8>| ids.get(path).cloned().ok_or_else(|| self.gone(path));
                let wanted: Vec<String> = paths.iter().map(id).collect::<Result<_, _>>()?;
                let contents = repository.read(&wanted, MAX_BYTES, observer)?;
                let file = |(path, bytes): (&Vec<u8>, Vec<u8>)| {
                    FileBytes::new(bytes, self.is_executable(path))
                };
                Ok(paths.iter().zip(contents).map(file).collect())
            }
        }
    }

    fn gone(&self, path: &[u8]) -> Error {
        let path = String::from_utf8_lossy(path);
        let message = format!("{path} of {} is gone", self.name);
        Error::new(ErrorKind::NotFound, message).help("run the same command again")
    }

    fn is_executable(&self, path: &[u8]) -> bool {
        let at = self
            .items
            .binary_search_by(|item| item.path.as_slice().cmp(path));
        let item = at.ok().and_then(|at| self.items.get(at));
        item.is_some_and(|item| item.kind == ItemKind::File { executable: true })
    }
}

/// The files of a skill's folder, before they are read.
#[derive(Default)]
struct Files {
    /// The paths relative to the folder.
    names: Vec<RelativePath>,
    /// The paths in the source.
    paths: Vec<Vec<u8>>,
    left_out: Vec<LeftOut>,
}

/// Returns the folder of a skill, the name of its file, and the path of the file.
fn skill_file(item: &Item) -> Option<(&str, &str, &[u8])> {
    let path = std::str::from_utf8(&item.path).ok()?;
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_file = matches!(item.kind, ItemKind::File { .. });
    let fine = is_file && is_skill_file(name) && RelativePath::portable(&item.path).is_ok();
    fine.then_some((folder, name, item.path.as_slice()))
}

/// Returns the folders above a folder. The root is `""`, with no folder above.
pub(crate) fn above(folder: &str) -> impl Iterator<Item = &str> {
    let root = (!folder.is_empty()).then_some("");
    let below_root = folder
        .match_indices('/')
        .filter_map(|(at, _)| folder.get(..at));
    root.into_iter().chain(below_root)
}

/// Returns whether a folder equals another, or is below it. The root is `""`.
pub(crate) fn is_at_or_below(folder: &str, start: &str) -> bool {
    start.is_empty()
        || folder
            .strip_prefix(start)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
