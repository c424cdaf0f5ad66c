//! Kills and fails every operation at every system call that writes. Afterwards each skill is completely the old or
//! the new one, with its lock entry; the next run is clean and completes the operation.
//!
//! `strace` injects the kills and the errors. Without `strace` the test prints so and does nothing. The test starts
//! its own binary again as the process that is killed.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]
#![expect(clippy::print_stdout, reason = "a test's runner says what it counted")]
#![expect(clippy::disallowed_methods, reason = "tests start processes")]

use super::layer::{self, Layer};
use super::traced::{self, Counts, FAULTS, KILL, Traced};
use jiff::Timestamp;
use libtest_mimic::Trial;
use skills_host::Error;
use skills_host::deps::{Cargo, DepsOptions, Workspace, plan_deps};
use skills_host::files::clock::Clock;
use skills_host::files::data::DataFolder;
use skills_host::files::snapshot::Snapshot;
use skills_host::git::{Git, Quiet};
use skills_host::install::{
    Chosen, Host, InstallOptions, Offer, OnConflict, Plan, Source, UpdateOptions, apply,
    plan_locked, plan_restore, plan_uninstall, plan_update,
};
use skills_host::lock::read_lock;
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const OPERATIONS: &[&str] = &[
    "install",
    "update",
    "force",
    "locked",
    "uninstall",
    "restore",
    "gc",
    "empty",
    "history",
    "deps",
];

/// The ways in which an exchange of folders works or fails.
const EXCHANGES: &[(&str, Option<&str>)] = &[
    ("exchanged", None),
    ("exchange is EINVAL", Some("inject=renameat2:error=EINVAL")),
    ("exchange is EXDEV", Some("inject=renameat2:error=EXDEV")),
];

pub(crate) const TRACED: Traced = Traced("install");

/// Carries out the operation for which a test started this process. Returns whether there was an operation.
pub(crate) fn carried_out() -> bool {
    let run_all = |operations: &str, world: &Path| {
        let mut operations = operations.split(',');
        operations.try_for_each(|operation| run(operation, world))
    };
    TRACED.carried_out(run_all)
}

pub(crate) fn trials() -> impl Iterator<Item = Trial> {
    let tests: [(_, fn()); 7] = [
        #[cfg(unix)]
        ("install::swapped", super::swapped::every_point),
        #[cfg(not(unix))]
        ("install::swapped", || ()),
        ("install::every_point", every_point),
        ("install::looks_that_fail", looks_that_fail),
        (
            "install::the_journal_is_on_the_disk_before_the_change",
            the_journal_is_on_the_disk_before_the_change,
        ),
        ("install::limit_of_processes", limit_of_processes),
        (
            "install::writes_only_where_it_may",
            writes_only_where_it_may,
        ),
        ("install::overlay", overlay),
    ];
    tests
        .into_iter()
        .map(|(name, test)| super::trial(name, test))
}

/// Every skill is old or new, and nothing is left over.
fn every_point() {
    let cases: Vec<Case> = OPERATIONS.iter().flat_map(|of| cases(of)).collect();
    let points = cases.iter().flat_map(Case::points).collect();
    let points = traced::try_all(points, &Point::attempt);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for point in &points {
        *counts.entry(point.case.to_string()).or_default() += 1;
    }
    for (case, count) in counts {
        println!("{case}: {count}");
    }
    println!("install: {} points", points.len());
}

/// An operation, the way of exchanges, and the fault at a call.
struct Case {
    operation: &'static str,
    exchange: Option<&'static str>,
    /// A description of `exchange`.
    exchanged: &'static str,
    fault: &'static str,
    /// The number of calls of each kind.
    counts: Counts,
    expected: Arc<Expected>,
}

/// One call of a case.
struct Point<'c> {
    case: &'c Case,
    call: &'c str,
    n: usize,
}

