//! Kills and fails every change of the schedules, and every run, at every system call that writes. Afterwards
//! `schedules.json` is the old or the new file, and each schedule has its skill. The next run is clean. Each due time has one record, and its skill
//! ran at most once.
//!
//! `strace` injects the kills and the errors. Without `strace` the test prints so and does nothing.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]
#![expect(clippy::print_stdout, reason = "a test's runner says what it counted")]

use super::full::{Disk, Short};
use super::layer::{self, Layer};
use super::traced::{self, Counts, FAULTS, KILL, Traced, copy};
use jiff::{SignedDuration, Timestamp};
use libtest_mimic::Trial;
use skills_agent::schedule::{
    Daemon, DaemonEvent, DaemonWatcher, Due, Ended, Job, KEPT, Outcome, Run, RunRecord, Runner,
    ScheduleWords, Scheduler, TimeWords, Zone,
};
use skills_host::Error;
use skills_host::files::data::DataFolder;
use skills_host::files::trash::Trash;
use skills_session::options::Options;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The present time. The schedules of a world were made a minute earlier.
const NOW: &str = "2026-05-04T09:00:30Z";
const DUE: &str = "2026-05-04T09:00:00Z";

const OPERATIONS: &[&str] = &[
    "add", "set", "remove", "by-hand", "once", "fails", "every", "recover", "daemon",
];

const TRACED: Traced = Traced("schedule");

/// Carries out the operation for which a test started this process. Returns whether there was an operation.
pub(crate) fn carried_out() -> bool {
    let operate = |operation: &str, folder: &Path| {
        let folder = folder.to_owned();
        let world = World { folder };
        match operation.strip_prefix("check ") {
            Some(operation) => {
                world.check_filled(operation);
                Ok(())
            }
            None => world.operate(operation),
        }
    };
    TRACED.carried_out(operate)
}

pub(crate) fn trials() -> impl Iterator<Item = Trial> {
    let tests: [(_, fn()); 2] = [
        ("schedule::every_point", every_point),
        ("schedule::full_disk", full_disk),
    ];
    tests
        .into_iter()
        .map(|(name, test)| super::trial(name, test))
}

/// The file is the old or the new one, what follows is clean, and no run is lost or repeated.
fn every_point() {
    let cases: Vec<Case> = OPERATIONS.iter().flat_map(|of| cases(of)).collect();
    let points = cases.iter().flat_map(Case::points).collect();
    let points = traced::try_all(points, &Point::attempt);
    println!("schedule: {} points", points.len());
}

/// The names of the copies of `schedules.json` before and after an operation.
const KNOWN: [&str; 2] = ["before.json", "after.json"];

/// On a full disk the file is the old or the new one, and what follows is clean.
fn full_disk() {
    for operation in OPERATIONS {
        // A daemon on a full disk waits for room, and does not end.
        if *operation == "daemon" {
            continue;
        }
        let folder = traced::folder().unwrap();
        let [template, place, notes] =
            ["template", "world", "notes"].map(|name| folder.path().join(name));
        for folder in [&place, &notes] {
            fs::create_dir(folder).unwrap();
        }
        let world = World::new(&place);
        copy(&place, &template);
        fs::write(notes.join(KNOWN[0]), world.store()).unwrap();
        world.operate(operation).unwrap();
        fs::write(notes.join(KNOWN[1]), world.store()).unwrap();
        let disk = Disk {
            template: &template,
            place: &place,
            notes: &notes,
        };
        let check = format!("check {operation}");
        // A run creates a file of its own, which must not fail.
        let runs = !matches!(*operation, "add" | "set" | "remove" | "recover");
        let files = (!runs).then_some(Short::Files);
        for short in [Some(Short::Blocks), files].into_iter().flatten() {
            let points = disk.fill(&TRACED, operation, &check, short, traced::step(16));
            println!("{operation}, full disk, {short:?}: {points}");
        }
    }
}

/// An operation, and the fault at a call.
struct Case {
    operation: &'static str,
    fault: &'static str,
    /// The number of calls of each kind.
    counts: Counts,
    /// `schedules.json` before and after.
    known: [String; 2],
}

/// One call of a case.
struct Point<'c> {
    case: &'c Case,
    call: &'c str,
    n: usize,
}

/// Returns every case of an operation.
fn cases(operation: &'static str) -> Vec<Case> {
    let folder = traced::folder().unwrap();
    let whole = World::new(folder.path());
    let before = whole.store();
    let _layer = layer::is_asked().then(|| Layer::below(folder.path()));
    let counts = TRACED.counts(operation, folder.path(), &[]).unwrap();
    let known = [before, whole.store()];
    let case = |fault: &&'static str| Case {
        operation,
        fault,
        counts: counts.clone(),
        known: known.clone(),
    };
    FAULTS.iter().map(case).collect()
}

