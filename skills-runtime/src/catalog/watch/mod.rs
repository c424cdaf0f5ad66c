//! A thread that waits for folders to change, and reloads the catalog.

#![expect(clippy::disallowed_methods, reason = "waits until changes settle")]

pub(crate) mod folders;

use crate::catalog::Catalog;
use crate::catalog::diagnostics;
use crate::catalog::reload::Reloaded;
use crate::catalog::watch::folders::Watched;
use crate::error::{Error, ErrorKind};
use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{Event, EventKind, RecommendedWatcher};
use skills_format::Diagnostic;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Changes count as settled when nothing has changed for so long.
const QUIET: Duration = Duration::from_millis(100);
/// Changes that never settle are read all the same.
const PATIENCE: Duration = Duration::from_secs(1);

/// A catalog that follows its folders. Dropping it ends that.
#[derive(Debug)]
pub struct Watch {
    current: Arc<Mutex<Catalog>>,
    stop: Sender<Wake>,
    thread: Option<JoinHandle<()>>,
}

/// Why the thread wakes up.
#[derive(Debug)]
enum Wake {
    Change(notify::Result<Event>),
    Stop,
}

impl Catalog {
    /// Reloads this catalog whenever its folders have changed and 100 ms have passed without another
    /// change, or a second with, and hands each new one to `deliver`, on a thread of its own. A
    /// reload in which nothing is different is not delivered.
    ///
    /// Roots that are missing are waited for. A folder that cannot be watched is a diagnostic of the
    /// next reload.
    pub fn watch(&self, deliver: impl FnMut(Reloaded) + Send + 'static) -> Result<Watch, Error> {
        let (stop, wakes) = channel();
        let events = stop.clone();
        let watcher = notify::recommended_watcher(move |event| {
            // The thread is gone when nobody watches any more.
            let _ = events.send(Wake::Change(event));
        });
        let watcher = watcher.map_err(|error| Error::new(ErrorKind::Io, error))?;
        let current = Arc::new(Mutex::new(self.clone()));
        let mut following = Following {
            catalog: self.clone(),
            current: Arc::clone(&current),
            watched: Watched::new(watcher),
            told: None,
            deliver,
        };
        following.refresh();
        let thread = thread::Builder::new()
            .name("skills-watch".to_owned())
            .spawn(move || following.run(&wakes))
            .map_err(|error| Error::io("no thread to watch with", error))?;
        Ok(Watch {
            current,
            stop,
            thread: Some(thread),
        })
    }
}

impl Watch {
    /// The catalog as it was when changes last settled.
    pub fn catalog(&self) -> Catalog {
        let current = self.current.lock();
        current.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.stop.send(Wake::Stop);
        if let Some(thread) = self.thread.take()
            && thread.thread().id() != thread::current().id()
        {
            // Whether `deliver` panicked there is for that thread to say.
            let _ = thread.join();
        }
    }
}

struct Following<F> {
    catalog: Catalog,
    /// The same, where the host sees it.
    current: Arc<Mutex<Catalog>>,
    watched: Watched<RecommendedWatcher>,
    /// What was last told.
    told: Option<Vec<Diagnostic>>,
    deliver: F,
}

impl<F: FnMut(Reloaded)> Following<F> {
    fn run(mut self, wakes: &Receiver<Wake>) {
        while let Ok(Wake::Change(event)) = wakes.recv() {
            if !self.concerns(event) {
                continue;
            }
            let deadline = Instant::now() + PATIENCE;
            let mut quiet = Instant::now() + QUIET;
            loop {
                let until = quiet.min(deadline);
                match wakes.recv_timeout(until.saturating_duration_since(Instant::now())) {
                    Ok(Wake::Change(event)) => {
                        if self.concerns(event) {
                            quiet = Instant::now() + QUIET;
                        }
                    }
                    Ok(Wake::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                    Err(RecvTimeoutError::Timeout) => break,
                }
            }
            self.refresh();
        }
    }

    /// Whether an event may change the catalog. Notes the folders that it may have made others.
    fn concerns(&mut self, event: notify::Result<Event>) -> bool {
        let Ok(event) = event else {
            self.watched.forget_all();
            return true;
        };
        if event.need_rescan() {
            self.watched.forget_all();
            return true;
        }
        let moved = match event.kind {
            EventKind::Access(AccessKind::Close(AccessMode::Write))
            | EventKind::Modify(ModifyKind::Data(_)) => false,
            EventKind::Access(_) => return false,
            _ => true,
        };
        let paths = event.paths;
        if moved {
            for path in &paths {
                self.watched.forget(path);
            }
        }
        paths.is_empty() || paths.iter().any(|path| self.watched.concerns(path))
    }

    /// Reloads until every folder that was met is watched: what changes in one before it is watched
    /// is seen by the reload after.
    fn refresh(&mut self) {
        loop {
            let mut reloaded = self.catalog.reload();
            let (is_more, failed) = self.watched.follow(&reloaded.catalog);
            let failed = failed
                .iter()
                .map(|(path, why)| diagnostics::unwatched(path, why));
            reloaded.diagnostics.extend(failed);
            Diagnostic::sort(&mut reloaded.diagnostics);
            self.catalog = reloaded.catalog.clone();
            *self.current.lock().unwrap_or_else(PoisonError::into_inner) = self.catalog.clone();
            let is_first = self.told.is_none();
            if !reloaded.is_unchanged()
                || !is_first && self.told.as_ref() != Some(&reloaded.diagnostics)
            {
                self.told = Some(reloaded.diagnostics.clone());
                (self.deliver)(reloaded);
            } else if is_first {
                self.told = Some(reloaded.diagnostics);
            }
            if !is_more {
                return;
            }
        }
    }
}