/// Returns every case of an operation.
fn cases(operation: &'static str) -> Vec<Case> {
    let expected = Arc::new(expected(operation));
    let is_exchanged = matches!(operation, "update" | "force" | "restore" | "deps");
    let mut cases = Vec::new();
    for (exchanged, exchange) in EXCHANGES {
        // In a lower layer the file system itself refuses exchanges.
        if exchange.is_some() && (!is_exchanged || layer::is_asked()) {
            continue;
        }
        let counted = World::new(operation);
        let faults: Vec<&str> = exchange.iter().copied().collect();
        let counts = TRACED
            .counts(operation, counted.folder.path(), &faults)
            .unwrap();
        cases.extend(FAULTS.iter().map(|fault| Case {
            operation,
            exchange: *exchange,
            exchanged,
            fault,
            counts: counts.clone(),
            expected: Arc::clone(&expected),
        }));
    }
    cases
}

impl Case {
    fn points(&self) -> impl Iterator<Item = Point<'_>> {
        // In these cases the exchange itself already fails.
        let is_tried = |call: &str| self.exchange.is_none() || call != "renameat2";
        let step = traced::step(if self.fault == KILL { 12 } else { 36 });
        let points = self.counts.points(step);
        let points = points.filter(move |(call, _)| is_tried(call));
        points.map(move |(call, n)| Point {
            case: self,
            call,
            n,
        })
    }
}

impl Point<'_> {
    fn attempt(&self) {
        let (case, place) = (self.case, self.to_string());
        let world = World::new(case.operation);
        let inject = format!("inject={}:{}:when={}", self.call, case.fault, self.n);
        let mut faults = vec![inject.as_str()];
        faults.extend(case.exchange);
        let output = TRACED
            .with_faults(case.operation, world.folder.path(), &case.counts, &faults)
            .unwrap();
        let output = String::from_utf8(output.stdout).unwrap();
        // A temporary file that cannot be removed, or a lock that cannot be signed, stops nothing.
        if case.fault != KILL && !output.is_empty() {
            assert!(
                output.contains('/'),
                "the file is not named: {place}: {output}"
            );
            assert!(output.contains("; "), "no remedy: {place}: {output}");
        }
        let layer = layer::is_asked().then_some("a lower layer");
        world.check(
            case.operation,
            &case.expected,
            case.exchange.or(layer),
            &place,
        );
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}, {}", self.operation, self.exchanged, self.fault)
    }
}

impl fmt::Display for Point<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} {}", self.case, self.call, self.n)
    }
}

/// What a power loss undoes is whole: the journal and everything before it is on the disk when the first folder is
/// renamed.
fn the_journal_is_on_the_disk_before_the_change() {
    for operation in ["install", "update", "force", "uninstall", "restore"] {
        let world = World::new(operation);
        let log = world.path("log");
        let mut command = Command::new("strace");
        command.arg("-o").arg(&log);
        command.args(["-e", "trace=syncfs,?rename,renameat,renameat2"]);
        let output = TRACED.started(command, operation, world.folder.path());
        assert!(output.unwrap().status.success());
        let text = fs::read_to_string(&log).unwrap();
        let mut after = text
            .lines()
            .skip_while(|line| !line.contains("\"journal"))
            .skip(1);
        let next = after.next().unwrap_or_default();
        assert!(next.starts_with("syncfs("), "{operation}: {next}\n{text}");
        assert!(
            after.next().is_some(),
            "{operation} renames nothing: {text}"
        );
    }
}