impl Case {
    fn points(&self) -> impl Iterator<Item = Point<'_>> {
        // The daemon tries again after its pause, so fewer points are tried.
        let is_slow = self.operation == "daemon" && self.fault != KILL;
        let step = traced::step(if is_slow { 54 } else { 18 });
        self.counts.points(step).map(move |(call, n)| Point {
            case: self,
            call,
            n,
        })
    }
}

impl Point<'_> {
    fn attempt(&self) {
        let (case, place) = (self.case, self.to_string());
        let folder = traced::folder().unwrap();
        let world = World::new(folder.path());
        let _layer = layer::is_asked().then(|| Layer::below(folder.path()));
        let inject = format!("inject={}:{}:when={}", self.call, case.fault, self.n);
        let output = TRACED
            .with_faults(case.operation, folder.path(), &case.counts, &[&inject])
            .unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let is_named = said.is_empty() || said.contains('/') && said.contains("; ");
        assert!(is_named, "{place}: no file or no remedy: {said}");
        let known = case.known.each_ref().map(String::as_str);
        world.check(case.operation, &known, case.fault, &place);
    }
}

impl fmt::Display for Point<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Case {
            operation, fault, ..
        } = self.case;
        write!(f, "{operation}, {} {}, {fault}", self.call, self.n)
    }
}

/// A folder with schedules of every kind.
struct World {
    folder: PathBuf,
}

impl World {
    /// Makes the folder before an operation: with due schedules, and an interrupted run.
    fn new(folder: &Path) -> Self {
        let world = Self {
            folder: folder.to_owned(),
        };
        let added = now() - SignedDuration::from_secs(90);
        for (short, time) in [
            ("once", TimeWords::At(DUE)),
            ("fails", TimeWords::At(DUE)),
            ("every", TimeWords::Cron("* * * * *")),
            ("recover", TimeWords::At(DUE)),
        ] {
            world.add(short, time, added).unwrap();
        }
        let name = world.name("every");
        let records = world.path("runs").join(&name);
        fs::create_dir_all(&records).unwrap();
        for n in 0..KEPT {
            let id = format!("20260101T0000{n:02}000Z");
            let text = format!(
                "{{\"version\":1,\"id\":\"{id}\",\"name\":\"{name}\",\"due\":null,\
                 \"start\":\"2026-01-01T00:00:{n:02}Z\",\"end\":\"2026-01-01T00:00:{n:02}Z\",\"outcome\":\"ok\"}}"
            );
            fs::write(records.join(format!("{id}.json")), text).unwrap();
        }
        fs::create_dir(world.path("ran")).unwrap();
        // Dropped without `finish`, like by a killed process.
        drop(world.begin("recover").unwrap());
        world
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.join(path)
    }

    fn scheduler(&self) -> Scheduler {
        let data = DataFolder::new(&self.folder);
        let (skills, runs) = (self.path("scheduler"), self.path("runs"));
        Scheduler::new(skills, runs, data, Options::DEFAULT)
    }

    fn name(&self, short: &str) -> String {
        self.scheduler().log(short).unwrap().0
    }

    /// Returns the text of `schedules.json`.
    fn store(&self) -> String {
        fs::read_to_string(self.path("schedules.json")).unwrap()
    }

    fn add(&self, short: &str, time: TimeWords<'_>, added: Timestamp) -> Result<(), Error> {
        let zone = Zone::named("UTC")?;
        let new = ScheduleWords {
            task: Some("Do it."),
            time: Some(time),
            zone: Some(&zone),
            limit: None,
            ..ScheduleWords::default()
        };
        self.scheduler().add(short, &new, added).map(drop)
    }

    fn begin(&self, short: &str) -> Result<Option<Run>, Error> {
        let scheduler = self.scheduler();
        let due = due(&scheduler)?.into_iter();
        let due = due.into_iter().find(|due| due.name.starts_with(short));
        let Some(due) = due else { return Ok(None) };
        scheduler.begin(&due.name.clone(), Some(&due), now())
    }

    /// Carries out a run that has begun.
    fn carry_out(&self, run: &Run) -> Result<(), Error> {
        let ended = match &run.job {
            Ok(job) => self.run(job, &AtomicBool::default()),
            Err(error) => Ended::failed(error),
        };
        let scheduler = self.scheduler();
        let finished = scheduler.finish(run, &ended, now());
        if let Err(error) = &finished {
            // The operation named in the error can be repeated.
            println!("{error}; {}", error.remedy().unwrap_or_default());
            scheduler.finish(run, &ended, now())?;
        }
        Ok(())
    }

