//! A real daemon in a process of its own, in real time: every outcome, no process left behind, and no run made twice,
//! also when the daemon is killed during a run.
//!
//! With `SKILLS_LONG_DAEMON=1` the daemon runs for two minutes. The test starts its own binary again as the daemon.
//! Waiting times are generous, and no duration is asserted.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]
#![expect(clippy::print_stdout, reason = "a test's runner says what it counted")]
#![expect(clippy::disallowed_methods, reason = "tests start processes")]

use jiff::Timestamp;
use libtest_mimic::Trial;
use skills_agent::agent::{AgentCommand, InputForm, no_progress};
use skills_agent::schedule::{
    CommandRunner, Daemon, DaemonEvent, DaemonWatcher, Outcome, RunRecord, ScheduleWords,
    Scheduler, TimeWords, Zone, parse_limit,
};
use skills_host::files::clock::Clock;
use skills_host::files::data::DataFolder;
use skills_host::files::trash::Trash;
use skills_session::options::Options;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

const WORLD: &str = "SKILLS_HOST_DAEMON";
/// Gives the daemon a short grace period.
const SHORT: &str = "SKILLS_HOST_SHORT_GRACE";
/// Maximum number of polls: tenths of a second.
const PATIENCE: usize = 3_000;

/// The agent, with an action for each schedule. It records each run.
const AGENT: &str = r#"
echo "$SKILL_NAME" >> "$RAN"
case "$SKILL_NAME" in
once-*|every-*|late-*) cat ;;
silent-*) ;;
fails-*) echo why >&2; exit 3 ;;
asks-*) echo may I >&2; exit 77 ;;
closes-*) exec >&- 2>&-; sleep 1 ;;
big-*) head -c 30000000 /dev/zero | tr '\0' x ;;
forks-*) sleep 1000 & echo done ;;
hang-*) trap '' TERM; setsid sleep 1000 & sleep 1000 & echo begun; sleep 1000 ;;
*) echo begun; sleep 1000 ;;
esac
"#;

struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// A watcher that stops the daemon when a file exists.
struct Watcher {
    stop: PathBuf,
}

impl DaemonWatcher for Watcher {
    fn event(&self, event: &DaemonEvent<'_>) {
        println!("{event:?}");
    }

    fn is_asked_to_stop(&self) -> bool {
        fs::remove_file(&self.stop).is_ok()
    }
}

/// Runs the daemon, if a test has started this process for it. Returns whether it has.
pub(crate) fn carried_out() -> bool {
    let Some(world) = std::env::var_os(WORLD) else {
        return false;
    };
    World {
        folder: PathBuf::from(world),
    }
    .be_daemon();
    true
}

