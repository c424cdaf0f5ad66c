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
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Changes have settled when this time has passed without another change.
const QUIET: Duration = Duration::from_millis(100);
/// Changes that do not settle are read after this time.
const PATIENCE: Duration = Duration::from_secs(1);
/// A change that comes within this time after reading was made while the folders were read.
const PENDING: Duration = Duration::from_millis(25);
/// Changes without an end are delivered after this time, as they were last read.
const ENDURANCE: Duration = Duration::from_secs(5);

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
    /// a second. When a change comes while the folders are read, they are read again before anything is
    /// delivered, for at most five seconds: a skill that is half written is not told as removed. A reload
    /// without differences is not delivered.
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
        following.begin();
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
            if self.concerns(event) && self.follow(wakes).is_break() {
                return;
            }
        }
    }

    /// Reads the folders when they have settled, and delivers. When a change is pending before the
    /// delivery, the folders were read while they were written: they are read again.
    fn follow(&mut self, wakes: &Receiver<Wake>) -> ControlFlow<()> {
        let end = Instant::now() + ENDURANCE;
        loop {
            self.settle(wakes)?;
            let (reloaded, is_more) = self.reload();
            if self.is_news(&reloaded) && self.changes(wakes, PENDING)? && Instant::now() < end {
                continue;
            }
            self.accept(reloaded);
            if !is_more {
                return ControlFlow::Continue(());
            }
        }
    }

    /// Waits until no change has come for a while. Breaks when the watch is dropped.
    fn settle(&mut self, wakes: &Receiver<Wake>) -> ControlFlow<()> {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline && self.changes(wakes, QUIET)? {}
        ControlFlow::Continue(())
    }

    /// Whether a change comes within this time. Breaks when the watch is dropped.
    fn changes(&mut self, wakes: &Receiver<Wake>, within: Duration) -> ControlFlow<(), bool> {
        let until = Instant::now() + within;
        loop {
            match wakes.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Wake::Change(event)) => {
                    if self.concerns(event) {
                        return ControlFlow::Continue(true);
                    }
                }
                Ok(Wake::Stop) | Err(RecvTimeoutError::Disconnected) => {
                    return ControlFlow::Break(());
                }
                Err(RecvTimeoutError::Timeout) => return ControlFlow::Continue(false),
            }
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
    fn begin(&mut self) {
        loop {
            let (reloaded, is_more) = self.reload();
            self.accept(reloaded);
            if !is_more {
                return;
            }
        }
    }

    /// Reads the folders, and watches those that are new. Gives whether a folder was not watched before.
    fn reload(&mut self) -> (Reloaded, bool) {
        let mut reloaded = self.catalog.reload();
        let (is_more, failed) = self.watched.follow(&reloaded.catalog);
        let failed = failed
            .iter()
            .map(|(path, why)| diagnostics::unwatched(path, why));
        reloaded.diagnostics.extend(failed);
        Diagnostic::sort(&mut reloaded.diagnostics);
        (reloaded, is_more)
    }

    fn is_news(&self, reloaded: &Reloaded) -> bool {
        let told = self.delivered.as_ref();
        !reloaded.is_unchanged() || told.is_some_and(|told| *told != reloaded.diagnostics)
    }

    /// Takes the catalog over, and delivers what is new.
    fn accept(&mut self, reloaded: Reloaded) {
        self.catalog = reloaded.catalog.clone();
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = self.catalog.clone();
        let is_news = self.is_news(&reloaded);
        self.delivered = Some(reloaded.diagnostics.clone());
        if is_news {
            (self.deliver)(reloaded);
        }
    }
}
