//! Checks that a plan holds the bytes of a skill once, and how locks of two branches merge.

#![expect(
    clippy::disallowed_methods,
    reason = "a longer run is asked for by a variable"
)]

use super::*;
use crate::files::snapshot::Snapshot;
use crate::git::{Git, Quiet};
use crate::install::{Chosen, Host, InstallOptions, Offer, Source, apply, lock_differences};
use skills_repository::Provenance;
use std::fs;

#[test]
fn a_plan_holds_the_bytes_of_a_skill_once() {
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
        // What the store gets and what is written share them.
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
    install(70..140);
    assert_eq!(read_lock(&path("target"), &data).unwrap().skills.len(), 140);
}

/// Numbers that look random, and are the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// The number of pairs of branches: `.ci/nightly` tries more.
fn pairs() -> u32 {
    let pairs = std::env::var("SKILLS_MERGES").ok();
    pairs.map_or(10, |pairs| pairs.parse().unwrap())
}

/// The versions of the skills of a folder.
type State = BTreeMap<String, u64>;

/// Writes a skill. Two versions can have the same size, and each has powers of its own.
fn write_version(folder: &Path, name: &str, version: u64) {
    let powers = ["git push", "git pull", "curl -O", "npm ci"];
    let power = powers[usize::try_from(version % 4).unwrap()];
    let text =
        format!("---\nname: {name}\ndescription: Does x.\n---\n\nRun `{power}` {version} times.\n");
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("SKILL.md"), text).unwrap();
}

/// The lock of skills that were installed from a commit for each version.
fn installed_lock(world: &Path, state: &State) -> Lock {
    let one = |(name, version): (&String, &u64)| {
        let folder = world.join("one");
        let _ = fs::remove_dir_all(&folder);
        write_version(&folder, name, *version);
        let now = Snapshot::read(&folder).unwrap();
        let locked = Locked::new(now.digest(), now.size()).with_powers(&snapshot_powers(&now));
        let mut provenance = Provenance::new("https://example.org/skills.git");
        provenance.path = Some(name.clone());
        provenance.commit = Some(format!("{version:040}"));
        (name.clone(), locked.from(provenance))
    };
    Lock::installed(state.iter().map(one).collect())
}

/// What git makes of the locks of two branches.
fn merged_by_git(world: &Path, [base, ours, theirs]: [&Lock; 3]) -> String {
    for (file, lock) in [("base", base), ("ours", ours), ("theirs", theirs)] {
        fs::write(world.join(file), lock.to_string()).unwrap();
    }
    #[expect(clippy::disallowed_methods, reason = "git of the test")]
    let git = std::process::Command::new("git")
        .current_dir(world)
        .args(["merge-file", "-p", "ours", "base", "theirs"])
        .output()
        .unwrap();
    String::from_utf8(git.stdout).unwrap()
}

/// The states of a base, of two branches, and of both together: each skill is changed by one branch, or by none.
fn branches(random: &mut Random) -> [State; 4] {
    let mut states: [State; 4] = Default::default();
    for number in 0..24 {
        let name = format!("s{number:02}");
        let base = (random.below(3) > 0).then_some(1);
        let changed = match (random.below(4) == 0, base) {
            (false, _) => base,
            (true, None) => Some(1),
            (true, Some(_)) => (random.below(3) > 0).then(|| 2 + random.below(9)),
        };
        let branch = 1 + usize::try_from(random.below(2)).unwrap();
        for (at, state) in states.iter_mut().enumerate() {
            let version = if at == branch || at == 3 {
                changed
            } else {
                base
            };
            state.extend(version.map(|version| (name.clone(), version)));
        }
    }
    states
}

