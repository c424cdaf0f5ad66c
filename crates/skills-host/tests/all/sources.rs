//! Tests the forms of sources, the errors of missing sources, and the amount of fetched data.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]
#![cfg_attr(
    unix,
    expect(
        clippy::disallowed_methods,
        clippy::print_stdout,
        reason = "tests run git, and say what they measured"
    )
)]

use crate::world::{World, leftovers};
use jiff::Timestamp;
use skills_host::files::data::DataFolder;
use skills_host::git::{Git, Observer, Quiet};
use skills_host::install::{Chosen, Host, InstallOptions, Offer, Source, apply};
use skills_host::lock::read_lock;
use skills_host::{Error, ErrorKind};
use skills_store::disk::LockFile;
use std::fs;
use std::path::Path;
#[cfg(unix)]
use std::process::Command;
use std::sync::Mutex;
#[cfg(target_os = "linux")]
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

fn skill(folder: &Path, name: &str, body: &str) {
    fs::create_dir_all(folder).unwrap();
    let text = format!(
        "---\nname: {name}\ndescription: Does {name} with care. Use when someone asks for {name}.\n---\n\n{body}\n"
    );
    fs::write(folder.join("SKILL.md"), text).unwrap();
}

/// Returns the error for a source.
fn refused(world: &World, source: &str, git: &Git) -> Error {
    let host = Host {
        git,
        ..world.host()
    };
    let source = Source::parse(source, world.folder.path()).unwrap();
    Offer::fetch(source, host).err().unwrap()
}

#[test]
fn four_hundred_skills() {
    let world = World::new();
    let all = world.path("many");
    for n in 0..400 {
        let name = format!("skill-{n:03}");
        skill(&all.join(&name), &name, "Do it.");
    }
    let plan = world.plan(
        "many",
        &["skill-399", "skill-007"],
        &InstallOptions::default(),
    );
    let names: Vec<&str> = plan.skills.iter().map(|skill| &*skill.name).collect();
    assert_eq!(names, ["skill-007", "skill-399"]);
    let plan = world.plan("many", &[], &InstallOptions::default());
    assert_eq!(plan.changes().count(), 400);
}

#[test]
fn two_skills_of_one_name() {
    let world = World::new();
    for folder in ["one", "two"] {
        skill(&world.path("twins").join(folder).join("a"), "a", folder);
    }
    let source = Source::parse("twins", world.folder.path()).unwrap();
    let offer = Offer::fetch(source, world.host()).unwrap();
    let plan = |name: &str| {
        let chosen = Chosen::Named(vec![name.to_owned()]);
        offer.plan(&chosen, &world.target(), &InstallOptions::default())
    };
    let error = plan("a").unwrap_err();
    assert_eq!(
        error.remedy().as_deref(),
        Some("name one by its folder: one/a, two/a")
    );
    assert_eq!(
        plan("two/a").unwrap().skills[0].path.as_deref(),
        Some("two/a")
    );
}

#[test]
fn without_git() {
    let world = World::new();
    let git = Git::new("/no/such/git");
    let error = refused(&world, &world.url(), &git);
    assert_eq!(error.kind(), ErrorKind::Program);
    assert_eq!(error.to_string(), "there is no program `git`");
    assert!(error.remedy().unwrap().contains("a folder or an archive"));
    assert!(!world.path("data/tmp").exists());
    // A folder needs no git.
    let plan = world.plan("remote/skills", &["a"], &InstallOptions::default());
    let host = Host {
        git: &git,
        ..world.host()
    };
    assert!(apply(&plan, host).unwrap()[0].error.is_none());
}

