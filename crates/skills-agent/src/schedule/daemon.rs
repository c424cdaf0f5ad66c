//! The daemon, which runs schedules when they are due.

use crate::schedule::due::Due;
use crate::schedule::record::{Ended, RunRecord};
use crate::schedule::run::{Run, Runner};
use crate::schedule::scheduler::Scheduler;
use jiff::Timestamp;
use skills_format::prose;
use skills_host::files::clock::Clock;
use skills_host::files::guard::Guard;
use skills_store::{Error, ErrorKind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

/// Maximum sleep. A jump of the clock, a change of the schedules, and a request to stop are noticed after at most
/// this time.
const TICK: Duration = Duration::from_millis(500);

/// A daemon for the schedules of one folder.
pub struct Daemon<'d> {
    /// The schedules.
    pub scheduler: &'d Scheduler,
    /// The runner, which carries out each run.
    pub runner: Arc<dyn Runner>,
    /// The clock.
    pub clock: &'d dyn Clock,
    /// The watcher, which gets the events and can stop the daemon.
    pub watcher: &'d dyn DaemonWatcher,
    /// Time that runs may continue after a request to end; [`Daemon::GRACE`] is the usual value.
    pub grace: Duration,
}

/// A watcher of a daemon.
pub trait DaemonWatcher {
    /// Receives an event.
    fn event(&self, event: &DaemonEvent<'_>);

    /// Returns whether the daemon was asked to end since the last call. After the first request no new run begins,
    /// and the present runs may continue for the daemon's grace period. After the second request they are ended.
    fn is_asked_to_stop(&self) -> bool;
}

/// An event of a daemon.
#[derive(Clone, Copy, Debug)]
pub enum DaemonEvent<'e> {
    /// The daemon waits for due times.
    Ready {
        /// The number of schedules.
        schedules: usize,
    },
    /// A run begins.
    Begins {
        /// The name of the schedule.
        name: &'e str,
        /// The due time.
        due: Timestamp,
        /// The number of earlier times without a run.
        missed: u32,
    },
    /// A run ended, or an interrupted run was found.
    Ended(&'e RunRecord),
    /// An operation failed, and will be tried again. The same error is not repeated.
    Failed {
        /// The name of the schedule; `None` for all schedules.
        name: Option<&'e str>,
        /// The error.
        error: &'e Error,
    },
    /// The daemon was asked to end.
    Stops {
        /// The number of runs that continue.
        running: usize,
    },
}

/// A run that ended and is not recorded yet.
type Finished = (Arc<Run>, Ended);

struct State<'d> {
    daemon: &'d Daemon<'d>,
    /// True when the runs must end.
    stop: Arc<AtomicBool>,
    sender: Sender<Finished>,
    receiver: Receiver<Finished>,
    /// The schedules whose runs this daemon carries out.
    active: BTreeSet<String>,
    /// Runs whose end could not be recorded yet, with the time of the end.
    unrecorded: Vec<(Finished, Timestamp)>,
    /// The last reported error of each schedule.
    errors: BTreeMap<Option<String>, String>,
}

impl Daemon<'_> {
    /// The usual grace period: 30 seconds.
    pub const GRACE: Duration = Duration::from_secs(30);

    /// Runs what is due until the watcher asks the daemon to end. Blocks.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]: another daemon holds the lock of the folder. [`ErrorKind::Io`]: the lock cannot be
    /// taken.
    pub fn run(&self) -> Result<(), Error> {
        let _guard = self.lock()?;
        let (sender, receiver) = channel();
        let mut state = State {
            daemon: self,
            stop: Arc::default(),
            sender,
            receiver,
            active: BTreeSet::new(),
            unrecorded: Vec::new(),
            errors: BTreeMap::new(),
        };
        state.watch();
        Ok(())
    }

    fn lock(&self) -> Result<Guard, Error> {
        let mut tries = 0..3;
        loop {
            let holder = match Guard::try_or_holder(&self.scheduler.daemon_lock())? {
                Ok(guard) => return Ok(guard),
                Err(holder) => holder,
            };
            // A listing holds the lock for a moment, to see whether a daemon runs.
            if tries.next().is_some() {
                thread::sleep(TICK / 5);
                continue;
            }
            let folder = self.scheduler.folder();
            let message = prose!("{holder} is the daemon of {} already", folder);
            return Err(Error::new(ErrorKind::Refused, message)
                .help("one daemon runs all schedules of a folder"));
        }
    }
}

