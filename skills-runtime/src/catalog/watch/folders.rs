//! Selects the folders to watch:
//!
//! - every folder that was read;
//! - the ancestors of the roots, to notice a root that appears later or is moved away;
//! - all folders of an untrusted source's skills, because a person trusts every file in them;
//! - all folders of every skill, for `Catalog::watch_files`.
//!
//! On systems that watch whole trees at no cost, only the roots and their ancestors are watched.

use crate::catalog::Catalog;
use crate::source::open_skill::MAX_DEPTH;
use crate::source::{Content, Source};
use notify::{RecursiveMode, Watcher};
use skills_format::OPENAI_FILE;
use skills_format::disk::{self, Folder, Identity, Kind};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const TREES: bool = cfg!(any(target_os = "macos", windows));
/// The maximum number of names that are read of one folder.
const MAX_NAMES: usize = 20_000;

/// The files whose changes are delivered by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// The files of skills that need trust.
    Skills,
    /// All files.
    Files,
}

/// The folders that a watcher watches.
#[derive(Debug)]
pub(crate) struct Watched<W> {
    watcher: W,
    /// The folders, each with its identity when the watch began: a replaced folder must be watched anew.
    folders: BTreeMap<PathBuf, Identity>,
    /// The roots. Events outside of them are ignored.
    roots: Vec<PathBuf>,
    reach: Reach,
    /// The roots of the sources within the reach.
    within: Vec<PathBuf>,
}

impl<W: Watcher> Watched<W> {
    pub(crate) fn new(watcher: W, reach: Reach) -> Self {
        Self {
            watcher,
            folders: BTreeMap::new(),
            roots: Vec::new(),
            reach,
            within: Vec::new(),
        }
    }

    /// Returns whether an event at a path can change the catalog.
    pub(crate) fn concerns(&self, path: &Path) -> bool {
        let roots = self.roots.iter();
        roots
            .into_iter()
            .any(|root| root.starts_with(path) || path.starts_with(root))
    }

    /// Returns whether an event at a path is delivered by itself.
    pub(crate) fn is_within_reach(&self, path: &Path) -> bool {
        self.within.iter().any(|root| path.starts_with(root))
    }

    /// Stops watching a path and the folders below it, which can have been replaced.
    pub(crate) fn forget(&mut self, path: &Path) {
        let below = self.folders.range(path.to_owned()..);
        let below = below.map(|(folder, _)| folder);
        let below: Vec<PathBuf> = below
            .take_while(|folder| folder.starts_with(path))
            .cloned()
            .collect();
        for folder in below {
            self.unwatch(&folder);
        }
    }

    pub(crate) fn forget_all(&mut self) {
        let folders: Vec<PathBuf> = self.folders.keys().cloned().collect();
        for folder in folders {
            self.unwatch(&folder);
        }
    }

    /// Watches exactly the folders of a catalog. Returns whether folders were added, and the folders
    /// that could not be watched.
    pub(crate) fn follow(&mut self, catalog: &Catalog) -> (bool, Vec<(PathBuf, notify::Error)>) {
        let wanted = self.wanted(catalog);
        let stale = self.folders.iter().filter(|(folder, identity)| {
            let now = wanted.get(*folder);
            now.is_none_or(|(now, _)| now != *identity)
        });
        let stale: Vec<PathBuf> = stale.map(|(folder, _)| folder.clone()).collect();
        // A folder that was replaced under its path needs a new watch: the old watch follows the removed
        // folder.
        for folder in stale {
            self.unwatch(&folder);
        }
        let mut is_more = false;
        let mut failed = Vec::new();
        for (folder, (identity, mode)) in wanted {
            if self.folders.contains_key(&folder) {
                continue;
            }
            match self.watcher.watch(&folder, mode) {
                Ok(()) => {
                    is_more = true;
                    self.folders.insert(folder, identity);
                }
                // The folder is already removed, and the event of its parent follows.
                Err(_) if !is_folder(&folder) => {}
                Err(error) => failed.push((folder, error)),
            }
        }
        (is_more, failed)
    }