/// Makes a program that replaces git.
#[cfg(unix)]
pub(crate) fn wrapper(world: &World, script: &str) -> Git {
    let path = world.path("git-wrapper");
    // Another process writes the file. Processes that other tests start inherit the open files of this process for a
    // moment, and a file that is open for writing cannot be run.
    let mut writer = Command::new("sh");
    writer.args([
        "-c",
        "printf '#!/bin/sh\\n%s\\n' \"$1\" >\"$0\" && chmod +x \"$0\"",
    ]);
    let written = writer.arg(&path).arg(script).status().unwrap();
    assert!(written.success());
    Git::new(path)
}

#[test]
#[cfg(unix)]
fn a_password_is_not_asked_for() {
    use std::io::{Read as _, Write as _};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut stream = stream;
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(
                b"HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            );
        }
    });
    let world = World::new();
    let git = wrapper(
        &world,
        &format!(
            "GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_ALLOW_PROTOCOL=http exec git \
             -c url.http://127.0.0.1:{port}/.insteadOf=https://private.example/ \"$@\""
        ),
    );
    let error = refused(&world, "https://private.example/acme.git", &git);
    assert_eq!(error.kind(), ErrorKind::Program);
    let told = error.to_string();
    assert!(told.contains("unable to get password from user"), "{told}");
    let help = "see what `git ls-remote https://private.example/acme.git` says";
    assert_eq!(error.remedy().as_deref(), Some(help));
    assert!(!world.path("data/tmp").exists());
}

/// An observer that cancels once a host was reached.
#[cfg(target_os = "linux")]
struct Stopped<'s>(&'s AtomicBool);

#[cfg(target_os = "linux")]
impl Observer for Stopped<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Returns the processes with a word in their arguments.
#[cfg(target_os = "linux")]
fn processes_with(word: &str) -> Vec<String> {
    let all = fs::read_dir("/proc").unwrap().flatten();
    let lines = all.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    let texts = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    texts.filter(|line| line.contains(word)).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn a_host_that_accepts_and_says_nothing_is_left_with_all_programs() {
    static REACHED: AtomicBool = AtomicBool::new(false);
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        let streams: Vec<_> = listener
            .incoming()
            .inspect(|_| REACHED.store(true, Ordering::Relaxed))
            .collect();
        drop(streams);
    });
    let world = World::new();
    let observer = Stopped(&REACHED);
    let host = Host {
        observer: &observer,
        ..world.host()
    };
    let url = format!("https://127.0.0.1:{port}/silent.git");
    let source = Source::parse(&url, world.folder.path()).unwrap();
    // At this moment the transport waits for its host, and would wait for minutes.
    let error = Offer::fetch(source, host).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Cancelled);
    assert!(!world.path("data").exists());
    let own = std::process::id().to_string();
    let left = processes_with(&format!("{port}/silent.git"));
    assert!(left.is_empty(), "{own}: {left:?}");
}

#[test]
fn installs_at_once() {
    let world = World::new();
    let names = ["a", "b", "c", "d", "e"];
    let plans: Vec<_> = names
        .iter()
        .map(|name| world.plan(&world.url(), &[name], &InstallOptions::default()))
        .collect();
    let data = world.path("data");
    thread::scope(|scope| {
        for plan in &plans {
            let data = &data;
            scope.spawn(move || {
                let (data, git) = (DataFolder::new(data), Git::default());
                let host = Host {
                    data: &data,
                    git: &git,
                    clock: &Timestamp::UNIX_EPOCH,
                    observer: &Quiet,
                };
                for applied in apply(plan, host).unwrap() {
                    assert!(applied.error.is_none(), "{applied:?}");
                }
            });
        }
    });
    let lock = read_lock(&world.target(), &world.data).unwrap();
    assert_eq!(lock.skills.keys().collect::<Vec<_>>(), names);
    assert_eq!(leftovers(world.folder.path()), Vec::<String>::new());
}

/// An observer that records the holder of a lock.
#[derive(Default)]
struct Waits(Mutex<Option<String>>);

impl Observer for Waits {
    fn waiting(&self, _: &Path, holder: &str) {
        *self.0.lock().unwrap() = Some(holder.to_owned());
    }
}

