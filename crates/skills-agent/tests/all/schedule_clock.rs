//! A clock that jumps by a year, forward and back: no run is made for each skipped hour, no run is made twice, and
//! the next times are those of the present clock.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]

use jiff::Timestamp;
use skills_agent::schedule::{
    Daemon, DaemonEvent, DaemonWatcher, Due, Ended, Job, KEPT, MOST_COUNTED, Outcome, RunRecord,
    Runner, Schedule, ScheduleWords, Scheduler, TimeWords, Zone,
};
use skills_host::files::clock::Clock;
use skills_host::files::data::DataFolder;
use skills_session::options::Options;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

const ADDED: &str = "2026-05-04T09:00:30Z";
const YEAR_LATER: &str = "2027-05-04T09:10:00Z";
const YEAR_BEFORE: &str = "2025-05-04T09:10:00Z";

struct World {
    _folder: tempfile::TempDir,
    scheduler: Scheduler,
}

impl World {
    fn new() -> Self {
        let folder = crate::folder();
        let path = |name: &str| folder.path().join(name);
        let (skills, runs) = (path("scheduler"), path("runs"));
        let scheduler = Scheduler::new(skills, runs, DataFolder::new(path("")), Options::DEFAULT);
        Self {
            _folder: folder,
            scheduler,
        }
    }

    fn add(&self, short: &str, time: TimeWords<'_>) {
        self.add_in("UTC", short, time);
    }

    fn add_in(&self, zone: &str, short: &str, time: TimeWords<'_>) {
        let zone = Zone::named(zone).unwrap();
        let new = ScheduleWords {
            task: Some("Do it."),
            time: Some(time),
            zone: Some(&zone),
            limit: None,
            ..ScheduleWords::default()
        };
        self.scheduler.add(short, &new, at(ADDED)).unwrap();
    }

    fn due(&self, now: &str) -> Vec<Due> {
        let all = self.scheduler.file().whole().unwrap().0;
        all.values()
            .filter_map(|schedule| schedule.due(at(now)))
            .collect()
    }

    /// Handles the due times, like a daemon. Returns the records.
    fn turn(&self, now: &str) -> Vec<RunRecord> {
        self.scheduler.rewind(at(now)).unwrap();
        let all = self.due(now).into_iter();
        let records = all.map(|due| self.run(Some(&due), &due.name, now, now));
        let records = records.collect();
        assert_eq!(self.due(now), [], "nothing is due twice");
        records
    }

    fn run(&self, due: Option<&Due>, name: &str, start: &str, end: &str) -> RunRecord {
        let run = self.scheduler.begin(name, due, at(start)).unwrap();
        self.scheduler
            .finish(&run.unwrap(), &well(), at(end))
            .unwrap()
    }

    fn schedule(&self, short: &str) -> Schedule {
        let all = self.scheduler.list().unwrap().schedules.into_iter();
        let mut all = all.filter(|schedule| schedule.name.starts_with(short));
        all.next().unwrap()
    }
}

