//! The daemon, which runs schedules when they are due.

use crate::schedule::carry::Trigger;
use crate::schedule::daemon_event::{DaemonEvent, DaemonWatcher};
use crate::schedule::due_time::{Due, DueAction};
use crate::schedule::entry::Schedule;
use crate::schedule::names::ScheduleName;
use crate::schedule::run::Run;
use crate::schedule::runner::{Ended, Runner, Stop, StopLevel};
use crate::schedule::scheduler::Scheduler;
use crate::schedule::store::{KnownSchedules, Schedules};
use jiff::Timestamp;
use skills_format::prose;
use skills_store::files::clock::Clock;
use skills_store::files::guard::Guard;
use skills_store::{Error, ErrorKind};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Builder, Scope};
use std::time::{Duration, Instant};

/// Maximum sleep. A jump of the clock, a change of the schedules, and a request to stop are noticed after at most
/// this time.
const TICK: Duration = Duration::from_millis(500);

/// A daemon for the schedules of one folder.
#[derive(Clone, Copy)]
pub struct Daemon<'d> {
    /// The schedules.
    pub scheduler: &'d Scheduler,
    /// The runner, which carries out each run.
    pub runner: &'d dyn Runner,
    /// The clock.
    pub clock: &'d dyn Clock,
    /// The watcher, which gets the events and can stop the daemon.
    pub watcher: &'d dyn DaemonWatcher,
    /// Time that runs may continue after a request to end; [`Daemon::GRACE`] is the usual value.
    pub grace: Duration,
}

/// A run that ended and is not recorded yet.
type Finished = (Run, Ended);

/// The state of a running daemon.
struct State<'s, 'e> {
    daemon: Daemon<'e>,
    stop: &'s Stop,
    sender: Sender<Finished>,
    schedules: KnownSchedules,
    /// The schedules whose runs this daemon carries out.
    active: BTreeSet<ScheduleName>,
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
        let stop = Stop::default();
        let (sender, receiver) = channel();
        thread::scope(|scope| {
            let mut state = State {
                daemon: *self,
                stop: &stop,
                sender,
                schedules: KnownSchedules::new(),
                active: BTreeSet::new(),
                unrecorded: Vec::new(),
                errors: BTreeMap::new(),
            };
            state.watch(scope, &receiver);
        });
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
            let message = prose!(
                "{holder} is the daemon of {} already",
                self.scheduler.folder()
            );
            return Err(Error::new(ErrorKind::Refused, message)
                .help("one daemon runs all schedules of a folder"));
        }
    }
}