#[test]
fn who_waits_says_for_whom() {
    let world = World::new();
    let plan = world.plan(&world.url(), &["a"], &InstallOptions::default());
    let work = world.target().join(".skills-work");
    fs::create_dir_all(&work).unwrap();
    fs::write(work.join("lock"), "process 1234").unwrap();
    let held = LockFile(fs::File::open(work.join("lock")).unwrap());
    held.wait().unwrap();
    let waits = Waits::default();
    let data = world.path("data");
    thread::scope(|scope| {
        let applied = scope.spawn(|| {
            let (data, git) = (DataFolder::new(&data), Git::default());
            let host = Host {
                data: &data,
                git: &git,
                clock: &Timestamp::UNIX_EPOCH,
                observer: &waits,
            };
            apply(&plan, host).unwrap().remove(0).error
        });
        while waits.0.lock().unwrap().is_none() {
            thread::yield_now();
        }
        assert!(!world.target().join("a").exists());
        drop(held);
        assert!(applied.join().unwrap().is_none());
    });
    let holder = waits.0.lock().unwrap().clone().unwrap();
    // On Windows a locked file is unreadable.
    let is_unread = cfg!(windows) && holder == "another process";
    assert!(holder == "process 1234" || is_unread, "{holder}");
    assert!(world.target().join("a/SKILL.md").exists());
}

/// Returns the size of the objects in a repository, in bytes.
#[cfg(unix)]
fn object_bytes(repository: &Path) -> u64 {
    let mut folders = vec![repository.join("objects")];
    let mut bytes = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_none_or(|kind| kind == "pack") {
                bytes += fs::metadata(&path).unwrap().len();
            }
        }
    }
    bytes
}

/// One of 500 skills is fetched with less than a twentieth of the bytes of a shallow clone.
#[test]
#[cfg(unix)]
fn one_skill_of_five_hundred() {
    let world = World::new();
    let mut number: u64 = 1;
    let mut noise = |words: usize| {
        let text = |_| {
            number = number
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            format!("{:x} ", number >> 40)
        };
        (0..words).map(text).collect::<String>()
    };
    for n in 0..500 {
        let name = format!("skill-{n:03}");
        let folder = world.path("remote/skills").join(&name);
        skill(&folder, &name, &noise(500));
        fs::create_dir(folder.join("references")).unwrap();
        fs::write(folder.join("references/more.md"), noise(1000)).unwrap();
    }
    world.commit("many");
    world.run(&["config", "uploadpack.allowFilter", "true"]);
    world.run(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    // Keeps a copy of the fetched repository for the test.
    let kept = world.path("kept");
    let copy = format!(
        "git \"$@\"; code=$?; for a in \"$@\"; do case \"$a\" in */git) rm -rf {0}; cp -r \"$a\" {0};; esac; done; exit $code",
        kept.display()
    );
    let git = wrapper(&world, &copy);
    let host = Host {
        git: &git,
        ..world.host()
    };
    let source = Source::parse(&world.url(), world.folder.path()).unwrap();
    let offer = Offer::fetch(source, host).unwrap();
    let chosen = Chosen::Named(vec!["skill-123".to_owned()]);
    let plan = offer.plan(&chosen, &world.target(), &InstallOptions::default());
    assert!(apply(&plan.unwrap(), host).unwrap()[0].error.is_none());
    let clone = world.path("clone");
    let cloned = Command::new("git")
        .args(["clone", "-q", "--bare", "--depth", "1", &world.url()])
        .arg(&clone)
        .status();
    assert!(cloned.unwrap().success());
    let (fetched, cloned) = (object_bytes(&kept), object_bytes(&clone));
    println!("one skill of 500: {fetched} bytes; git clone --depth 1: {cloned} bytes");
    assert!(fetched * 20 < cloned, "{fetched} of {cloned}");
}