    fn unwatch(&mut self, folder: &Path) {
        self.folders.remove(folder);
        // If the folder was removed, its watch has ended, and this call fails.
        let _ = self.watcher.unwatch(folder);
    }

    fn wanted(&mut self, catalog: &Catalog) -> BTreeMap<PathBuf, (Identity, RecursiveMode)> {
        let mut wanted = Wanted::default();
        self.roots.clear();
        self.within.clear();
        for dir in catalog.loader().plugin_folders() {
            self.roots.push(dir.to_owned());
            wanted.root(dir);
            if !TREES {
                for plugin in folders(dir) {
                    wanted.add(&plugin, RecursiveMode::NonRecursive);
                }
            }
        }
        for source in catalog.sources() {
            self.roots.extend(source.roots().map(ToOwned::to_owned));
            let is_within = self.reaches(source);
            if is_within {
                self.within.extend(source.roots().map(ToOwned::to_owned));
            }
            source.roots().for_each(|root| wanted.root(root));
            #[cfg(all(feature = "hot", debug_assertions))]
            if let Some(hot) = &source.hot {
                self.roots.push(hot.folder.clone());
                wanted.root(&hot.folder);
                if !TREES {
                    let folders = hot.look.iter().flat_map(|look| &look.folders);
                    folders.for_each(|folder| wanted.add(folder, RecursiveMode::NonRecursive));
                }
            }
            if !TREES {
                wanted.source(source, is_within);
            }
        }
        wanted.folders
    }

    fn reaches(&self, source: &Source) -> bool {
        self.reach == Reach::Files || source.asks_for_trust()
    }
}

#[derive(Default)]
struct Wanted {
    folders: BTreeMap<PathBuf, (Identity, RecursiveMode)>,
}

impl Wanted {
    fn root(&mut self, root: &Path) {
        let mode = if TREES {
            RecursiveMode::Recursive
        } else {
            RecursiveMode::NonRecursive
        };
        self.add(root, mode);
        for above in root.ancestors().skip(1) {
            self.add(above, RecursiveMode::NonRecursive);
        }
    }

    fn source(&mut self, source: &Source, is_within: bool) {
        let Content::Folders(folders) = &source.content else {
            return;
        };
        for folder in &folders.visited {
            self.add(folder, RecursiveMode::NonRecursive);
        }
        if is_within {
            for skill in &folders.skills {
                self.below(&skill.dir, 0);
            }
        }
        // `agents/openai.yaml` says whether the model may start the skill.
        let agents = Path::new(OPENAI_FILE).parent().unwrap_or(Path::new(""));
        for skill in &folders.skills {
            self.add(&skill.dir.join(agents), RecursiveMode::NonRecursive);
        }
    }

    fn below(&mut self, dir: &Path, depth: usize) {
        for folder in folders(dir) {
            if depth < MAX_DEPTH {
                self.add(&folder, RecursiveMode::NonRecursive);
                self.below(&folder, depth + 1);
            }
        }
    }

    fn add(&mut self, folder: &Path, mode: RecursiveMode) {
        if self.folders.contains_key(folder) || !is_folder(folder) {
            return;
        }
        if let Ok(identity) = disk::identity(folder) {
            self.folders.insert(folder.to_owned(), (identity, mode));
        }
    }
}

fn is_folder(path: &Path) -> bool {
    disk::metadata(path).is_ok_and(|found| found.is_dir())
}

/// Returns the folders in a folder.
fn folders(dir: &Path) -> Vec<PathBuf> {
    let Ok(items) = Folder::open(dir).and_then(|folder| folder.items(MAX_NAMES)) else {
        // The load has reported a folder that cannot be read. Its own watch sees when it can be read.
        return Vec::new();
    };
    let folders = items.into_iter();
    let folders = folders.filter(|item| item.kind == Kind::Folder);
    folders.map(|item| dir.join(item.name)).collect()
}