fn well() -> Ended {
    let mut ended = Ended::failed("it ended well");
    ended.outcome = Outcome::Ok;
    ended
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

#[test]
fn forward_by_a_year() {
    let world = World::new();
    world.add("hourly", TimeWords::Cron("0 * * * *"));
    world.add("once", TimeWords::At("2026-12-24T09:00"));
    let records = world.turn(YEAR_LATER);
    let found: Vec<_> = records
        .iter()
        .map(|record| {
            (
                &record.name[..4],
                record.ended.outcome,
                record.due.unwrap(),
                record.missed,
            )
        })
        .collect();
    let last = at("2027-05-04T09:00:00Z");
    assert_eq!(
        found,
        [
            ("hour", Outcome::Ok, last, MOST_COUNTED),
            ("once", Outcome::Ok, at("2026-12-24T09:00:00Z"), 0),
        ]
    );
    let next = world.schedule("hourly").next(at(YEAR_LATER));
    assert_eq!(next, Some(at("2027-05-04T10:00:00Z")));
    // Back to the present: handled times stay handled, and the hours count from there.
    assert_eq!(world.turn("2026-05-04T09:30:00Z"), []);
    assert_eq!(world.turn("2026-05-04T10:00:00Z").len(), 1);
}

#[test]
fn back_by_a_year() {
    let world = World::new();
    world.add("hourly", TimeWords::Cron("0 * * * *"));
    world.add("once", TimeWords::At("2026-12-24T09:00"));
    // Neither a run nor a record: the times count from now.
    assert_eq!(world.turn(YEAR_BEFORE), []);
    let hourly = world.schedule("hourly");
    assert_eq!(
        hourly.next(at(YEAR_BEFORE)),
        Some(at("2025-05-04T10:00:00Z"))
    );
    assert_eq!(world.turn("2025-05-04T10:00:00Z").len(), 1);
    // A schedule that runs once runs at its time.
    let once = world.schedule("once").next(at(YEAR_BEFORE));
    assert_eq!(once, Some(at("2026-12-24T09:00:00Z")));
}

#[test]
fn back_by_an_hour_makes_no_run_again() {
    let world = World::new();
    world.add("hourly", TimeWords::Cron("0 * * * *"));
    assert_eq!(world.turn("2026-05-04T10:00:00Z").len(), 1);
    for now in [
        "2026-05-04T09:00:00Z",
        "2026-05-04T09:59:59Z",
        "2026-05-04T10:00:30Z",
    ] {
        assert_eq!(world.turn(now), [], "{now}");
    }
    assert_eq!(world.turn("2026-05-04T11:00:00Z").len(), 1);
}

#[test]
fn back_in_a_run() {
    let world = World::new();
    world.add("hourly", TimeWords::Cron("0 * * * *"));
    let due = world.due("2026-05-04T10:00:00Z").remove(0);
    let name = due.name.clone();
    let record = world.run(Some(&due), &name, "2026-05-04T10:00:00Z", YEAR_BEFORE);
    assert_eq!(record.end, record.start);
    assert_eq!(world.schedule("hourly").running, None);
}

/// Records from the future do not push out the new records.
#[test]
fn the_latest_records_are_kept_when_the_clock_went_back() {
    let world = World::new();
    world.add("hourly", TimeWords::Cron("0 * * * *"));
    let name = world.schedule("hourly").name;
    for n in 0..KEPT {
        let now = format!("2027-05-04T10:00:{n:02}Z");
        world.run(None, &name, &now, &now);
    }
    for n in 0..3 {
        let now = format!("2026-05-04T10:00:{n:02}Z");
        world.run(None, &name, &now, &now);
    }
    let (_, records, _) = world.scheduler.log(&name).unwrap();
    assert_eq!(records.len(), KEPT);
    let new = records
        .iter()
        .filter(|record| record.start < at("2026-12-31T00:00:00Z"));
    assert_eq!(new.count(), 3);
}

/// A daemon whose clock the test controls: whenever no run is active, the clock jumps.
struct Jumps {
    now: Mutex<Timestamp>,
    later: RefCell<VecDeque<&'static str>>,
    running: Cell<usize>,
    seen: RefCell<Vec<String>>,
}

impl Clock for Jumps {
    fn now(&self) -> Timestamp {
        *self.now.lock().unwrap()
    }
}

/// A runner that is done at once.
struct Instantly;

impl Runner for Instantly {
    fn run(&self, _: &Job, _: &AtomicBool) -> Ended {
        well()
    }
}

impl DaemonWatcher for Jumps {
    fn event(&self, event: &DaemonEvent<'_>) {
        let seen = match event {
            DaemonEvent::Begins { due, missed, .. } => {
                self.running.set(self.running.get() + 1);
                format!("{due} after {missed}")
            }
            DaemonEvent::Ended(record) => {
                self.running.set(self.running.get() - 1);
                assert_eq!(record.ended.outcome, Outcome::Ok);
                return;
            }
            DaemonEvent::Failed { error, .. } => error.to_string(),
            _ => return,
        };
        self.seen.borrow_mut().push(seen);
    }

    fn is_asked_to_stop(&self) -> bool {
        if self.running.get() > 0 {
            return false;
        }
        let next = self.later.borrow_mut().pop_front();
        if let Some(next) = next {
            *self.now.lock().unwrap() = at(next);
        }
        next.is_none()
    }
}

/// The clock of a daemon jumps: forward, back, over both changes of daylight-saving time, and by centuries.
#[test]
fn a_daemon_whose_clock_jumps() {
    let world = World::new();
    world.add_in("Europe/Berlin", "early", TimeWords::Cron("30 2 * * *"));
    let later = [
        // 2:30 does not exist in this night, so the schedule runs at 3:00.
        "2027-03-28T00:59:59Z",
        "2027-03-28T01:00:10Z",
        // An hour back, like a clock that was set to local time.
        "2027-03-28T00:10:00Z",
        "2027-03-28T01:31:00Z",
        // Over the summer. 2:30 exists twice in this night.
        "2027-10-31T00:30:10Z",
        "2027-10-31T01:30:10Z",
        "2025-10-25T00:00:00Z",
        "2025-10-25T00:30:10Z",
        "4999-12-29T12:00:00Z",
        // The calendar of cron ends earlier: its last time runs, and the search does not go on without end.
        "9999-12-29T12:00:00Z",
        "1970-01-02T00:00:00Z",
        "1970-01-02T01:30:00Z",
    ];
    let jumps = Jumps {
        now: Mutex::new(at(ADDED)),
        later: RefCell::new(later.into()),
        running: Cell::new(0),
        seen: RefCell::default(),
    };
    let daemon = Daemon {
        scheduler: &world.scheduler,
        runner: Arc::new(Instantly),
        clock: &jumps,
        watcher: &jumps,
        grace: Daemon::GRACE,
    };
    daemon.run().unwrap();
    let seen = jumps.seen.into_inner();
    assert_eq!(
        seen,
        [
            "2027-03-27T01:30:00Z after 326",
            "2027-03-28T01:00:00Z after 0",
            "2027-10-31T00:30:00Z after 216",
            "2025-10-25T00:30:00Z after 0",
            "4999-12-29T01:30:00Z after 1000",
            "5000-12-31T01:30:00Z after 3",
            "1970-01-02T01:30:00Z after 0",
        ]
    );
    let (_, records, unread) = world.scheduler.log("early").unwrap();
    assert_eq!((records.len(), unread.len()), (7, 0));
    assert!(records.iter().all(|record| record.start <= record.end));
}

/// "One-shot tasks are removed and the skill dir is trashed after a successful fire", where the profile says so.
#[test]
fn a_schedule_that_ran_once_is_removed_or_ended() {
    for is_removed in [false, true] {
        let world = World::new();
        let mut scheduler = world.scheduler.clone();
        scheduler.removes_ended = is_removed;
        world.add("once", TimeWords::At("2026-05-04T10:00Z"));
        let due = world.due("2026-05-04T10:00:00Z").remove(0);
        let folder = scheduler.folder().join(&due.name);
        let name = due.name.clone();
        for ended in [Ended::failed("no"), well()] {
            let now = at("2026-05-04T10:00:00Z");
            let due = Some(&due).filter(|_| ended.outcome != Outcome::Ok);
            let run = scheduler.begin(&name, due, now).unwrap().unwrap();
            assert!(folder.exists(), "after a failure it stays");
            scheduler.finish(&run, &ended, now).unwrap();
        }
        assert_eq!(folder.exists(), !is_removed);
        let left = scheduler.list().unwrap().schedules;
        assert_eq!(
            left.iter().filter(|it| it.is_ended()).count(),
            usize::from(!is_removed)
        );
        assert_eq!(left.len(), usize::from(!is_removed));
        assert_eq!(scheduler.log(&name).unwrap().1.len(), 2);
    }
}