/// Two branches add, update and remove different skills. git merges their locks, or one command writes the lock anew: either
/// way it is the lock that a fresh write gives.
#[test]
fn locks_of_two_branches_merge() {
    let world = tempfile::tempdir().unwrap();
    let mut random = Random(1);
    let mut conflicts = 0;
    for case in 0..pairs() {
        let target = world.path().join(format!("case-{case}"));
        let states = branches(&mut random);
        for (name, version) in &states[3] {
            write_version(&target.join(name), name, *version);
        }
        let [base, ours, theirs, both] = states.map(|state| installed_lock(world.path(), &state));
        let text = merged_by_git(world.path(), [&base, &ours, &theirs]);
        let parsed = Lock::parse(&text);
        if let Ok(lock) = parsed {
            // git can leave an empty line more or less between two entries.
            assert_eq!(lock, both, "case {case}");
        } else {
            conflicts += 1;
            assert!(parsed.is_err_and(|error| error.conflict));
            let lock = merged(&target, &text).unwrap();
            assert_eq!(lock, both, "case {case}:\n{text}");
        }
    }
    assert!(
        conflicts > 0 && conflicts * 4 < pairs() * 3,
        "{conflicts} conflict"
    );
}

/// Two branches change the same skill, and others. The error names the conflict and the command; when a person has taken the
/// folder of one side, the command writes the lock that a fresh write gives, and the folder matches it.
#[test]
fn locks_that_disagree_about_a_skill_merge_by_the_named_command() {
    let world = tempfile::tempdir().unwrap();
    let data = DataFolder::new(world.path().join("data"));
    let host = Host {
        data: &data,
        git: &Git::default(),
        clock: &jiff::Timestamp::UNIX_EPOCH,
        observer: &Quiet,
    };
    let mut random = Random(2);
    for case in 0..pairs() {
        let target = world.path().join(format!("case-{case}"));
        let mut states = branches(&mut random);
        let name = format!("s{:02}", random.below(24));
        let is_there = random.below(3) > 0;
        let mut version = |first: u64| {
            let is_removed = is_there && random.below(4) == 0;
            (!is_removed).then(|| first + 2 * random.below(9))
        };
        // Never the same in both branches.
        let (ours, theirs) = (version(2), version(3));
        let theirs = theirs.or(ours.is_none().then_some(3));
        let taken = [ours, theirs][usize::try_from(random.below(2)).unwrap()];
        let base = is_there.then_some(1);
        for (state, version) in states.iter_mut().zip([base, ours, theirs, taken]) {
            state.remove(&name);
            state.extend(version.map(|version| (name.clone(), version)));
        }
        for (name, version) in &states[3] {
            write_version(&target.join(name), name, *version);
        }
        let [base, ours, theirs, both] = states.map(|state| installed_lock(world.path(), &state));
        let text = merged_by_git(world.path(), [&base, &ours, &theirs]);
        fs::create_dir_all(&target).unwrap();
        fs::write(target.join(LOCK_FILE), &text).unwrap();
        let error = lock_differences(&target, host).unwrap_err();
        let said = error.report().to_string();
        // git can also merge two entries of one skill without a marker.
        let is_named = said.contains("conflict markers") || said.contains("is in the lock twice");
        assert!(is_named, "{said}");
        assert!(said.contains("then run `skills lock "), "{said}");
        let lock = merged(&target, &text).unwrap();
        assert_eq!(lock, both, "case {case}, about {name}:\n{text}");
        fs::write(target.join(LOCK_FILE), lock.to_string()).unwrap();
        assert_eq!(lock_differences(&target, host).unwrap(), [], "case {case}");
    }
}

/// A skill with local changes has the files of no side. Where both sides have one entry for it, the entry stays.
#[test]
fn a_skill_that_was_changed_here_keeps_the_entry_of_both_sides() {
    let world = tempfile::tempdir().unwrap();
    let target = world.path().join("target");
    let locks = [1, 2, 3].map(|version| {
        let state = State::from([("a".to_owned(), version), ("changed".to_owned(), 1)]);
        installed_lock(world.path(), &state)
    });
    write_version(&target.join("a"), "a", 2);
    write_version(&target.join("changed"), "changed", 9);
    let text = merged_by_git(world.path(), locks.each_ref());
    assert_eq!(merged(&target, &text).unwrap(), locks[1], "{text}");
    // git merged two entries line by line: the files decide the size.
    write_version(&target.join("changed"), "changed", 1);
    let mixed = locks[1].to_string().replace("size = ", "size = 1");
    assert_eq!(merged(&target, &mixed).unwrap(), locks[1], "{mixed}");
    // The sides differ, and neither has these files.
    write_version(&target.join("a"), "a", 9);
    merged(&target, &text).unwrap_err();
}