    /// Runs an operation, like a program does.
    fn operate(&self, operation: &str) -> Result<(), Error> {
        let scheduler = self.scheduler();
        match operation {
            "add" => self.add("new", TimeWords::Cron("0 9 * * *"), now()),
            "set" => {
                let change = ScheduleWords {
                    time: Some(TimeWords::Cron("30 8 * * *")),
                    ..ScheduleWords::default()
                };
                scheduler.change("every", &change, now()).map(drop)
            }
            "remove" => scheduler.remove("every", now()).map(drop),
            "by-hand" => {
                let run = scheduler.begin("every", None, now())?;
                run.map_or(Ok(()), |run| self.carry_out(&run))
            }
            "recover" => scheduler.recover(now()).map(drop),
            "daemon" => self.daemon(),
            short => {
                let run = self.begin(short)?;
                run.map_or(Ok(()), |run| self.carry_out(&run))
            }
        }
    }

    /// Runs a daemon until nothing is due.
    fn daemon(&self) -> Result<(), Error> {
        let daemon = Daemon {
            scheduler: &self.scheduler(),
            runner: Arc::new(Self {
                folder: self.folder.clone(),
            }),
            clock: &now(),
            watcher: &Watcher {
                world: self,
                questions: Cell::default(),
            },
            grace: Daemon::GRACE,
        };
        daemon.run()
    }

    /// Checks the world after an operation on a full disk. A run whose end could not be recorded counts as
    /// interrupted.
    fn check_filled(&self, operation: &str) {
        let notes = self.folder.with_file_name("notes");
        let known = KNOWN.map(|name| fs::read_to_string(notes.join(name)).unwrap());
        let known = known.each_ref().map(String::as_str);
        self.check(
            operation,
            &known,
            KILL,
            &format!("{operation} on a full disk"),
        );
    }

    /// Checks the world after a killed or failed operation.
    fn check(&self, operation: &str, known: &[&str], fault: &str, place: &str) {
        let scheduler = self.scheduler();
        scheduler.file().whole().unwrap();
        let store = self.store();
        if matches!(operation, "add" | "set" | "remove" | "recover") {
            assert!(known.contains(&store.as_str()), "{place}: {store}");
        }
        self.check_skills(place);
        // Repeating the operation completes it. A completed operation may report that.
        if matches!(operation, "add" | "set" | "remove") {
            let again = match operation {
                // At another moment than before.
                "remove" => self
                    .scheduler()
                    .remove("every", now() + SignedDuration::from_secs(1))
                    .map(drop),
                _ => self.operate(operation),
            };
            assert!(
                again.is_ok() || store == known[1],
                "{place}: again: {again:?}"
            );
            let now = self.store();
            assert_eq!(now.as_str(), known[1], "{place}: again");
        }
        let unscheduled = self.scheduler().list().unwrap().unscheduled;
        assert_eq!(unscheduled, Vec::<String>::new(), "{place}: again");
        // A daemon does the rest, and a second daemon finds nothing to do.
        self.daemon().unwrap();
        let store = self.store();
        let ran = self.ran();
        self.daemon().unwrap();
        assert_eq!((self.store(), self.ran()), (store, ran), "{place}");
        assert_eq!(scheduler.recover(now()).unwrap(), [], "{place}");
        assert_eq!(due(&scheduler).unwrap(), [], "{place}");
        for short in ["once", "fails", "every", "recover"] {
            self.check_runs(short, operation, fault, place);
        }
        let left = [".part", ".new", "~", ".gone", ".removed"];
        let left = traced::leftovers(&self.folder, &left);
        assert_eq!(left, Vec::<String>::new(), "{place}");
    }

    /// Checks that each schedule has its skill. A kill can leave a skill without a schedule, which the repetition takes.
    fn check_skills(&self, place: &str) {
        let found = self.scheduler().list().unwrap();
        for schedule in found.schedules {
            let file = self.path("scheduler").join(&schedule.name).join("SKILL.md");
            assert!(file.exists(), "{place}: {}", schedule.name);
        }
    }

