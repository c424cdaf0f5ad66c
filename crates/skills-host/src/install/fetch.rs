//! Fetches sources, for an operation that uses the machine through its [`Host`] alone.

use crate::files::again;
use crate::files::clock::Clock;
use crate::files::data::DataFolder;
use crate::files::relative_path::RelativePath;
use crate::files::snapshot::FileBytes;
use crate::git::object::TreeItem;
use crate::git::observer::Observer;
use crate::git::program::Git;
use crate::git::repository::Repository;
use crate::install::archive::{self, ArchiveFile};
use crate::install::download::download;
use crate::install::revision::{Resolved, resolve};
use crate::install::source::{Origin, Source};
use crate::install::temporary::Temporary;
use crate::install::tree::{Reader, SourceTree};
use crate::review::item::{Item, ItemKind, MAX_ITEMS};
use crate::review::walk::walk;
use skills_store::{Error, ErrorKind};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The dependencies of an operation, which uses nothing else of the machine.
#[derive(Clone, Copy)]
pub struct Host<'h> {
    /// The folder of the store, the trash and temporary folders.
    pub data: &'h DataFolder,
    /// The user's own git.
    pub git: &'h Git,
    /// The clock.
    pub clock: &'h dyn Clock,
    /// The observer, which can cancel the operation.
    pub observer: &'h dyn Observer,
}

impl<'h> Host<'h> {
    /// Fetches a source: for a repository the given commit, else the requested revision.
    pub(crate) fn fetch(
        self,
        source: &Source,
        commit: Option<&str>,
    ) -> Result<SourceTree<'h>, Error> {
        let name = source.origin.to_string();
        let mut archive = None;
        let (items, reader, commit) = match &source.origin {
            Origin::Program(program) => {
                let files = program.files()?;
                let item = |(path, file): (&Vec<u8>, &FileBytes)| Item {
                    path: path.clone(),
                    kind: ItemKind::File {
                        executable: file.executable,
                    },
                };
                let items = files.iter().map(item).collect();
                (items, Reader::Memory(files), None)
            }
            Origin::Folder(path) => {
                let start = source.path.as_deref().unwrap_or_default();
                (walk(path, start, None)?, Reader::Folder(path.clone()), None)
            }
            Origin::Archive(path) => {
                let (items, reader) = unpacked(ArchiveFile::new(path), None)?;
                (items, reader, None)
            }
            Origin::Url(url) => {
                let folder = Temporary::make(&self.data.temporary(), self.observer)?;
                let (path, digest) = download(url, folder.path(), self.observer)?;
                archive = Some(digest);
                let file = ArchiveFile::fetched(path, url);
                let (items, reader) = unpacked(file, Some(Box::new(folder)))?;
                (items, reader, None)
            }
            Origin::Git(url) => self.repository(url, source, commit)?,
        };
        if items.len() > MAX_ITEMS {
            let message = format!("{name} contains more than {MAX_ITEMS} files");
            return Err(Error::new(ErrorKind::Refused, message)
                .help("name the folder of the skills after `//`"));
        }
        Ok(SourceTree {
            items,
            reader,
            commit,
            archive,
            name,
            skill_files: OnceCell::new(),
        })
    }

    fn repository(
        self,
        url: &str,
        source: &Source,
        commit: Option<&str>,
    ) -> Result<(Vec<Item>, Reader<'h>, Option<String>), Error> {
        let known = commit.is_some();
        let commit = match commit {
            Some(commit) => commit.to_owned(),
            None => resolve(self.git, url, source.revision.as_deref(), self.observer)?.commit,
        };
        let folder = Temporary::make(&self.data.temporary(), self.observer)?;
        let place = folder.path().join("git");
        let repository = Repository::make(self.git, place, url, self.observer)?;
        let fetched = repository.fetch(&commit, self.observer);
        match fetched {
            // Some servers send a single commit only while a branch or a tag points to it.
            Err(error) if known && error.kind() == ErrorKind::Program => {
                repository.fetch_history(self.observer)?;
            }
            fetched => fetched?,
        }
        let files = repository.files(&commit, self.observer)?;
        let mut items: Vec<Item> = files.iter().map(item).collect();
        items.sort_by(|a, b| a.path.cmp(&b.path));
        let ids = files.into_iter().map(|file| (file.path, file.id)).collect();
        let reader = Reader::Git {
            repository,
            ids,
            _folder: Box::new(folder),
        };
        Ok((items, reader, Some(commit)))
    }
}

/// The sources of the entries of a lock. Each revision is resolved once, and each version fetched once; a failure is repeated.
pub(crate) struct Sources<'h> {
    host: Host<'h>,
    /// By URL and revision.
    resolved: BTreeMap<(String, Option<String>), Result<Rc<Resolved>, Error>>,
    /// By source and commit.
    trees: BTreeMap<(String, Option<String>), Result<Rc<SourceTree<'h>>, Error>>,
}

