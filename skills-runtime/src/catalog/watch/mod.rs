//! A thread that reloads the catalog when its folders change.

#![expect(clippy::disallowed_methods, reason = "waits until changes settle")]

pub(crate) mod folders;

use crate::catalog::reload::Reloaded;
use crate::catalog::watch::folders::Watched;
use crate::catalog::{Catalog, diagnostics};
use crate::error::{Error, ErrorKind};
use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{Event, EventKind, RecommendedWatcher};
use skills_format::Diagnostic;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Changes have settled when this time has passed without another change.
const QUIET: Duration = Duration::from_millis(100);
/// Changes that do not settle are read after this time.
const PATIENCE: Duration = Duration::from_secs(1);

/// A catalog that follows its folders until it is dropped.
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
    /// Reloads this catalog when its folders change, on a thread of its own, and hands each new catalog
    /// to `deliver`. A reload waits until 100 ms have passed without another change, but not longer than
    /// a second. A reload without differences is not delivered.
    ///
    /// A root that is missing now is watched for. A folder that cannot be watched is a diagnostic of the
    /// next reload.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`]: the system has no watcher, or no thread, for it.
    pub fn watch(&self, deliver: impl FnMut(Reloaded) + Send + 'static) -> Result<Watch, Error> {
        let (stop, wakes) = channel();
        let events = stop.clone();
        let watcher = notify::recommended_watcher(move |event| {
            // This fails when the watch was dropped, and its thread has ended.
            let _ = events.send(Wake::Change(event));
        });
        let watcher = watcher.map_err(|error| Error::new(ErrorKind::Io, error))?;
        let current = Arc::new(Mutex::new(self.clone()));
        let mut following = Following {
            catalog: self.clone(),
            current: Arc::clone(&current),
            watched: Watched::new(watcher),
            delivered: None,
            deliver,
        };
        following.refresh();
        let thread = thread::Builder::new()
            .name("skills-watch".to_owned())
            .spawn(move || following.run(&wakes))
            .map_err(|error| Error::io("a thread to watch the folders cannot be started", error))?;
        Ok(Watch {
            current,
            stop,
            thread: Some(thread),
        })
    }
}

impl Watch {
    /// The catalog of the last reload.
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
            // A panic of `deliver` was reported by that thread.
            let _ = thread.join();
        }
    }
}

/// The state of the thread.
struct Following<F> {
    catalog: Catalog,
    /// The same, shared with the host.
    current: Arc<Mutex<Catalog>>,
    watched: Watched<RecommendedWatcher>,
    /// The diagnostics of the last delivery.
    delivered: Option<Vec<Diagnostic>>,
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

    /// Whether an event can change the catalog. Stops watching folders that it can have replaced.
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

    /// Reloads until every folder that was read is watched. A change before a folder is watched is found
    /// by the next reload.
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
            let is_first = self.delivered.is_none();
            if !reloaded.is_unchanged()
                || !is_first && self.delivered.as_ref() != Some(&reloaded.diagnostics)
            {
                self.delivered = Some(reloaded.diagnostics.clone());
                (self.deliver)(reloaded);
            } else if is_first {
                self.delivered = Some(reloaded.diagnostics);
            }
            if !is_more {
                return;
            }
        }
    }
}
