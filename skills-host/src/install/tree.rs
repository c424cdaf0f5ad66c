//! The files of a source, wherever it is: listed first, then those of the chosen skills are read.

use crate::error::{Error, ErrorKind};
use crate::files::snapshot::{FileBytes, MAX_BYTES, Snapshot};
use crate::files::store::list;
use crate::git::{Git, Observer, Repository, is_id};
use crate::install::archive;
use crate::install::item::{Item, ItemKind, MAX_ITEMS};
use crate::install::paths::{folded, refused};
use crate::install::source::{Origin, Source};
use crate::install::temporary::Temporary;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Deepest folder in which a skill is looked for.
const MAX_DEPTH: usize = 8;
const SKILL_FILE: &str = "SKILL.md";

/// A source that was fetched.
pub(crate) struct SourceTree<'g> {
    items: Vec<Item>,
    reader: Reader<'g>,
    /// The commit, of a repository.
    pub(crate) commit: Option<String>,
    name: String,
}

enum Reader<'g> {
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

/// What is needed to fetch.
#[derive(Clone, Copy)]
pub(crate) struct Fetcher<'g> {
    pub(crate) git: &'g Git,
    /// Where temporary folders are made.
    pub(crate) temporary: &'g Path,
    pub(crate) observer: &'g dyn Observer,
}

/// What a revision is.
#[derive(Clone, Debug)]
pub(crate) struct Resolved {
    pub(crate) commit: String,
    /// Whether the revision is a tag or a commit, which does not move.
    pub(crate) is_pinned: bool,
    /// The tags that the repository has, when a tag was asked for.
    pub(crate) tags: Vec<String>,
}

