//! Runs a thread that reads the folders of a catalog when they change.

#![expect(clippy::disallowed_methods, reason = "waits until changes settle")]

pub(crate) mod change;
pub(crate) mod folders;

use crate::catalog::watch::change::Change;
use crate::catalog::watch::folders::{Reach, Watched};
use crate::catalog::{Catalog, diagnostics};
use crate::error::{Error, ErrorKind};
use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{Event, EventKind, RecommendedWatcher};
use skills_format::Diagnostic;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The time without another change after which changes have settled.
const QUIET: Duration = Duration::from_millis(100);
/// The time after which changes that do not settle are read.
const PATIENCE: Duration = Duration::from_secs(1);
/// The time after a read in which a change counts as made during the read.
const PENDING: Duration = Duration::from_millis(25);
/// The time after which endless changes are delivered, in their last read version.
const ENDURANCE: Duration = Duration::from_secs(5);

/// A watch on the folders of a catalog. Dropping it ends the watch.
#[derive(Debug)]
pub struct Watch {
    stop: Sender<Wake>,
    thread: Option<JoinHandle<()>>,
}

/// The reason why the thread wakes up.
#[derive(Debug)]
enum Wake {
    Change(notify::Result<Event>),
    Stop,
}

impl Catalog {
    /// Watches the folders of this catalog on a thread of its own, and passes each change to `deliver`
    /// on that thread. The host applies the change to its current catalog with [`Catalog::apply`], so
    /// the state, the facts and the trust that the host has set since are kept.
    ///
    /// The folders are read when 100 ms have passed without another change, at most one second after the
    /// first. If a change comes while the folders are read, they are read again before a delivery, for
    /// at most five seconds: a half-written skill is not reported as removed. A change between the load
    /// and this call is delivered on the calling thread, before this function returns.
    ///
    /// A change is delivered if a skill was added, changed or removed, or if the diagnostics differ. A
    /// change of any file of an untrusted source is delivered too, because it can end the trust of a
    /// skill.
    ///
    /// A missing root is noticed when it appears. A folder that cannot be watched is a diagnostic of the
    /// next change.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`]: the operating system has no watcher, or cannot start a thread.
    ///
    /// ```no_run
    /// # fn host(catalog: skills_runtime::Catalog) -> Result<(), skills_runtime::Error> {
    /// # use skills_runtime::catalog::State;
    /// let (send, changes) = std::sync::mpsc::channel();
    /// let _watch = catalog.watch(move |change| _ = send.send(change))?;
    ///
    /// let mut catalog = catalog.with_state(["deploy"].into_iter().collect::<State>());
    /// for change in changes {
    ///     let reloaded = catalog.apply(&change);
    ///     println!("new: {}", reloaded.added.join(", "));
    ///     catalog = reloaded.catalog; // deploy is still disabled
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn watch(&self, deliver: impl FnMut(Change) + Send + 'static) -> Result<Watch, Error> {
        self.watching(Reach::Skills, deliver)
    }

    /// Watches the folders like [`Catalog::watch`], and also delivers a change of any other file of a skill. Such a
    /// change can leave the catalog as it is: a server reports it to clients that have read the files.
    ///
    /// # Errors
    ///
    /// The errors of [`Catalog::watch`].
    pub fn watch_files(
        &self,
        deliver: impl FnMut(Change) + Send + 'static,
    ) -> Result<Watch, Error> {
        self.watching(Reach::Files, deliver)
    }

    fn watching(
        &self,
        reach: Reach,
        deliver: impl FnMut(Change) + Send + 'static,
    ) -> Result<Watch, Error> {
        let (stop, wakes) = channel();
        let events = stop.clone();
        let watcher = notify::recommended_watcher(move |event| {
            // Sending fails if the watch was dropped and its thread has ended.
            let _ = events.send(Wake::Change(event));
        });
        let watcher = watcher.map_err(|error| Error::new(ErrorKind::Io, error.to_string()))?;
        let mut following = Following {
            origin: self.clone(),
            first: None,
            catalog: self.clone(),
            watched: Watched::new(watcher, reach),
            is_touched: false,
            delivered: None,
            deliver,
        };
        following.begin();
        let thread = thread::Builder::new()
            .name("skills-watch".to_owned())
            .spawn(move || following.run(&wakes))
            .map_err(|error| Error::io("a thread to watch the folders cannot be started", error))?;
        Ok(Watch {
            stop,
            thread: Some(thread),
        })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.stop.send(Wake::Stop);
        if let Some(thread) = self.thread.take()
            // `deliver` itself can drop the watch: the thread would wait for its own end forever.
            && thread.thread().id() != thread::current().id()
        {
            // The thread has already reported a panic of `deliver`.
            let _ = thread.join();
        }
    }
}

