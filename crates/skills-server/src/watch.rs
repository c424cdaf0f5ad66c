//! A thread that notices changes in the folders of a catalog.

#![expect(clippy::disallowed_methods, reason = "waits until changes settle")]

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use skills_format::disk;
use skills_runtime::Catalog;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The time without another change after which changes have settled.
const QUIET: Duration = Duration::from_millis(100);
/// The time after which changes that do not settle are read.
const PATIENCE: Duration = Duration::from_secs(1);

/// A watch on the folders of a catalog. Dropping it ends the watch, after a reading that has begun.
#[derive(Debug)]
pub struct Watch(Sender<Wake>);

/// The reason why the thread wakes up.
#[derive(Debug)]
enum Wake {
    Change(notify::Result<Event>),
    Stop,
}

impl Watch {
    /// Watches the folders of a catalog, also those that are not there yet. When files have changed, and 100 ms have passed
    /// without another change or one second in all, `changed` reads them and returns the catalog whose folders are watched
    /// from then on. It runs on the thread of the watch.
    ///
    /// # Errors
    ///
    /// The operating system cannot watch a folder, or cannot start a thread.
    pub(crate) fn new(
        catalog: &Catalog,
        changed: impl FnMut() -> Catalog + Send + 'static,
    ) -> io::Result<Self> {
        let (stop, wakes) = channel();
        let folders = Folders::of(catalog);
        let watcher = folders.watcher(&stop).map_err(io::Error::other)?;
        let events = stop.clone();
        let thread = thread::Builder::new().name("skills-watch".to_owned());
        thread.spawn(move || follow(&events, &wakes, folders, watcher, changed))?;
        Ok(Self(stop))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.0.send(Wake::Stop);
    }
}

/// Reads the folders after each change, until the watch is dropped.
fn follow(
    events: &Sender<Wake>,
    wakes: &Receiver<Wake>,
    mut folders: Folders,
    mut watcher: RecommendedWatcher,
    mut changed: impl FnMut() -> Catalog,
) {
    while let Ok(Wake::Change(event)) = wakes.recv() {
        if !folders.concerns(&event) {
            continue;
        }
        if !settle(wakes, &folders) {
            return;
        }
        // The folders are watched anew, since a folder can have been replaced under its path, and read then: a change in
        // between is read, or wakes the thread again. New folders are watched before a second reading.
        loop {
            // A folder that is being removed cannot be watched: its parent tells of the end.
            if let Ok(anew) = folders.watcher(events) {
                drop(std::mem::replace(&mut watcher, anew));
            }
            let now = Folders::of(&changed());
            if now == folders {
                break;
            }
            folders = now;
        }
    }
}

/// Waits until changes have settled. Returns false if the watch was dropped.
fn settle(wakes: &Receiver<Wake>, folders: &Folders) -> bool {
    let deadline = Instant::now() + PATIENCE;
    let mut quiet = Instant::now() + QUIET;
    loop {
        let until = quiet.min(deadline);
        match wakes.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(Wake::Change(event)) if folders.concerns(&event) => quiet = Instant::now() + QUIET,
            Ok(Wake::Change(_)) => {}
            Ok(Wake::Stop) | Err(RecvTimeoutError::Disconnected) => return false,
            Err(RecvTimeoutError::Timeout) => return true,
        }
    }
}

/// The folders to watch.
#[derive(Debug, PartialEq, Eq)]
struct Folders {
    /// The folders of the sources, and folders that links in them lead to. Everything below them counts.
    roots: BTreeSet<PathBuf>,
    /// The folders above that exist, in which a root can appear or be replaced.
    above: BTreeSet<PathBuf>,
}

impl Folders {
    fn of(catalog: &Catalog) -> Self {
        let mut roots: BTreeSet<PathBuf> =
            catalog.folders().map(|(_, root)| root.to_owned()).collect();
        let real: Vec<PathBuf> = roots.iter().map(|root| disk::resolved(root)).collect();
        for folder in catalog.iter().filter_map(|entry| entry.folder()) {
            // Only a link leads a skill out of the roots.
            let folder = disk::resolved(folder);
            if !real.iter().any(|root| folder.starts_with(root)) {
                roots.insert(folder);
            }
        }
        let above = roots.iter().flat_map(|root| root.ancestors().skip(1));
        let above = above.filter(|above| above.is_dir());
        Self {
            above: above.map(Path::to_owned).collect(),
            roots,
        }
    }

    fn watcher(&self, events: &Sender<Wake>) -> notify::Result<RecommendedWatcher> {
        let events = events.clone();
        let mut watcher = notify::recommended_watcher(move |event| {
            // Sending fails if the watch was dropped and its thread has ended.
            let _ = events.send(Wake::Change(event));
        })?;
        for above in &self.above {
            watcher.watch(above, RecursiveMode::NonRecursive)?;
        }
        for root in self.roots.iter().filter(|root| root.is_dir()) {
            watcher.watch(root, RecursiveMode::Recursive)?;
        }
        Ok(watcher)
    }

    /// Returns whether an event can change a skill.
    fn concerns(&self, event: &notify::Result<Event>) -> bool {
        // Without an event, or if events were lost, any folder can have changed.
        let Some(event) = event.as_ref().ok().filter(|event| !event.need_rescan()) else {
            return true;
        };
        let is_written = EventKind::Access(AccessKind::Close(AccessMode::Write));
        if matches!(event.kind, EventKind::Access(_)) && event.kind != is_written {
            return false;
        }
        let concerns = |path: &PathBuf| {
            let mut roots = self.roots.iter();
            roots.any(|root| root.starts_with(path) || path.starts_with(root))
        };
        event.paths.is_empty() || event.paths.iter().any(concerns)
    }
}

#[cfg(test)]
mod tests;