/// A test, by its name.
type Test = (&'static str, fn(&World));

/// Lists the tests, which need `/proc`.
pub(crate) fn trials() -> impl Iterator<Item = Trial> {
    let tests: [Test; 6] = [
        ("every_outcome", every_outcome),
        ("killed_in_a_run", killed_in_a_run),
        ("asked_to_end", asked_to_end),
        ("asked_once", asked_once),
        ("missed_while_down", missed_while_down),
        ("two_minutes", two_minutes),
    ];
    tests.into_iter().map(|(name, test)| {
        let is_left_out = cfg!(not(target_os = "linux"))
            || name == "two_minutes" && std::env::var_os("SKILLS_LONG_DAEMON").is_none();
        let in_a_folder = move || {
            let folder = tempfile::tempdir().unwrap();
            test(&World {
                folder: folder.path().to_owned(),
            });
        };
        super::trial(format!("daemon::{name}"), in_a_folder).with_ignored_flag(is_left_out)
    })
}

/// A folder with schedules and the records of their runs.
struct World {
    folder: PathBuf,
}

impl World {
    fn path(&self, path: &str) -> PathBuf {
        self.folder.join(path)
    }

    fn scheduler(&self) -> Scheduler {
        let data = DataFolder::new(self.path(""));
        let (skills, runs) = (self.path("scheduler"), self.path("runs"));
        Scheduler::new(skills, runs, data, Options::DEFAULT)
    }

    fn be_daemon(&self) {
        let agent = AgentCommand::parse(&format!("sh {}", self.path("agent.sh").display()));
        let mut command = agent.unwrap();
        command.form = InputForm::Text;
        let runner = CommandRunner {
            command,
            folder: Some(self.folder.clone()),
            progress: no_progress(),
        };
        let watcher = Watcher {
            stop: self.path("stop"),
        };
        let daemon = Daemon {
            scheduler: &self.scheduler(),
            runner: Arc::new(runner),
            clock: &SystemClock,
            watcher: &watcher,
            grace: match std::env::var_os(SHORT) {
                Some(_) => Duration::from_millis(300),
                None => Daemon::GRACE,
            },
        };
        if let Err(error) = daemon.run() {
            println!("{error}");
            std::process::exit(2);
        }
    }

    /// Opens the log of the daemons' output.
    fn log(&self) -> fs::File {
        let mut options = fs::File::options();
        options.create(true).append(true);
        options.open(self.path("log")).unwrap()
    }

    /// Starts a daemon.
    fn daemon(&self) -> Child {
        self.command().spawn().unwrap()
    }

    fn command(&self) -> Command {
        fs::write(self.path("agent.sh"), AGENT).unwrap();
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .env(WORLD, &self.folder)
            .env("RAN", self.path("ran"))
            .stdin(Stdio::null())
            .stdout(self.log());
        command
    }

    /// Adds a schedule that runs once, some seconds from now.
    fn add(&self, short: &str, seconds: u32, limit: &str) -> String {
        let zone = Zone::named("UTC").unwrap();
        let new = ScheduleWords {
            task: Some("Do it."),
            time: Some(TimeWords::In(&format!("{seconds}s"))),
            zone: Some(&zone),
            limit: Some(parse_limit(limit).unwrap()),
            ..ScheduleWords::default()
        };
        let added = self.scheduler().add(short, &new, Timestamp::now());
        added.unwrap().name
    }

    /// Waits for the record of a schedule.
    fn record(&self, name: &str) -> RunRecord {
        wait(name, || {
            let (_, records, unread) = self.scheduler().log(name).ok()?;
            assert_eq!(unread, Vec::<PathBuf>::new());
            let settled = self.scheduler().list().unwrap().schedules;
            let runs = |schedule: &skills_agent::schedule::Schedule| {
                schedule.name.as_str() == name && schedule.running.is_some()
            };
            records
                .into_iter()
                .next()
                .filter(|_| !settled.iter().any(runs))
        })
    }

    /// Returns the number of runs of each schedule.
    fn ran(&self) -> BTreeMap<String, usize> {
        let text = fs::read_to_string(self.path("ran")).unwrap_or_default();
        let mut all = BTreeMap::new();
        for name in text.lines() {
            *all.entry(name.to_owned()).or_insert(0) += 1;
        }
        all
    }

    /// Asserts that no process of a run is left, and that no run was made twice.
    fn nothing_is_left(&self) {
        let ran = format!("RAN={}", self.path("ran").display());
        wait("the end of all processes", || {
            agents(&ran).is_empty().then_some(())
        });
        for (name, times) in self.ran() {
            assert_eq!(times, 1, "{name} ran {times} times");
        }
    }

    fn end(&self, mut daemon: Child, times: usize) {
        for _ in 0..times {
            fs::write(self.path("stop"), "").unwrap();
            wait("the daemon to hear it", || {
                (!self.path("stop").exists() || daemon.try_wait().unwrap().is_some()).then_some(())
            });
        }
        assert!(daemon.wait().unwrap().success());
        let _ = fs::remove_file(self.path("stop"));
    }
}

/// Finds the processes of this world's runs, by their environment.
fn agents(world: &str) -> Vec<PathBuf> {
    let all = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let all = all.map(|entry| entry.path());
    all.filter(|path| {
        let environment = fs::read(path.join("environ")).unwrap_or_default();
        let variables: Vec<&[u8]> = environment.split(|byte| *byte == 0).collect();
        let is_run = |variable: &&[u8]| variable.starts_with(b"SKILLS_RUN=");
        variables.contains(&world.as_bytes()) && variables.iter().any(is_run)
    })
    .collect()
}

fn wait<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    for _ in 0..PATIENCE {
        if let Some(found) = look() {
            return found;
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("{what}: it did not come");
}

/// Every outcome, with its traces.
fn every_outcome(world: &World) {
    let mut daemon = world.daemon();
    let names: BTreeMap<&str, String> = [
        ("once", "60s"),
        ("silent", "60s"),
        ("fails", "60s"),
        ("asks", "60s"),
        ("closes", "60s"),
        ("big", "300s"),
        ("forks", "60s"),
        ("hang", "2s"),
    ]
    .into_iter()
    .map(|(short, limit)| (short, world.add(short, 2, limit)))
    .collect();
    let second = world.daemon().wait().unwrap();
    let said = fs::read_to_string(world.path("log")).unwrap();
    assert_eq!(second.code(), Some(2));
    assert!(said.contains(&format!("process {}", daemon.id())), "{said}");

    let of = |short: &str| world.record(&names[short]);
    let once = of("once");
    assert_eq!(once.ended.outcome, Outcome::Ok, "{once:?}");
    assert!(
        once.ended.output.contains("## Task\n\nDo it.")
            && once.ended.output.contains(&names["once"])
    );
    assert!(once.due.is_some_and(|due| due <= once.start) && once.start <= once.end);
    // After success the schedule has ended, and its skill stays.
    assert!(world.path("scheduler").join(&names["once"]).exists());
    assert_eq!(Trash::new(world.path("trash")).list().unwrap(), []);
    let schedules = world.scheduler().list().unwrap().schedules;
    let ended = schedules.iter().filter(|schedule| schedule.is_ended());
    let ended: Vec<&str> = ended.map(|schedule| schedule.name.as_str()).collect();
    assert!(ended.contains(&names["once"].as_str()), "{ended:?}");

    assert_eq!(of("silent").ended.outcome, Outcome::NoOutput);
    let fails = of("fails");
    assert_eq!(
        (fails.ended.outcome, fails.ended.code),
        (Outcome::Failed, Some(3))
    );
    assert_eq!(fails.ended.reason, "it exited with code 3\nwhy");
    let asks = of("asks");
    assert_eq!(
        (asks.ended.outcome, asks.ended.code),
        (Outcome::Refused, Some(77))
    );
    assert!(asks.ended.reason.ends_with("\nmay I"), "{asks:?}");
    assert_eq!(of("closes").ended.outcome, Outcome::NoOutput);
    let big = of("big");
    assert_eq!(big.ended.outcome, Outcome::Ok);
    assert_eq!(
        (big.ended.output.len(), big.ended.output_bytes),
        (1024 * 1024, 30_000_000)
    );
    assert_eq!(of("forks").ended.outcome, Outcome::Ok);
    let hang = of("hang");
    assert_eq!(hang.ended.outcome, Outcome::TimedOut, "{hang:?}");
    assert_eq!(hang.ended.reason, "it was killed at its limit of 2s");
    assert_eq!(hang.ended.output, "begun\n");
    // A schedule without success is kept, with its outcome.
    let kept = world.scheduler().list().unwrap().schedules;
    for short in ["silent", "fails", "asks", "closes", "hang"] {
        let schedule = kept
            .iter()
            .find(|schedule| schedule.name.as_str() == names[short]);
        assert!(
            schedule.is_some_and(|schedule| schedule.last.is_some()),
            "{short}"
        );
    }
    world.nothing_is_left();
    assert!(daemon.try_wait().unwrap().is_none());
    world.end(daemon, 1);
    println!("every outcome: {} schedules", names.len());
}

/// The daemon is killed during a run. The run is recorded as interrupted, ended, and not repeated.
fn killed_in_a_run(world: &World) {
    let mut daemon = world.daemon();
    let name = world.add("killed", 1, "60s");
    wait("the run", || world.ran().contains_key(&name).then_some(()));
    daemon.kill().unwrap();
    daemon.wait().unwrap();
    let daemon = world.daemon();
    let record = world.record(&name);
    assert_eq!(record.ended.outcome, Outcome::Failed);
    assert!(
        record.ended.reason.starts_with("it was interrupted"),
        "{record:?}"
    );
    world.nothing_is_left();
    // The daemon has time to repeat the run, and does not.
    let after = world.add("once", 1, "60s");
    assert_eq!(world.record(&after).ended.outcome, Outcome::Ok);
    world.nothing_is_left();
    world.end(daemon, 1);
    println!("killed in a run: interrupted, and not made again");
}

/// After two requests to end, the run is ended at once, and recorded.
fn asked_to_end(world: &World) {
    let daemon = world.daemon();
    let name = world.add("stopped", 1, "500s");
    wait("the run", || world.ran().contains_key(&name).then_some(()));
    world.end(daemon, 2);
    let record = world.record(&name);
    assert_eq!(record.ended.outcome, Outcome::TimedOut, "{record:?}");
    world.nothing_is_left();
}

/// After one request to end, no new run begins. The present run is ended after the grace period, also if it ignores
/// the signal.
fn asked_once(world: &World) {
    let daemon = world.command().env(SHORT, "").spawn().unwrap();
    let name = world.add("hang", 1, "500s");
    wait("the run", || world.ran().contains_key(&name).then_some(()));
    let later = world.add("later", 1, "500s");
    world.end(daemon, 1);
    let record = world.record(&name);
    assert_eq!(record.ended.outcome, Outcome::TimedOut, "{record:?}");
    let why = "it was killed, because the program that ran it was told to stop";
    assert!(record.ended.reason.starts_with(why), "{record:?}");
    world.nothing_is_left();
    // A time that was due meanwhile is not lost: the next daemon runs it.
    if !world.ran().contains_key(&later) {
        let next = world.daemon();
        wait("the run", || world.ran().contains_key(&later).then_some(()));
        world.end(next, 2);
        assert_eq!(world.record(&later).ended.outcome, Outcome::TimedOut);
    }
    world.nothing_is_left();
    println!("asked once: the run is ended when its time is over");
}

/// Times without a daemon give one run.
fn missed_while_down(world: &World) {
    let old = "2020-01-01T00:00:00Z";
    let schedule = |name: &str| {
        let folder = world.path("scheduler").join(name);
        fs::create_dir_all(&folder).unwrap();
        let text = format!("---\nname: {name}\ndescription: A scheduled task.\n---\nDo it.\n");
        fs::write(folder.join("SKILL.md"), text).unwrap();
        format!(
            "{{\"name\":\"{name}\",\"cron\":\"0 0 1 * *\",\"timezone\":\"UTC\",\
             \"added\":\"{old}\",\"handled\":\"{old}\"}}"
        )
    };
    let text = format!(
        "{{\"version\":1,\"schedules\":[{}]}}",
        schedule("late-00000001")
    );
    fs::write(world.path("schedules.json"), text).unwrap();
    let daemon = world.daemon();
    let run = world.record("late-00000001");
    assert!(
        run.ended.outcome == Outcome::Ok && run.missed > 50,
        "{run:?}"
    );
    world.end(daemon, 1);
    world.nothing_is_left();
    println!(
        "missed while down: {} times, one run, one record",
        run.missed + 1
    );
}

/// Two minutes: a run every ten seconds, a hanging run in each half, the daemon killed in the middle.
fn two_minutes(world: &World) {
    let mut daemon = world.daemon();
    let every: Vec<String> = (1..=12)
        .map(|n| world.add(&format!("every-{n}"), n * 10, "60s"))
        .collect();
    let once = world.add("once", 5, "60s");
    let hangs = [world.add("hang", 15, "3s"), world.add("hang", 85, "3s")];
    assert_eq!(world.record(&once).ended.outcome, Outcome::Ok);
    thread::sleep(Duration::from_secs(50));
    let slow = world.add("slow", 1, "100s");
    wait("the run", || world.ran().contains_key(&slow).then_some(()));
    daemon.kill().unwrap();
    daemon.wait().unwrap();
    thread::sleep(Duration::from_secs(5));
    let daemon = world.daemon();
    for name in &every {
        let record = world.record(name);
        assert_eq!(record.ended.outcome, Outcome::Ok, "{record:?}");
    }
    for name in &hangs {
        assert_eq!(world.record(name).ended.outcome, Outcome::TimedOut);
    }
    assert_eq!(world.record(&slow).ended.outcome, Outcome::Failed);
    world.nothing_is_left();
    world.end(daemon, 1);
    println!("two minutes: {} runs", world.ran().len());
}
