//! Stops a change after each system call that writes, replaces one of its folders by a link, and continues the
//! change: nothing outside is emptied, written or created. When the folder is back, the skill is the old or the new
//! one, and the next run is clean.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]
#![expect(clippy::disallowed_methods, reason = "tests start processes")]

use super::install::{Expected, TRACED, World, expected};
use super::traced::{self, Counts, strace_of_all};
use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

const OPERATIONS: [&str; 5] = ["install", "update", "force", "uninstall", "restore"];
/// The folders that are replaced by a link.
const PLACES: [&str; 2] = ["skills", "skills/.skills-work"];

struct Point {
    operation: &'static str,
    place: &'static str,
    call: String,
    n: usize,
    expected: Arc<Expected>,
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            operation,
            place,
            call,
            n,
            ..
        } = self;
        write!(f, "{operation}: {place} is a link after {call} {n}")
    }
}

/// Stops every operation, and continues it with a link in the place of a folder.
pub(crate) fn every_point() {
    let mut points = Vec::new();
    for operation in OPERATIONS {
        let expected = Arc::new(expected(operation));
        let world = World::new(operation);
        let counts: Counts = TRACED.counts(operation, &world.path(""), &[]).unwrap();
        for (call, n) in counts.points(traced::step(22)) {
            points.extend(PLACES.map(|place| Point {
                operation,
                place,
                call: call.to_owned(),
                n,
                expected: Arc::clone(&expected),
            }));
        }
    }
    traced::try_all(points, &Point::attempt);
}

impl Point {
    fn attempt(&self) {
        let world = World::new(self.operation);
        let outside = world.path("outside");
        // Names that a change creates, empties or removes.
        for name in [
            "lock",
            "journal.json",
            "skills.lock",
            "a/SKILL.md",
            "new-a/x",
            "old-a/x",
        ] {
            let file = outside.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "kept").unwrap();
        }
        let before = files(&outside);
        let (place, aside) = (world.path(self.place), world.path("aside"));
        let log = world.path("log");
        // Through a pipe, the reader gets each line as it is written.
        let made = Command::new("mkfifo").arg(&log).status();
        assert!(made.unwrap().success());
        let stop = format!("inject={}:signal=STOP:when={}", self.call, self.n);
        let mut command = strace_of_all(&log, &stop);
        command.arg(std::env::current_exe().unwrap());
        TRACED.ask(&mut command, self.operation, &world.path(""));
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stopped = false;
        for line in BufReader::new(File::open(&log).unwrap()).lines() {
            let line = line.unwrap();
            let Some((process, _)) = line.split_once(" --- stopped by SIGSTOP") else {
                continue;
            };
            stopped = true;
            let _ = fs::rename(&place, &aside);
            symlink(&outside, &place).ok();
            let go_on = Command::new("kill")
                .args(["-CONT", process.trim()])
                .status();
            assert!(go_on.unwrap().success(), "{self}");
        }
        child.wait().unwrap();
        assert!(stopped, "{self}: it was not stopped");
        assert_eq!(
            files(&outside),
            before,
            "{self}: what is outside was changed"
        );
        if place.is_symlink() {
            fs::remove_file(&place).unwrap();
        }
        if aside.exists() {
            fs::rename(&aside, &place).unwrap();
        }
        world.check(
            self.operation,
            &self.expected,
            Some("swapped"),
            &self.to_string(),
        );
    }
}

/// Returns the files below a folder, with their texts.
fn files(folder: &Path) -> BTreeMap<PathBuf, Option<String>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        }
        let text = fs::read_to_string(&path).ok();
        found.insert(path, text);
    }
    found
}
