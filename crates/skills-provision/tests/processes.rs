//! Processes at the same time, and processes that are killed at each of their writes: this test's own binary, started again.

#![expect(clippy::disallowed_methods, reason = "tests start processes")]
#![expect(clippy::print_stdout, reason = "a test says what it skips")]
#![expect(clippy::unwrap_used, reason = "a test that fails panics")]

use skills_provision::{MARKER, Provision as _, Provisioned};
use skills_runtime::{Bundle, include_skills};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

static SKILLS: Bundle = include_skills!("tests/skills");
static NEWER: Bundle = include_skills!("tests/newer");

const FOLDER: &str = "SKILLS_PROVISION_FOLDER";

fn bundle(name: &str) -> &'static Bundle {
    if name == "newer" { &NEWER } else { &SKILLS }
}

/// The process that the other tests start: it provisions a folder once, or does nothing.
#[test]
fn child() {
    let Some(folder) = std::env::var_os(FOLDER) else {
        return;
    };
    let name = std::env::var("SKILLS_PROVISION_BUNDLE").unwrap();
    bundle(&name).provision(folder).run().unwrap();
}

/// Prepares the start of a process; `before` are the program and arguments that run it.
fn process(before: &[&str], folder: &Path, bundle: &str) -> Command {
    let binary = std::env::current_exe().unwrap();
    let mut command = match before {
        [] => Command::new(&binary),
        [program, arguments @ ..] => {
            let mut command = Command::new(program);
            command.args(arguments).arg(&binary);
            command
        }
    };
    command.args(["--exact", "child", "--test-threads=1"]);
    command
        .env(FOLDER, folder)
        .env("SKILLS_PROVISION_BUNDLE", bundle);
    command
}

/// Every file but the lock and the files of killed processes.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap().to_string_lossy();
            if path.is_dir() {
                folders.push(path);
            } else if !name.ends_with('~') && !name.ends_with(".lock") {
                files.insert(name.replace('\\', "/"), fs::read(path).unwrap());
            }
        }
    }
    files
}

#[test]
fn many_processes_at_once() {
    let temp = tempfile::tempdir().unwrap();
    let folder = temp.path().join("at/once");
    fs::create_dir_all(folder.join("deploy")).unwrap();
    fs::write(folder.join("deploy/mine.md"), "mine").unwrap();
    for _ in 0..3 {
        let start = |name| process(&[], &folder, name).spawn().unwrap();
        let children: Vec<_> = ["", "newer", "", "newer", "", "newer"].map(start).into();
        for mut child in children {
            assert!(child.wait().unwrap().success());
        }
    }
    NEWER.provision(&folder).run().unwrap();
    let files: Vec<String> = contents(&folder).into_keys().collect();
    assert_eq!(
        files,
        [
            MARKER,
            "deploy/SKILL.md",
            "deploy/mine.md",
            "release/SKILL.md",
            "release/references/form.md",
        ]
    );
}

#[test]
fn a_kill_at_each_write_is_made_good() {
    if !cfg!(target_os = "linux") || Command::new("strace").arg("-V").output().is_err() {
        println!("skipped: there is no strace on this machine");
        return;
    }
    let temp = tempfile::tempdir().unwrap();
    let new = |name: String, from: &str| {
        let folder = temp.path().join(name);
        if from != "nothing" {
            bundle(from).provision(&folder).run().unwrap();
            fs::write(folder.join("deploy/mine.md"), "mine").unwrap();
        }
        folder
    };
    let kills_of = &|from: &str, to: &str| {
        let mut kills = 0;
        let whole = new(format!("{from}-{to}"), from);
        bundle(to).provision(&whole).run().unwrap();
        let whole = contents(&whole);
        for call in [
            "mkdirat",
            "write",
            "fsync",
            "renameat,renameat2,rename",
            "unlinkat",
            "fchmod",
        ] {
            for at in 1.. {
                let folder = new(format!("{from}-{to}-{call}-{at}"), from);
                // The write of the test's runner comes last, so `folder` is complete then.
                let inject = format!("inject={call}:signal=KILL:when={at}");
                let strace = ["strace", "-f", "-o", "/dev/null", "-e", &inject];
                let ended = process(&strace, &folder, to).output().unwrap();
                // A third version comes in between at each second kill.
                if at % 2 == 0 {
                    let third = if from == "newer" { &NEWER } else { &SKILLS };
                    assert_eq!(third.provision(&folder).run().unwrap().kept, [""; 0]);
                }
                let done: Provisioned = bundle(to).provision(&folder).run().unwrap();
                assert_eq!(done.kept, [""; 0], "{from} {to} {call} {at}");
                assert_eq!(contents(&folder), whole, "{from} {to} {call} {at}");
                if ended.status.success() || at > 60 {
                    break;
                }
                kills += 1;
            }
        }
        kills
    };
    // The processes often wait: for the disk, and for `strace`.
    let kills: i32 = std::thread::scope(|scope| {
        let changes = [("nothing", "older"), ("older", "newer"), ("newer", "older")];
        let changes = changes.map(|(from, to)| scope.spawn(move || kills_of(from, to)));
        changes.map(|kills| kills.join().unwrap()).iter().sum()
    });
    println!("{kills} kills");
    assert!(kills > 30, "{kills} kills");
}

/// The folder is mounted again, read-only, in a namespace of the process: a user who may write everywhere cannot write
/// there either.
#[test]
fn a_read_only_folder_is_named_and_stays() {
    let mount = "mount --bind \"$0\" \"$0\" && mount -o remount,ro,bind \"$0\" && exec \"$@\"";
    let temp = tempfile::tempdir().unwrap();
    let folder = temp.path().join("skills");
    SKILLS.provision(&folder).run().unwrap();
    let path = folder.to_str().unwrap();
    let unshare = [
        "unshare",
        "--map-root-user",
        "--mount",
        "sh",
        "-c",
        mount,
        path,
    ];
    let can_mount = Command::new(unshare[0])
        .args(&unshare[1..])
        .arg("true")
        .status();
    if !can_mount.is_ok_and(|status| status.success()) {
        println!("skipped: this user cannot mount a folder read-only");
        return;
    }
    let before = contents(&folder);
    // What is up to date needs no write.
    assert!(
        process(&unshare, &folder, "older")
            .status()
            .unwrap()
            .success()
    );
    let ended = process(&unshare, &folder, "newer").output().unwrap();
    let output = String::from_utf8_lossy(&ended.stdout);
    assert!(!ended.status.success());
    assert!(
        output.contains(path) && output.contains("ReadOnlyFilesystem"),
        "{output}"
    );
    assert_eq!(contents(&folder), before);
}