    /// Checks that the due time has one record, and at most one run.
    fn check_runs(&self, short: &str, operation: &str, fault: &str, place: &str) {
        let place = format!("{short} after {place}");
        let (name, records, unread) = self.scheduler().log(short).unwrap();
        assert_eq!(unread, Vec::<PathBuf>::new(), "{place}");
        // If a kill came before the removal of the oldest record, the next run removes it.
        assert!(records.len() <= KEPT + 1, "{place}");
        let is_due = |record: &&RunRecord| record.due.is_some();
        let of_due: Vec<&RunRecord> = records.iter().filter(is_due).collect();
        let by_hand = records
            .iter()
            .filter(|record| !is_due(record) && record.start == now());
        let by_hand: Vec<&RunRecord> = by_hand.collect();
        let ran = self.ran().get(name.as_str()).copied().unwrap_or(0);
        let is_ended = operation == "remove" || operation == "set";
        if short == "every" && is_ended {
            assert!(of_due.is_empty() && ran == 0, "{place}");
            let trash = Trash::new(self.path("trash")).list().unwrap();
            let trashed = trash
                .iter()
                .filter(|trashed| trashed.record.name == name.as_str());
            assert_eq!(
                trashed.count(),
                usize::from(operation == "remove"),
                "{place}"
            );
            return;
        }
        let [record] = of_due.as_slice() else {
            panic!("{place}: {of_due:?}");
        };
        let is_interrupted = record.ended.reason.starts_with("it was interrupted");
        let expected = match short {
            "recover" => (Outcome::Failed, 0),
            "fails" => (Outcome::Failed, 1),
            _ => (Outcome::Ok, 1),
        };
        if is_interrupted && short != "recover" {
            assert_eq!(fault, "signal=KILL", "{place}: {record:?}");
            assert!(ran <= 1 + by_hand.len(), "{place}: {ran}");
        } else {
            assert_eq!(record.ended.outcome, expected.0, "{place}: {record:?}");
            // A killed manual run may have ended.
            let own = by_hand
                .iter()
                .filter(|record| record.ended.outcome == Outcome::Ok)
                .count();
            let most = expected.1 + by_hand.len();
            assert!(
                (expected.1 + own..=most).contains(&ran),
                "{place}: {ran}, {by_hand:?}"
            );
        }
        // A schedule that ran once successfully has ended. Its skill stays, and is not in the trash.
        let all = self.scheduler().file().whole().unwrap();
        let trash = Trash::new(self.path("trash")).list().unwrap();
        let trashed = trash
            .iter()
            .filter(|trashed| trashed.record.name == name.as_str());
        let is_done = short == "once" && record.ended.outcome == Outcome::Ok;
        assert_eq!(all.0[&name].is_ended(), is_done, "{place}");
        assert_eq!(trashed.count(), 0, "{place}");
        let folder = self.path("scheduler").join(&name);
        assert!(folder.join("SKILL.md").exists(), "{place}");
        assert!(all.0[&name].last.is_some(), "{place}");
    }

    /// Returns the number of runs of each schedule.
    fn ran(&self) -> BTreeMap<String, usize> {
        let mut all = BTreeMap::new();
        for entry in fs::read_dir(self.path("ran")).into_iter().flatten() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let (name, _) = name.split_once('.').unwrap();
            *all.entry(name.to_owned()).or_insert(0) += 1;
        }
        all
    }
}

impl Runner for World {
    fn run(&self, job: &Job, _: &AtomicBool) -> Ended {
        // Each run makes an empty file. The call is not one of those that fail.
        let is_new = |n: u32| {
            let path = self.path("ran").join(format!("{}.{n}", job.name));
            fs::File::create_new(path).is_ok()
        };
        assert!((0..1_000).any(is_new));
        let mut ended = Ended::failed("it fails");
        if !job.name.starts_with("fails-") {
            ended.outcome = Outcome::Ok;
            ended.output.push_str("done");
        }
        ended
    }
}

/// A watcher that ends a daemon when nothing is due.
struct Watcher<'w> {
    world: &'w World,
    questions: Cell<usize>,
}

impl DaemonWatcher for Watcher<'_> {
    fn event(&self, _: &DaemonEvent<'_>) {}

    fn is_asked_to_stop(&self) -> bool {
        self.questions.set(self.questions.get() + 1);
        let all = self.world.scheduler().file().whole().unwrap();
        let is_busy = all
            .0
            .values()
            .any(|schedule| schedule.running.is_some() || schedule.due(now()).is_some());
        assert!(
            self.questions.get() < 1_000,
            "the daemon does not come to an end"
        );
        !is_busy
    }
}

fn due(scheduler: &Scheduler) -> Result<Vec<Due>, Error> {
    let all = scheduler.file().whole()?.0;
    let due = all.values().filter_map(|schedule| schedule.due(now()));
    Ok(due.collect())
}

fn now() -> Timestamp {
    NOW.parse().unwrap()
}
