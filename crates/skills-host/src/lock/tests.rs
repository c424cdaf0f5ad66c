//! Checks how often a lock is parsed.

use super::*;
use crate::files::lock::{PARSED, TIMES};
use crate::files::snapshot::Snapshot;
use crate::git::{Git, Quiet};
use crate::install::{Chosen, Host, InstallOptions, Offer, Source, apply};
use std::fs;

#[test]
fn a_run_parses_the_lock_once() {
    let world = tempfile::tempdir().unwrap();
    let path = |name: &str| world.path().join(name);
    let data = DataFolder::new(path("data"));
    let clock = jiff::Timestamp::UNIX_EPOCH;
    let host = Host {
        data: &data,
        git: &Git::default(),
        clock: &clock,
        observer: &Quiet,
    };
    let install = |skills: std::ops::Range<usize>| {
        for n in skills {
            let folder = path("source").join(format!("s{n}"));
            fs::create_dir_all(&folder).unwrap();
            let text =
                format!("---\nname: s{n}\ndescription: Does {n}. Use for {n}.\n---\n\nDo it.\n");
            fs::write(folder.join("SKILL.md"), text).unwrap();
        }
        let source = Source::parse("source", world.path()).unwrap();
        let offer = Offer::fetch(source, host).unwrap();
        let plan = offer.plan(&Chosen::All, &path("target"), &InstallOptions::default());
        let plan = plan.unwrap();
        // A plan holds the bytes of a skill once: what the store gets and what is written share them.
        for prepared in plan
            .skills
            .iter()
            .filter_map(|skill| skill.prepared.as_ref())
        {
            let bytes = |of: &Snapshot| of.get("SKILL.md").map(|file| file.bytes.as_ptr());
            assert_eq!(bytes(&prepared.upstream), bytes(&prepared.result));
        }
        for applied in apply(&plan, host).unwrap() {
            assert!(applied.error.is_none(), "{applied:?}");
        }
    };
    install(0..70);
    // As in another process.
    PARSED.set(Vec::new());
    TIMES.set(0);
    install(70..140);
    assert_eq!(TIMES.get(), 1);
    assert_eq!(read_lock(&path("target"), &data).unwrap().skills.len(), 140);
}

/// Two branches add, update and remove different skills. git merges their locks, or one command writes the lock anew: either
/// way it is the lock that a fresh write gives.
#[test]
fn locks_of_two_branches_merge() {
    use skills_repository::Provenance;
    use std::process::Command;

    let world = tempfile::tempdir().unwrap();
    let path = |name: &str| world.path().join(name);
    let mut seed = 1_u64;
    let mut random = |below: u64| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let text = |name: &str, version: u64| {
        format!("---\nname: {name}\ndescription: Does x.\n---\n\nRun `git push` {version} times.\n")
    };
    let mut conflicts = 0;
    for case in 0..200 {
        let target = path(&format!("case-{case}"));
        // The versions of the skills: in the base, then with the changes of ours, of theirs, and of both.
        let mut states: [BTreeMap<String, u64>; 4] = Default::default();
        for number in 0..24 {
            let name = format!("s{number:02}");
            let is_there = random(3) > 0;
            let change = match (random(4) == 0, is_there) {
                (false, _) => 3,
                (true, true) => random(3),
                (true, false) => random(2) + 4,
            };
            for (at, state) in states.iter_mut().enumerate() {
                // Each skill is changed by one branch, or by none: ours 1, theirs 2.
                let (branch, version) = match change {
                    0 => (1, Some(2)),
                    1 => (2, Some(2)),
                    2 => (1 + number % 2, None),
                    4 => (1, Some(1)),
                    5 => (2, Some(1)),
                    _ => (0, None),
                };
                let applies = branch > 0 && (branch == at as u64 || at == 3);
                let version = if applies {
                    version
                } else {
                    is_there.then_some(1)
                };
                state.extend(version.map(|version| (name.clone(), version)));
            }
        }
        for (name, version) in &states[3] {
            fs::create_dir_all(target.join(name)).unwrap();
            fs::write(target.join(name).join("SKILL.md"), text(name, *version)).unwrap();
        }
        let locks = states.map(|state| {
            let one = |(name, version): (String, u64)| {
                let folder = path("one");
                let _ = fs::remove_dir_all(&folder);
                fs::create_dir_all(&folder).unwrap();
                fs::write(folder.join("SKILL.md"), text(&name, version)).unwrap();
                let now = Snapshot::read(&folder).unwrap();
                let locked = Locked::new(now.digest(), 90).with_powers(&snapshot_powers(&now));
                let mut provenance = Provenance::new("https://example.org/skills.git");
                provenance.path = Some(name.clone());
                (name, locked.from(provenance))
            };
            Lock::installed(state.into_iter().map(one).collect())
        });
        let [base, ours, theirs, both] = locks;
        for (file, lock) in [("base", &base), ("ours", &ours), ("theirs", &theirs)] {
            fs::write(path(file), lock.to_string()).unwrap();
        }
        #[expect(clippy::disallowed_methods, reason = "git of the test")]
        let git = Command::new("git")
            .current_dir(world.path())
            .args(["merge-file", "-p", "ours", "base", "theirs"])
            .output()
            .unwrap();
        let text = String::from_utf8(git.stdout).unwrap();
        let parsed = Lock::parse(&text);
        if let Ok(lock) = parsed {
            // git can leave an empty line more or less between two entries.
            assert_eq!(lock, both, "case {case}");
        } else {
            conflicts += 1;
            assert!(parsed.is_err_and(|error| error.conflict));
            assert_eq!(
                merged(&target, &text).unwrap(),
                both,
                "case {case}:\n{text}"
            );
        }
    }
    assert!((1..150).contains(&conflicts), "{conflicts} of 200 conflict");
}