/// From some call on, every query of a file's kind fails: nothing waits for ever, and everything is old or new.
fn looks_that_fail() {
    let operations = ["install", "update"].into_iter();
    let all = operations.flat_map(|operation| LOOKS.map(|looks| (operation, looks)));
    for (operation, looks) in all {
        let expected = Arc::new(expected(operation));
        let world = World::new(operation);
        let mut count = Command::new("strace");
        let log = world.path("log");
        count
            .arg("-o")
            .arg(&log)
            .args(["-e", &format!("trace={looks}")]);
        let counted = TRACED.started(count, operation, world.folder.path());
        assert!(counted.unwrap().status.success());
        let count = fs::read_to_string(&log).unwrap().lines().count();
        // There are few queries by name, so each is tried: one of them is the query of a lock.
        let step = if looks == LOOKS[1] {
            1
        } else {
            traced::step(28)
        };
        let points = (1..=count).step_by(step);
        let points = points.map(|n| format!("{operation}, from look {n} on: {looks}"));
        let failed = AtomicUsize::new(0);
        let attempt = |point: &String| {
            let world = World::new(operation);
            let n: usize = point.split(' ').nth(3).unwrap().parse().unwrap();
            let mut command = Command::new("timeout");
            command.args(["30", "strace", "-o", "/dev/null"]);
            command.args(["-e", &format!("inject={looks}:error=EIO:when={n}+")]);
            let output = TRACED
                .started(command, operation, world.folder.path())
                .unwrap();
            assert_ne!(output.status.code(), Some(124), "{point}: it waits");
            failed.fetch_add(usize::from(!output.status.success()), Ordering::Relaxed);
            let layer = layer::is_asked().then_some("a lower layer");
            world.check(operation, &expected, layer, point);
        };
        traced::try_all(points.collect(), &attempt);
        assert!(failed.into_inner() > 0, "{operation}: nothing failed");
    }
}

/// The user's limit of processes applies to threads too. At the limit, a change with its history fails or is made
/// without the history, and nothing panics.
fn limit_of_processes() {
    const STARTS: &str = "?clone,?clone3,?fork,?vfork";
    // Git is started for the source and for the history.
    let operation = "history";
    let expected = Arc::new(expected(operation));
    let world = World::new(operation);
    let log = world.path("log");
    let mut count = Command::new("strace");
    count.arg("-o").arg(&log);
    count.args(["-e", &format!("trace={STARTS}")]);
    let counted = TRACED.started(count, operation, world.folder.path());
    assert!(counted.unwrap().status.success());
    let count = fs::read_to_string(&log).unwrap().lines().count();
    assert!(count > 20, "{count} processes and threads");
    let points = (1..count).step_by(traced::step(22));
    let points = points.flat_map(|n| [format!("{n}"), format!("{n}+")]);
    let attempt = |point: &String| {
        let world = World::new(operation);
        let mut command = Command::new("timeout");
        command.args(["30", "strace", "-o", "/dev/null"]);
        command.args(["-e", &format!("inject={STARTS}:error=EAGAIN:when={point}")]);
        let output = TRACED
            .started(command, operation, world.folder.path())
            .unwrap();
        assert_ne!(
            output.status.code(),
            Some(124),
            "from process {point} on: it waits"
        );
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!errors.contains("panicked"), "process {point}: {errors}");
        let layer = layer::is_asked().then_some("a lower layer");
        world.check(operation, &expected, layer, point);
    };
    traced::try_all(points.collect(), &attempt);
}

/// The calls that query the kind of a file: all, and only those by name. Not every system has all of them.
const LOOKS: [&str; 2] = [
    "?statx,?newfstatat,?fstat,?stat,?lstat",
    "?newfstatat,?stat,?lstat",
];