impl State<'_> {
    fn watch(&mut self) {
        let schedules = self.daemon.scheduler.file().whole();
        if let Some(schedules) = self.noted(None, schedules) {
            self.event(&DaemonEvent::Ready {
                schedules: schedules.0.len(),
            });
        }
        self.recover();
        let mut stopped: Option<Instant> = None;
        loop {
            if self.daemon.watcher.is_asked_to_stop() {
                if stopped.is_some() {
                    // The second request: runs do not get the rest of their grace period.
                    self.stop.store(true, Ordering::Relaxed);
                } else {
                    let running = self.active.len();
                    self.event(&DaemonEvent::Stops { running });
                    stopped = Some(moment());
                }
            }
            let pause = match stopped {
                None => self.begin_due(),
                Some(_) if self.active.is_empty() => return,
                Some(since) => {
                    if since.elapsed() >= self.daemon.grace {
                        self.stop.store(true, Ordering::Relaxed);
                    }
                    TICK
                }
            };
            if let Ok(finished) = self.receiver.recv_timeout(pause) {
                let end = self.daemon.clock.now();
                self.unrecorded.push((finished, end));
            }
            self.record();
        }
    }

    /// Begins what is due, and returns the time until the next run, at most [`TICK`].
    fn begin_due(&mut self) -> Duration {
        let (scheduler, now) = (self.daemon.scheduler, self.daemon.clock.now());
        let Some(all) = self.noted(None, scheduler.rewind(now)) else {
            return TICK;
        };
        // A run of another process looks the same here. `recover` passes over it, since that process holds its lock.
        if all
            .0
            .iter()
            .any(|(name, schedule)| schedule.running.is_some() && !self.active.contains(name))
        {
            self.recover();
        }
        // The schedules from before the recovery are good enough: `begin` checks again under the lock of the file.
        for due in all.0.values().filter_map(|schedule| schedule.due(now)) {
            if !self.active.contains(&due.name) {
                self.deal_with(&due, now);
            }
        }
        // A next time that is not in the future is checked again after a tick.
        all.0
            .values()
            .filter_map(|schedule| schedule.next(now))
            .min()
            .and_then(|next| Duration::try_from(next.duration_since(now)).ok())
            .unwrap_or(TICK)
            .min(TICK)
    }

    fn recover(&mut self) {
        let recovered = self.daemon.scheduler.recover(self.daemon.clock.now());
        for record in self.noted(None, recovered).unwrap_or_default() {
            self.event(&DaemonEvent::Ended(&record));
        }
    }

    fn deal_with(&mut self, due: &Due, now: Timestamp) {
        let (scheduler, name) = (self.daemon.scheduler, &due.name);
        let begun = scheduler.begin(name, Some(due), now);
        if let Some(Some(run)) = self.noted(Some(name), begun) {
            self.event(&DaemonEvent::Begins {
                name,
                due: due.at,
                missed: due.missed,
            });
            self.start(run);
        }
    }

    fn start(&mut self, run: Run) {
        self.active.insert(run.name.clone());
        let (runner, stop) = (Arc::clone(&self.daemon.runner), Arc::clone(&self.stop));
        let (run, sender) = (Arc::new(run), self.sender.clone());
        let handed = Arc::clone(&run);
        // `thread::spawn` would panic at the user's limit of processes, and the panic would end the daemon.
        let spawned = Builder::new().spawn(move || {
            let ended = handed.carry_out(&*runner, &stop);
            let _ = sender.send((handed, ended));
        });
        if let Err(error) = spawned {
            let ended = Ended::failed(format!("no thread can be started: {error}"));
            let end = self.daemon.clock.now();
            self.unrecorded.push(((run, ended), end));
        }
    }

    /// Records the runs that ended. A run that cannot be recorded is tried again at the next tick.
    fn record(&mut self) {
        for ((run, ended), end) in std::mem::take(&mut self.unrecorded) {
            let finished = self.daemon.scheduler.finish(&run, &ended, end);
            if let Some(record) = self.noted(Some(&run.name), finished) {
                self.active.remove(&run.name);
                self.event(&DaemonEvent::Ended(&record));
            } else {
                // The schedule stays active, so that its run is not recovered as the run of a killed process.
                self.unrecorded.push(((run, ended), end));
            }
        }
    }

    /// Reports an error once, until it changes or disappears.
    fn noted<T>(&mut self, name: Option<&str>, result: Result<T, Error>) -> Option<T> {
        let key = name.map(str::to_owned);
        match result {
            Ok(value) => {
                self.errors.remove(&key);
                Some(value)
            }
            Err(error) => {
                let text = format!("{error:#}");
                if self.errors.insert(key, text.clone()) != Some(text) {
                    self.event(&DaemonEvent::Failed {
                        name,
                        error: &error,
                    });
                }
                None
            }
        }
    }

    fn event(&self, event: &DaemonEvent<'_>) {
        self.daemon.watcher.event(event);
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "how long runs may go on counts on a clock that nobody sets"
)]
fn moment() -> Instant {
    Instant::now()
}