impl<'h> Sources<'h> {
    pub(crate) fn new(host: Host<'h>) -> Self {
        let (resolved, trees) = (BTreeMap::new(), BTreeMap::new());
        Self {
            host,
            resolved,
            trees,
        }
    }

    /// Resolves the revision of a source; `None` for a source without revisions.
    pub(crate) fn resolve(&mut self, source: &Source) -> Result<Option<Rc<Resolved>>, Error> {
        let Origin::Git(url) = &source.origin else {
            return Ok(None);
        };
        let Host { git, observer, .. } = self.host;
        let revision = source.revision.as_deref();
        let key = (url.clone(), source.revision.clone());
        let resolved = self.resolved.entry(key);
        let resolved =
            resolved.or_insert_with(|| resolve(git, url, revision, observer).map(Rc::new));
        resolved.as_ref().cloned().map(Some).map_err(again)
    }

    /// Returns the files of a source: for a repository at the commit. The folder in the source is passed over, since other
    /// entries have other folders.
    pub(crate) fn tree(
        &mut self,
        source: &Source,
        commit: Option<&str>,
    ) -> Result<Rc<SourceTree<'h>>, Error> {
        let commit = commit.filter(|_| matches!(source.origin, Origin::Git(_)));
        let key = (source.origin.to_string(), commit.map(str::to_owned));
        let host = self.host;
        let tree = self.trees.entry(key).or_insert_with(|| {
            let whole = Source {
                path: None,
                ..source.clone()
            };
            host.fetch(&whole, commit).map(Rc::new)
        });
        tree.as_ref().cloned().map_err(again)
    }
}

/// Lists an archive.
fn unpacked<'g>(
    file: ArchiveFile,
    folder: Option<Box<Temporary>>,
) -> Result<(Vec<Item>, Reader<'g>), Error> {
    let mut items = archive::read(&file, &|_| false)?.items;
    let around = unwrap(&mut items);
    let reader = Reader::Archive {
        file,
        around,
        _folder: folder,
    };
    Ok((items, reader))
}

fn item(file: &TreeItem) -> Item {
    Item {
        path: file.path.clone(),
        kind: match file.mode.as_str() {
            "100644" | "100664" => ItemKind::File { executable: false },
            "100755" => ItemKind::File { executable: true },
            "120000" => ItemKind::Link,
            _ => ItemKind::Other,
        },
    }
}

/// Removes the one folder around all items of an archive, and returns it. That folder is the skill, or holds the
/// skills.
fn unwrap(items: &mut [Item]) -> Vec<u8> {
    let first = |item: &Item| {
        let end = item.path.iter().position(|byte| *byte == b'/')?;
        item.path.get(..=end).map(<[u8]>::to_vec)
    };
    let Some(around) = items.first().and_then(first) else {
        return Vec::new();
    };
    if RelativePath::portable(around.strip_suffix(b"/").unwrap_or_default()).is_err()
        || !items.iter().all(|item| item.path.starts_with(&around))
    {
        return Vec::new();
    }
    for item in items {
        item.path.drain(..around.len());
    }
    around
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the folder that is removed, and the paths that are left.
    fn unwrapped(paths: &[&str]) -> (String, Vec<String>) {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let item = |path: &&str| Item {
            path: path.as_bytes().to_vec(),
            kind: ItemKind::File { executable: false },
        };
        let mut items: Vec<Item> = paths.iter().map(item).collect();
        let around = text(&unwrap(&mut items));
        (around, items.iter().map(|item| text(&item.path)).collect())
    }

    #[test]
    fn one_folder_around_everything_is_removed() {
        for (paths, around, left) in [
            (
                &["a-1/SKILL.md", "a-1/x/y"][..],
                "a-1/",
                &["SKILL.md", "x/y"][..],
            ),
            (
                &["a/SKILL.md", "b/SKILL.md"],
                "",
                &["a/SKILL.md", "b/SKILL.md"],
            ),
            (&["a/SKILL.md", "ab/x"], "", &["a/SKILL.md", "ab/x"]),
            (&["SKILL.md", "a/x"], "", &["SKILL.md", "a/x"]),
            (&["../SKILL.md", "../x"], "", &["../SKILL.md", "../x"]),
            (&["con/SKILL.md"], "", &["con/SKILL.md"]),
            (&[], "", &[]),
        ] {
            let left = left.iter().map(|path| (*path).to_owned()).collect();
            assert_eq!(unwrapped(paths), (around.to_owned(), left), "{paths:?}");
        }
    }
}