/// Checks the files that an install from a repository writes, and the programs that it starts.
fn writes_only_where_it_may() {
    let world = World::on_disk("install");
    let remote = world.path("remote");
    fs::rename(world.path("source"), &remote).unwrap();
    for arguments in [
        &["init", "-q"][..],
        &["add", "-A"],
        &["commit", "-q", "-m", "one"],
    ] {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@b.example"])
            .args(arguments);
        assert!(git.current_dir(&remote).status().unwrap().success());
    }
    // A hook and a filter that would leave a file if they ran.
    let shown = world.path("shown");
    let script = format!("#!/bin/sh\ntouch {}\n", shown.display());
    fs::write(remote.join(".git/hooks/post-checkout"), script).unwrap();
    fs::write(remote.join(".gitattributes"), "* filter=evil\n").unwrap();
    let log = world.path("log");
    let mut command = Command::new("strace");
    command.args(["-f", "-o", log.to_str().unwrap(), "-e", "trace=%file"]);
    let output = TRACED
        .started(command, "clone", world.folder.path())
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(world.path("skills/a/SKILL.md").exists() && !shown.exists());
    let mut seen = 0;
    for line in fs::read_to_string(&log).unwrap().lines() {
        let Some((_, call)) = line.split_once(' ') else {
            continue;
        };
        let call = call.trim_start();
        let path = call.split('"').nth(1).unwrap_or_default();
        if call.starts_with("execve(") && !call.contains("ENOENT") {
            let name = path.rsplit('/').next().unwrap();
            let known = name.starts_with("git") || name.starts_with("killed");
            assert!(known || call.contains("git-upload-pack"), "{line}");
        }
        let creates = ["O_WRONLY", "O_RDWR", "O_CREAT"];
        let changes = [
            "mkdir", "rename", "unlink", "rmdir", "symlink", "link(", "chmod",
        ];
        if creates.iter().any(|flag| call.contains(flag))
            || changes.iter().any(|name| call.starts_with(name))
        {
            // Relative paths belong to git in its own folder, and to removals by folder handles.
            let fine = path.starts_with(&*world.folder.path().to_string_lossy())
                || path.starts_with("/dev/null")
                || path.starts_with("/dev/tty")
                || !path.starts_with('/');
            assert!(fine, "{line}");
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen} calls that write");
    println!("clone: {seen} calls that write, all below its folders; no program but git");
}

/// On a real overlay whose lower layer holds the skill, neither rename nor exchange works.
fn overlay() {
    let script = "mount -t overlay overlay \
                  -o redirect_dir=off,lowerdir=$W/lower,upperdir=$W/upper,workdir=$W/work $W/$IN && exec strace -f -o $W/log -e trace=renameat2,renameat,rename \"$BIN\"";
    for (operation, within) in [
        ("update", "skills"),
        ("force", "skills"),
        ("uninstall", "skills"),
        ("restore", "skills"),
        ("restore", "data"),
        ("gc", "data"),
        ("empty", "data"),
    ] {
        let expected = expected(operation);
        let world = World::on_disk(operation);
        for folder in ["upper", "work"] {
            fs::create_dir(world.path(folder)).unwrap();
        }
        fs::rename(world.path(within), world.path("lower")).unwrap();
        fs::create_dir(world.path(within)).unwrap();
        // The trash records the path of the folder, so the same folder is used.
        let mut command = Command::new("unshare");
        command
            .args(["-m", "sh", "-c", script])
            .env("W", world.folder.path())
            .env("IN", within)
            .env("BIN", std::env::current_exe().unwrap());
        let operations = format!("{operation},show,unremoved {operation}");
        let output = TRACED
            .ask(&mut command, &operations, world.folder.path())
            .output();
        let log = fs::read_to_string(world.path("log")).unwrap_or_default();
        let Some(output) = output.ok().filter(|_| !log.is_empty()) else {
            println!("skipped: no overlay can be mounted on this machine");
            return;
        };
        assert!(output.status.success(), "{operation}: {output:?}");
        assert!(log.contains("EXDEV"), "{operation}: {log}");
        let shown = String::from_utf8(output.stdout).unwrap();
        let after = format!("{:?}", expected.after);
        let (shown, unremoved) = shown.trim().rsplit_once('\n').unwrap();
        assert_eq!(shown, after, "{operation}");
        if matches!(operation, "gc" | "empty") {
            assert_eq!(unremoved, "[]", "{operation}");
        }
    }
    println!("overlay: update, force, uninstall, restore, gc and empty over a lower layer");
}

/// A folder for operations, with its earlier state.
pub(crate) struct World {
    /// Unmounted before the folder is removed.
    layer: Option<Layer>,
    folder: tempfile::TempDir,
}

/// The state of each skill: the digest of its folder, and the digest in its lock entry.
type State = BTreeMap<String, (Option<String>, Option<String>)>;

pub(crate) struct Expected {
    before: State,
    after: State,
}

pub(crate) fn expected(operation: &str) -> Expected {
    let world = World::new(operation);
    let before = world.state();
    run(operation, world.folder.path()).unwrap();
    Expected {
        before,
        after: world.state(),
    }
}

impl World {
    /// Makes the folder before an operation.
    pub(crate) fn new(operation: &str) -> Self {
        let mut world = Self::on_disk(operation);
        world.layer = layer::is_asked().then(|| Layer::below(world.folder.path()));
        world
    }

    /// Makes the folder outside of a layer.
    fn on_disk(operation: &str) -> Self {
        let world = Self {
            layer: None,
            folder: traced::folder().unwrap(),
        };
        let path = world.folder.path();
        for name in ["a", "b"] {
            world.source(name, "One.\n");
        }
        if operation == "install" {
            return world;
        }
        if operation == "deps" {
            // The next versions: `a` is updated, `b` goes to the trash, and `c` is new.
            world.crates(&["a", "b"], "1.0.0");
            run("deps", path).unwrap();
            world.crates(&["a", "c"], "2.0.0");
            return world;
        }
        run("install", path).unwrap();
        match operation {
            "history" => {
                let mut git = Command::new("git");
                git.args(["init", "-q"]).arg(world.path("skills"));
                assert!(git.status().unwrap().success());
                world.source("a", "Two.\n");
                world.source("b", "Two.\n");
            }
            "update" => {
                world.source("a", "Two.\n");
                world.source("b", "Two.\n");
                fs::write(world.path("skills/b/notes.md"), "mine").unwrap();
            }
            "force" => {
                world.source("a", "Two.\n");
                fs::write(world.path("skills/a/SKILL.md"), "by hand").unwrap();
            }
            "locked" => {
                for name in ["a", "b"] {
                    fs::remove_dir_all(world.path("skills").join(name)).unwrap();
                }
            }
            "restore" => {
                // The version of a person comes back from the trash, in place of another one.
                world.source("a", "Two.\n");
                world.source("b", "Two.\n");
                fs::write(world.path("skills/a/SKILL.md"), "by hand").unwrap();
                run("force", path).unwrap();
            }
            "gc" => {
                run("uninstall", path).unwrap();
                run("empty", path).unwrap();
            }
            "empty" => run("uninstall", path).unwrap(),
            _ => {}
        }
        world
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn source(&self, name: &str, body: &str) {
        let folder = self.path("source").join(name);
        fs::create_dir_all(folder.join("references")).unwrap();
        let text = format!(
            "---\nname: {name}\ndescription: Does {name} with care. Use when someone asks for {name}.\n---\n\n{body}\nSee `references/more.md`.\n"
        );
        fs::write(folder.join("SKILL.md"), text).unwrap();
        fs::write(folder.join("references/more.md"), body).unwrap();
    }

    /// Writes crates that ship a skill, and a cargo that names them.
    fn crates(&self, names: &[&str], version: &str) {
        let root = self.folder.path().to_string_lossy().into_owned();
        let id = |name: &&str| format!("\"{name} {version}\"");
        let mut packages = Vec::new();
        for name in names {
            let skill = self.path("crates").join(name).join("skills").join(name);
            fs::create_dir_all(&skill).unwrap();
            let text = format!(
                "---\nname: {name}\ndescription: Does {name} with care. Use when someone asks for {name}.\n---\n\nOf {version}.\n"
            );
            fs::write(skill.join("SKILL.md"), text).unwrap();
            packages.push(format!(
                r#"{{"id":{},"name":"{name}","version":"{version}","manifest_path":"{root}/crates/{name}/Cargo.toml"}}"#,
                id(name)
            ));
        }
        let ids: Vec<String> = names.iter().map(id).collect();
        let answer = format!(
            r#"{{"packages":[{}],"workspace_root":"{root}","workspace_members":["w"],"resolve":{{"nodes":[{{"id":"w","dependencies":[{}]}}]}}}}"#,
            packages.join(","),
            ids.join(",")
        );
        fs::write(self.path("answer.json"), answer).unwrap();
        let cargo = self.path("cargo");
        if !cargo.exists() {
            // A shell writes the program: a process that another thread starts meanwhile would inherit a file that is
            // open for writing here, and a program that somebody writes cannot be started.
            let write = r#"printf '#!/bin/sh\ncat "%s/answer.json"\n' "$1" > "$1/cargo" && chmod 755 "$1/cargo""#;
            let mut shell = Command::new("sh");
            let status = shell.args(["-c", write, "sh", &root]).status();
            assert!(status.unwrap().success());
        }
    }

    fn state(&self) -> State {
        state_of(&self.path("skills"), &DataFolder::new(self.path("data")))
    }

    pub(crate) fn check(
        &self,
        operation: &str,
        expected: &Expected,
        exchange: Option<&str>,
        place: &str,
    ) {
        let (before, after) = (&expected.before, &expected.after);
        let of = |state: &State, name: &str| state.get(name).cloned().unwrap_or_default();
        // The state after the kill: every folder is complete. With an exchange of single files, or two renames, the
        // next run completes it.
        if exchange.is_none() {
            for (name, (digest, _)) in folders(&self.path("skills")) {
                let known = [of(before, &name).0, of(after, &name).0];
                assert!(
                    known.contains(&digest),
                    "{place}: {name} is neither old nor new"
                );
            }
        }
        // The state after the next run.
        let now = self.state();
        for name in before.keys().chain(after.keys()).chain(now.keys()) {
            let known = [of(before, name), of(after, name)];
            let found = of(&now, name);
            assert!(
                known.contains(&found),
                "{place}: {name} is {found:?}, not of {known:?}"
            );
        }
        assert_eq!(
            traced::leftovers(self.folder.path(), &[".skills-work"]),
            Vec::<String>::new(),
            "{place}"
        );
        // Every earlier skill exists somewhere.
        self.nothing_lost(before, operation, place);
        // Once more, to the end. A completed operation may report that.
        let again = run(operation, self.folder.path());
        if !matches!(operation, "restore" | "uninstall" | "gc" | "empty") {
            again.unwrap_or_else(|error| panic!("{place}: again: {error}"));
            assert_eq!(&self.state(), after, "{place}: again");
        }
        if matches!(operation, "gc" | "empty") {
            assert_eq!(
                unremoved(self.folder.path(), operation),
                Vec::<String>::new(),
                "{place}"
            );
        }
        let all = [".skills-work", ".part", ".gone", "tmp"];
        if operation != "gc" && operation != "empty" {
            run("install", self.folder.path()).ok();
        }
        assert_eq!(
            traced::leftovers(&self.path("skills"), &all),
            Vec::<String>::new(),
            "{place}"
        );
    }

    /// Checks that every earlier skill is in a folder of skills, the trash, or the store.
    fn nothing_lost(&self, before: &State, operation: &str, place: &str) {
        if operation == "empty" || operation == "gc" {
            return;
        }
        let mut all = Vec::new();
        all.extend(
            folders(&self.path("skills"))
                .into_values()
                .filter_map(|(digest, _)| digest),
        );
        for trashed in DataFolder::new(self.path("data")).trash().list().unwrap() {
            all.push(
                Snapshot::read(&trashed.folder)
                    .unwrap()
                    .digest()
                    .to_string(),
            );
        }
        let stored = fs::read_dir(self.path("data/store")).into_iter().flatten();
        all.extend(
            stored.map(|entry| format!("sha256:{}", entry.unwrap().file_name().to_string_lossy())),
        );
        for digest in before.values().filter_map(|(digest, _)| digest.as_ref()) {
            let with_notes = operation == "update";
            assert!(
                with_notes || all.contains(digest),
                "{place}: {digest} is lost"
            );
        }
    }
}

/// Returns the folders that an operation reported as removed, and that still exist.
fn unremoved(world: &Path, operation: &str) -> Vec<String> {
    let folder = match operation {
        "gc" => "data/store",
        _ => "data/trash",
    };
    let names = fs::read_dir(world.join(folder)).into_iter().flatten();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name != ".lock").collect()
}

fn state_of(target: &Path, data: &DataFolder) -> State {
    if !target.exists() {
        return State::new();
    }
    // Reading the lock finishes the change of a killed process.
    let lock = read_lock(target, data).unwrap();
    let mut state = folders(target);
    for (name, locked) in lock.skills {
        state.entry(name).or_default().1 = Some(locked.digest.to_string());
    }
    state
}

fn folders(target: &Path) -> State {
    let mut state = State::new();
    for entry in fs::read_dir(target).into_iter().flatten() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() && !name.starts_with('.') {
            let digest = Snapshot::read(&entry.path()).unwrap().digest().to_string();
            state.entry(name).or_default().0 = Some(digest);
        }
    }
    state
}

struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// Options of an update that follow the sources of the tests, which are folders of this machine.
fn local() -> UpdateOptions {
    UpdateOptions {
        allows_local: true,
        ..UpdateOptions::default()
    }
}

/// Runs an operation, like a program does.
fn run(operation: &str, world: &Path) -> Result<(), Error> {
    let data = DataFolder::new(world.join("data"));
    let git = Git::default().own([world.join("skills")]);
    let host = Host {
        data: &data,
        git: &git,
        clock: &SystemClock,
        observer: &Quiet,
    };
    let target = world.join("skills");
    let names = ["a".to_owned(), "b".to_owned()];
    match operation {
        "install" => {
            let source = Source::parse("source", world)?;
            let offer = Offer::fetch(source, host)?;
            let options = InstallOptions::default();
            done(&offer.plan(&Chosen::All, &target, &options)?, host)
        }
        "clone" => {
            let url = format!("file://{}", world.join("remote").display());
            let offer = Offer::fetch(Source::parse(&url, world)?, host)?;
            let options = InstallOptions::default();
            done(&offer.plan(&Chosen::All, &target, &options)?, host)
        }
        "show" => {
            println!("{:?}", state_of(&target, &data));
            Ok(())
        }
        "update" | "history" => done(&plan_update(&target, &local(), host)?, host),
        "force" => {
            let mut options = local();
            options.on_conflict = OnConflict::Force;
            done(&plan_update(&target, &options, host)?, host)
        }
        "deps" => {
            // The first call that is traced tells this process from that in the place of cargo, which writes too.
            fs::write(world.join("begun"), "x").unwrap();
            let workspace = Workspace::read(world, &Cargo::new(world.join("cargo")), &Quiet)?;
            let plan = plan_deps(&workspace, &target, DepsOptions::default(), host)?;
            done(&plan.plan, host)
        }
        "locked" => done(&plan_locked(&target, &[], host)?, host),
        "uninstall" => done(
            &plan_uninstall(&target, &names, OnConflict::Refuse, host)?,
            host,
        ),
        "restore" => {
            let plans = plan_restore(&[target], None, host)?;
            plans.iter().try_for_each(|plan| done(plan, host))
        }
        "gc" => skills_host::lock::collect(&data).map(drop),
        "empty" => data.trash().empty(None).map(drop),
        _ => {
            let removal = operation.strip_prefix("unremoved ");
            let removal = removal.unwrap_or_else(|| unreachable!("{operation}"));
            println!("{:?}", unremoved(world, removal));
            Ok(())
        }
    }
}

fn done(plan: &Plan, host: Host<'_>) -> Result<(), Error> {
    let applied = apply(plan, host)?;
    match applied.into_iter().find_map(|applied| applied.error) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}