impl<'g> Fetcher<'g> {
    /// Fetches a source, of a repository at a commit where that is known.
    pub(crate) fn fetch(
        self,
        source: &Source,
        commit: Option<&str>,
    ) -> Result<SourceTree<'g>, Error> {
        let name = source.origin.to_string();
        let (items, reader, commit) = match &source.origin {
            Origin::Folder(path) => {
                let start = source.path.as_deref().unwrap_or_default();
                (walk(path, start)?, Reader::Folder(path.clone()), None)
            }
            Origin::Archive(path) => {
                let mut items = archive::read(path, &|_| false)?.items;
                let around = unwrap(&mut items);
                let path = path.clone();
                (items, Reader::Archive { path, around }, None)
            }
            Origin::Git(url) => self.repository(url, source, commit)?,
        };
        if items.len() > MAX_ITEMS {
            let message = format!("{name} holds more than {MAX_ITEMS} files");
            return Err(Error::new(ErrorKind::Refused, message)
                .help("name the folder of the skills with `--path`"));
        }
        Ok(SourceTree {
            items,
            reader,
            commit,
            name,
        })
    }

    /// What a revision of a repository is now.
    pub(crate) fn resolve(self, url: &str, revision: Option<&str>) -> Result<Resolved, Error> {
        let names: Vec<String> = match revision {
            None => vec!["HEAD".to_owned()],
            Some(id) if is_id(id) => {
                return Ok(Resolved {
                    commit: id.to_ascii_lowercase(),
                    is_pinned: true,
                    tags: Vec::new(),
                });
            }
            Some(name) => vec!["refs/tags/*".to_owned(), format!("refs/heads/{name}")],
        };
        let refs = self.git.remote_refs(url, &names, self.observer)?;
        let commit = |name: &str| {
            let found = refs.iter().find(|(found, _)| found == name);
            found.map(|(_, commit)| commit.clone())
        };
        let Some(name) = revision else {
            let commit = commit("HEAD").ok_or_else(|| {
                Error::new(ErrorKind::NotFound, format!("{url} has no commit"))
                    .help("name a branch or a tag with `--rev`")
            })?;
            return Ok(Resolved {
                commit,
                is_pinned: false,
                tags: Vec::new(),
            });
        };
        let tag = commit(&format!("refs/tags/{name}^{{}}"))
            .or_else(|| commit(&format!("refs/tags/{name}")));
        let is_pinned = tag.is_some();
        let commit = tag
            .or_else(|| commit(&format!("refs/heads/{name}")))
            .ok_or_else(|| no_revision(url, name))?;
        let tag = |name: &str| Some(name.strip_prefix("refs/tags/")?.to_owned());
        let tags = refs.iter().filter_map(|(name, _)| tag(name));
        Ok(Resolved {
            commit,
            is_pinned,
            tags: tags.filter(|tag| !tag.ends_with("^{}")).collect(),
        })
    }

    fn repository(
        self,
        url: &str,
        source: &Source,
        commit: Option<&str>,
    ) -> Result<(Vec<Item>, Reader<'g>, Option<String>), Error> {
        let known = commit.is_some();
        let commit = match commit {
            Some(commit) => commit.to_owned(),
            None => self.resolve(url, source.revision.as_deref())?.commit,
        };
        let folder = Temporary::make(self.temporary)?;
        let repository = self
            .git
            .repository(folder.path().join("git"), url, self.observer)?;
        let fetched = repository.fetch(&commit, self.observer);
        match fetched {
            // Some servers give a commit alone only while a branch or a tag names it.
            Err(error) if known && error.kind() == ErrorKind::Program => {
                repository.fetch_history(self.observer)?;
            }
            fetched => fetched?,
        }
        let files = repository.files(&commit, self.observer)?;
        let item = |file: &crate::git::TreeItem| Item {
            path: file.path.clone(),
            kind: match file.mode.as_str() {
                "100644" | "100664" => ItemKind::File { executable: false },
                "100755" => ItemKind::File { executable: true },
                "120000" => ItemKind::Link,
                _ => ItemKind::Other,
            },
        };
        let mut items: Vec<Item> = files.iter().map(item).collect();
        items.sort_by(|a, b| a.path.cmp(&b.path));
        let ids = files.into_iter().map(|file| (file.path, file.id)).collect();
        let reader = Reader::Git {
            repository,
            ids,
            _folder: folder,
        };
        Ok((items, reader, Some(commit)))
    }
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
            if paths.len() == crate::files::snapshot::MAX_FILES {
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
            Reader::Folder(root) => read_folder(root, paths),
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

fn no_revision(url: &str, name: &str) -> Error {
    let message = format!("{url} has neither a tag nor a branch '{name}'");
    Error::new(ErrorKind::NotFound, message).help(format_args!(
        "`git ls-remote {}` lists what it has; a commit is named by all its 40 digits",
        crate::git::quoted(url)
    ))
}

fn read_folder(root: &Path, paths: &[Vec<u8>]) -> Result<Vec<FileBytes>, Error> {
    let mut left = MAX_BYTES;
    let mut files = Vec::new();
    for path in paths {
        let path = root.join(String::from_utf8_lossy(path).as_ref());
        let file = crate::files::snapshot::read_file(&path, left)?;
        left -= file.bytes.len() as u64;
        files.push(file);
    }
    Ok(files)
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

fn joined(folder: &str, file: &str) -> Vec<u8> {
    if folder.is_empty() {
        file.as_bytes().to_vec()
    } else {
        format!("{folder}/{file}").into_bytes()
    }
}

/// Takes off the one folder that all of an archive is in, when that is the skill or holds them.
fn unwrap(items: &mut [Item]) -> Vec<u8> {
    let first = |item: &Item| {
        let end = item.path.iter().position(|byte| *byte == b'/')?;
        item.path.get(..=end).map(<[u8]>::to_vec)
    };
    let Some(around) = items.first().and_then(first) else {
        return Vec::new();
    };
    if refused(around.strip_suffix(b"/").unwrap_or_default()).is_some()
        || !items.iter().all(|item| item.path.starts_with(&around))
    {
        return Vec::new();
    }
    for item in items {
        item.path.drain(..around.len());
    }
    around
}

/// Lists a folder from `start` down. Links are listed, not followed; `.git` is left out, as are the
/// folders above the skills that tools fill.
fn walk(root: &Path, start: &str) -> Result<Vec<Item>, Error> {
    let mut items = Vec::new();
    let first = root.join(start);
    if first
        .canonicalize()
        .is_ok_and(|first| !first.starts_with(root))
    {
        let message = format!("{} is a link that leaves the source", first.display());
        return Err(Error::new(ErrorKind::Refused, message).help("name the folder itself"));
    }
    let mut folders = vec![(start.to_owned(), false)];
    while let Some((folder, in_skill)) = folders.pop() {
        let entries = list(&root.join(&folder))?;
        let in_skill = in_skill || entries.iter().any(|(name, _)| name == SKILL_FILE);
        for (name, path) in entries {
            let below = String::from_utf8_lossy(&joined(&folder, &name)).into_owned();
            let kind = fs::symlink_metadata(&path)
                .map_err(|error| Error::io(&path, "cannot be read", error))?;
            if kind.is_dir() {
                let is_filled = !in_skill && (name == "node_modules" || name == "target");
                if name != ".git" && !is_filled {
                    folders.push((below, in_skill));
                }
                continue;
            }
            if !in_skill {
                continue;
            }
            items.push(Item {
                path: path_bytes(root, &path),
                kind: if kind.is_symlink() {
                    ItemKind::Link
                } else if kind.is_file() {
                    ItemKind::File {
                        executable: crate::files::snapshot::is_executable(&kind),
                    }
                } else {
                    ItemKind::Other
                },
            });
            if items.len() > MAX_ITEMS {
                return Ok(items);
            }
        }
    }
    items.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(items)
}

fn path_bytes(root: &Path, path: &Path) -> Vec<u8> {
    let relative = path.strip_prefix(root).unwrap_or(path);
    let parts: Vec<&[u8]> = relative
        .components()
        .map(|part| part.as_os_str().as_encoded_bytes())
        .collect();
    parts.join(&b'/')
}
