//! Fetches sources.

use crate::files::relative_path::RelativePath;
use crate::git::object::TreeItem;
use crate::git::observer::Observer;
use crate::git::program::Git;
use crate::git::repository::Repository;
use crate::install::archive::{self, ArchiveFile};
use crate::install::download::download;
use crate::install::revision::resolve;
use crate::install::source::{Origin, Source};
use crate::install::temporary::Temporary;
use crate::install::tree::{Reader, SourceTree};
use crate::review::item::{Item, ItemKind, MAX_ITEMS};
use crate::review::walk::walk;
use skills_store::{Error, ErrorKind};
use std::cell::OnceCell;
use std::path::Path;

/// The dependencies of a fetch.
#[derive(Clone, Copy)]
pub(crate) struct Fetcher<'g> {
    pub(crate) git: &'g Git,
    /// The folder for temporary folders.
    pub(crate) temporary: &'g Path,
    pub(crate) observer: &'g dyn Observer,
}

impl<'g> Fetcher<'g> {
    /// Fetches a source: for a repository the given commit, else the requested revision.
    pub(crate) fn fetch(
        self,
        source: &Source,
        commit: Option<&str>,
    ) -> Result<SourceTree<'g>, Error> {
        let name = source.origin.to_string();
        let mut archive = None;
        let (items, reader, commit) = match &source.origin {
            Origin::Folder(path) | Origin::Program { folder: path, .. } => {
                let start = source.path.as_deref().unwrap_or_default();
                (walk(path, start, None)?, Reader::Folder(path.clone()), None)
            }
            Origin::Archive(path) => {
                let (items, reader) = unpacked(ArchiveFile::new(path), None)?;
                (items, reader, None)
            }
            Origin::Url(url) => {
                let folder = Temporary::make(self.temporary, self.observer)?;
                let (path, digest) = download(url, folder.path(), self.observer)?;
                archive = Some(digest);
                let file = ArchiveFile::fetched(path, url);
                let (items, reader) = unpacked(file, Some(Box::new(folder)))?;
                (items, reader, None)
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
    ) -> Result<(Vec<Item>, Reader<'g>, Option<String>), Error> {
        let known = commit.is_some();
        let commit = match commit {
            Some(commit) => commit.to_owned(),
            None => resolve(self.git, url, source.revision.as_deref(), self.observer)?.commit,
        };
        let folder = Temporary::make(self.temporary, self.observer)?;
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
