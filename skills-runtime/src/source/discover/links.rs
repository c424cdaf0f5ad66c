//! Follows the links in the folders of a source, only to permitted places and never twice to one folder.

use crate::source::diagnostics::reading;
use crate::source::discover::Walk;
use crate::source::folder::Root;
use skills_format::disk::{self, Folder, Refused, is_not_a_folder};
use std::fs::File;
use std::io;
use std::path::Path;

impl Walk<'_> {
    /// Follows the collected links to folders that were not read yet.
    pub(crate) fn read_links(&mut self, top: &Folder, root: &Root) {
        while let Some((path, depth)) = self.links.pop_front() {
            if self.full {
                self.links.clear();
                return;
            }
            self.note_visited();
            let Ok(below) = path.strip_prefix(&root.path) else {
                continue;
            };
            match self.open_folder(top, top, &path, below) {
                Ok(_) => self.read_folder(top, top, &path, below, depth),
                Err(Refused::Io(error)) if is_not_a_folder(&error) => {}
                Err(Refused::Io(error)) if error.kind() == io::ErrorKind::NotFound => {
                    self.diagnostics.push(reading::broken_link(&path));
                }
                Err(refused) => self.refused(&path, refused),
            }
        }
    }

    /// Records the identity of each folder that was read. Without a link, every folder has one path, so
    /// the first link starts this work.
    fn note_visited(&mut self) {
        if self.seen.is_none() {
            let visited = self.found.visited.iter();
            self.seen = Some(
                visited
                    .filter_map(|path| disk::identity(path).ok())
                    .collect(),
            );
        }
    }

    /// Returns whether a folder was read before.
    pub(crate) fn is_repeated(&mut self, path: &Path) -> bool {
        if let Some(seen) = &mut self.seen {
            let is_new = disk::identity(path).is_ok_and(|identity| seen.insert(identity));
            if !is_new {
                self.diagnostics.push(reading::repeated_link(path));
            }
            return !is_new;
        }
        let nearer = self.found.roots.iter().take(self.root);
        nearer.into_iter().any(|root| root.path == path)
    }

    pub(crate) fn open_file(
        &self,
        top: &Folder,
        folder: &Folder,
        path: &Path,
        below: &Path,
        name: &str,
    ) -> Result<File, Refused> {
        if self.reading.confined {
            // Opened from the bounds of the root: a link may lead to another folder below them.
            top.file_within(&self.below_bounds(path).join(name))
        } else {
            folder.file(&below.join(name)).map_err(Refused::Io)
        }
    }

    pub(crate) fn open_folder(
        &self,
        top: &Folder,
        folder: &Folder,
        path: &Path,
        below: &Path,
    ) -> Result<Folder, Refused> {
        if self.reading.confined {
            top.folder_within(self.below_bounds(path))
        } else {
            folder.folder(below).map_err(Refused::Io)
        }
    }

    fn below_bounds<'p>(&self, path: &'p Path) -> &'p Path {
        let root = self.found.roots.get(self.root);
        root.and_then(|root| path.strip_prefix(root.bounds()).ok())
            .unwrap_or(path)
    }

    /// Reports the reason why a path was not opened. The target of a link is examined by its path; no
    /// file is read.
    pub(crate) fn refused(&mut self, path: &Path, refused: Refused) {
        let root = self.found.roots.get(self.root);
        let top = root.map(|root| match &root.base {
            // The root itself must stay in its base, all other paths in the bounds.
            Some(base) if root.path == path => base,
            _ => root.bounds(),
        });
        let is_missing = |error: io::Error| error.kind() == io::ErrorKind::NotFound;
        self.diagnostics.push(match refused {
            Refused::Escape if disk::metadata(path).is_err_and(is_missing) => {
                reading::broken_link(path)
            }
            Refused::Escape => reading::escaping_link(path, top.unwrap_or(path)),
            Refused::Io(error) => reading::unreadable(path, &error),
        });
    }
}