/// The state of the thread.
struct Following<F> {
    /// The catalog on which the watch was called.
    origin: Catalog,
    /// The catalog of the first reading.
    first: Option<Catalog>,
    /// The catalog of the last reading.
    catalog: Catalog,
    watched: Watched<RecommendedWatcher>,
    /// `true` if a file that is delivered by itself can have changed since the last delivery: a file of an untrusted
    /// source, whose skill the host can have trusted since, or any file.
    is_touched: bool,
    /// The diagnostics of the last delivery.
    delivered: Option<Vec<Diagnostic>>,
    deliver: F,
}

impl<F: FnMut(Change)> Following<F> {
    fn run(mut self, wakes: &Receiver<Wake>) {
        while let Ok(Wake::Change(event)) = wakes.recv() {
            if self.concerns(event) && self.follow(wakes).is_break() {
                return;
            }
        }
    }

    /// Reads the folders when they have settled, and delivers. A change that is pending before the
    /// delivery was made during the read, so the folders are read again.
    fn follow(&mut self, wakes: &Receiver<Wake>) -> ControlFlow<()> {
        let end = Instant::now() + ENDURANCE;
        loop {
            self.settle(wakes)?;
            let (reading, is_more) = self.reload();
            if self.is_news(&reading) && self.changes(wakes, PENDING)? && Instant::now() < end {
                continue;
            }
            self.accept(reading);
            if !is_more {
                return ControlFlow::Continue(());
            }
        }
    }

    /// Waits until changes have settled. Breaks if the watch is dropped.
    fn settle(&mut self, wakes: &Receiver<Wake>) -> ControlFlow<()> {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline && self.changes(wakes, QUIET)? {}
        ControlFlow::Continue(())
    }

    /// Returns whether a change comes within this time. Breaks if the watch is dropped.
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

    /// Returns whether an event can change the catalog. Stops watching the folders that the event can
    /// have replaced.
    fn concerns(&mut self, event: notify::Result<Event>) -> bool {
        let event = event.ok().filter(|event| !event.need_rescan());
        let Some(event) = event else {
            // Events were lost, so any folder can have been replaced.
            self.watched.forget_all();
            self.is_touched = true;
            return true;
        };
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
        self.is_touched |= paths.iter().any(|path| self.watched.is_within_reach(path));
        paths.is_empty() || paths.iter().any(|path| self.watched.concerns(path))
    }

    /// Reloads until every folder that was read is watched. The next reload finds a change that was made
    /// before a folder was watched.
    fn begin(&mut self) {
        loop {
            let (reading, is_more) = self.reload();
            self.accept(reading);
            if !is_more {
                return;
            }
        }
    }

    /// Reads the folders, and watches the new ones. Returns whether a folder was added to the watch.
    fn reload(&mut self) -> (Reading, bool) {
        let reloaded = self.catalog.reload();
        let (is_more, failed) = self.watched.follow(&reloaded.catalog);
        let unwatched: Vec<Diagnostic> = failed
            .iter()
            .map(|(path, why)| diagnostics::unwatched(path, why))
            .collect();
        let is_unchanged = reloaded.is_unchanged();
        let mut diagnostics = reloaded.diagnostics;
        diagnostics.extend_from_slice(&unwatched);
        Diagnostic::sort(&mut diagnostics);
        let first = self.first.get_or_insert_with(|| reloaded.catalog.clone());
        let change = Change {
            origin: self.origin.clone(),
            first: first.clone(),
            read: reloaded.catalog,
            diagnostics,
            unwatched,
        };
        (
            Reading {
                change,
                is_unchanged,
            },
            is_more,
        )
    }

    fn is_news(&self, reading: &Reading) -> bool {
        let told = self.delivered.as_ref();
        !reading.is_unchanged
            || self.is_touched
            || told.is_some_and(|told| *told != reading.change.diagnostics)
    }

    /// Stores the reading, and delivers it if it differs from the last delivery.
    fn accept(&mut self, reading: Reading) {
        self.catalog = reading.change.read.clone();
        let is_news = self.is_news(&reading);
        self.is_touched = false;
        self.delivered = Some(reading.change.diagnostics.clone());
        if is_news {
            (self.deliver)(reading.change);
        }
    }
}

/// The result of reading the folders.
struct Reading {
    change: Change,
    /// `true` if no skill was added, changed or removed since the last reading.
    is_unchanged: bool,
}