impl<'s, 'e: 's> State<'s, 'e> {
    fn watch<'scope>(&mut self, scope: &'scope Scope<'scope, '_>, receiver: &Receiver<Finished>)
    where
        's: 'scope,
        'e: 'scope,
    {
        if let Some(schedules) = self.schedules() {
            self.event(&DaemonEvent::Ready {
                schedules: schedules.len(),
            });
        }
        let mut stopped: Option<Deadline> = None;
        loop {
            if self.daemon.watcher.is_asked_to_stop() {
                stopped = Some(self.stop_is_asked(stopped));
            }
            let mut pause = TICK;
            if let Some(deadline) = &stopped {
                if self.active.is_empty() {
                    return;
                }
                if deadline.is_over() {
                    self.stop.raise(StopLevel::Now);
                }
            } else {
                pause = pause.min(self.begin_due(scope));
            }
            if let Ok(finished) = receiver.recv_timeout(pause) {
                let end = self.daemon.clock.now();
                self.unrecorded.push((finished, end));
            }
            self.record();
        }
    }

    fn stop_is_asked(&self, before: Option<Deadline>) -> Deadline {
        // The second request: runs do not get the rest of their grace period.
        if let Some(deadline) = before {
            self.stop.raise(StopLevel::Now);
            return deadline;
        }
        self.stop.raise(StopLevel::NoNew);
        let running = self.active.len();
        self.event(&DaemonEvent::Stops { running });
        Deadline::after(self.daemon.grace)
    }

    /// Begins what is due, and returns the time until the next run.
    fn begin_due<'scope>(&mut self, scope: &'scope Scope<'scope, '_>) -> Duration
    where
        's: 'scope,
        'e: 'scope,
    {
        let Some(schedules) = self.schedules() else {
            return TICK;
        };
        let now = self.daemon.clock.now();
        let is_left = |(name, schedule): (&ScheduleName, &Schedule)| {
            schedule.running.is_some() && !self.active.contains(name)
        };
        // A run of another process looks the same here. `recover` passes over it, since that process holds its lock.
        if schedules.iter().any(is_left) {
            let recovered = self.daemon.scheduler.recover(now);
            for record in self.noted(None, recovered).unwrap_or_default() {
                self.event(&DaemonEvent::Ended(&record));
            }
        }
        // The schedules from before the recovery are good enough: `begin` and `pass` check again under the lock of the
        // file.
        let all = schedules.values();
        for due in all.clone().filter_map(|schedule| schedule.due(now)) {
            if !self.active.contains(&due.name) {
                self.deal_with(scope, &due, now);
            }
        }
        let next = all.filter_map(|schedule| schedule.next(now)).min();
        // A next time that is not in the future is checked again after a tick.
        let until = next.and_then(|next| Duration::try_from(next.duration_since(now)).ok());
        until.unwrap_or(TICK)
    }

    fn deal_with<'scope>(&mut self, scope: &'scope Scope<'scope, '_>, due: &Due, now: Timestamp)
    where
        's: 'scope,
        'e: 'scope,
    {
        let scheduler = self.daemon.scheduler;
        let name = &due.name;
        match due.action {
            DueAction::Run => {
                let begun = scheduler.begin(name, &Trigger::Due(due.clone()), now);
                if let Some(Some(run)) = self.noted(Some(name), begun) {
                    self.event(&DaemonEvent::Begins {
                        name,
                        due: due.at,
                        missed: due.missed,
                    });
                    self.start(scope, run);
                }
            }
            DueAction::Miss | DueAction::Rewind => {
                let passed = scheduler.pass(due, now);
                match self.noted(Some(name), passed) {
                    Some(Some(record)) => self.event(&DaemonEvent::Ended(&record)),
                    Some(None) if due.action == DueAction::Rewind => {
                        self.event(&DaemonEvent::ClockWentBack { name });
                    }
                    _ => {}
                }
            }
        }
    }

    fn start<'scope>(&mut self, scope: &'scope Scope<'scope, '_>, run: Run)
    where
        's: 'scope,
        'e: 'scope,
    {
        self.active.insert(run.name().clone());
        let (runner, stop, sender) = (self.daemon.runner, self.stop, self.sender.clone());
        // The run is handed over afterwards: without a thread it is still here, and its end is recorded.
        let (hand, handed) = channel::<Run>();
        // `Scope::spawn` would panic at the user's limit of processes, and the panic would end every other run.
        let spawned = Builder::new().spawn_scoped(scope, move || {
            let Ok(run) = handed.recv() else {
                return;
            };
            let ended = match run.job() {
                Ok(job) => runner.run(job, stop),
                Err(error) => Ended::failed(error),
            };
            // The receiver outlives this thread.
            let _ = sender.send((run, ended));
        });
        let failed = match spawned {
            Ok(_) => hand
                .send(run)
                .err()
                .map(|unsent| (unsent.0, "its thread ended".to_owned())),
            Err(error) => Some((run, format!("no thread can be started: {error}"))),
        };
        if let Some((run, why)) = failed {
            let end = self.daemon.clock.now();
            self.unrecorded.push(((run, Ended::failed(why)), end));
        }
    }

    /// Records the runs that ended. A run that cannot be recorded is tried again at the next tick.
    fn record(&mut self) {
        for ((run, ended), end) in std::mem::take(&mut self.unrecorded) {
            let finished = self.daemon.scheduler.finish(&run, &ended, end);
            let name = run.name().clone();
            match self.noted(Some(&name), finished) {
                Some(record) => {
                    self.active.remove(&name);
                    self.event(&DaemonEvent::Ended(&record));
                }
                // The schedule stays active, so that its run is not recovered as the run of a killed process.
                None => self.unrecorded.push(((run, ended), end)),
            }
        }
    }

    fn schedules(&mut self) -> Option<Rc<Schedules>> {
        let file = self.daemon.scheduler.file();
        let whole = self.schedules.read(file, moment());
        self.noted(None, whole)
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
    reason = "how long runs may go on, and how long a file looks the same, count on a clock that nobody sets"
)]
fn moment() -> Instant {
    Instant::now()
}

/// A moment on a clock that nobody sets.
#[derive(Clone, Copy)]
struct Deadline {
    start: Instant,
    length: Duration,
}

impl Deadline {
    fn after(length: Duration) -> Self {
        let start = moment();
        Self { start, length }
    }

    fn is_over(&self) -> bool {
        self.start.elapsed() >= self.length
    }
}
