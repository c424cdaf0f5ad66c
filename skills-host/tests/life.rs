//! A skill's life on a machine, over local git remotes.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]
#![expect(clippy::disallowed_methods, reason = "tests run git")]

use jiff::Timestamp;
use skills_host::ErrorKind;
use skills_host::files::clock::Clock;
use skills_host::files::data::DataFolder;
use skills_host::files::work::read_lock;
use skills_host::git::{Git, Quiet};
use skills_host::install::{
    Action, ByHandState, Chosen, Host, InstallOptions, Offer, OnConflict, Plan, Source,
    UpdateOptions, apply, installed, lock_differences, plan_locked, plan_restore, plan_uninstall,
    plan_update, temporary_folder,
};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicI64, Ordering};

struct World {
    folder: tempfile::TempDir,
    data: DataFolder,
    git: Git,
    clock: Ticking,
}

/// A second passes whenever it is asked.
#[derive(Default)]
struct Ticking(AtomicI64);

impl Clock for Ticking {
    fn now(&self) -> Timestamp {
        Timestamp::from_second(self.0.fetch_add(1, Ordering::Relaxed)).unwrap()
    }
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder::new(folder.path().join("data"));
        let world = Self {
            folder,
            data,
            git: Git::default(),
            clock: Ticking::default(),
        };
        fs::create_dir(world.path("remote")).unwrap();
        world.run(&["init", "-q", "-b", "main"]);
        for name in ["a", "b", "c", "d", "e"] {
            world.skill(name, "One.\nTwo.\nThree.\nFour.\nFive.\n");
        }
        world.commit("first");
        world.run(&["tag", "v1"]);
        world
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn run(&self, arguments: &[&str]) {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@b.example"]);
        let output = command
            .args(arguments)
            .current_dir(self.path("remote"))
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }

    fn commit(&self, message: &str) {
        self.run(&["add", "-A"]);
        self.run(&["commit", "-q", "-m", message]);
    }

    fn skill(&self, name: &str, body: &str) {
        let folder = self.path("remote/skills").join(name);
        fs::create_dir_all(folder.join("scripts")).unwrap();
        let text = format!(
            "---\nname: {name}\ndescription: Does {name} with care. Use when someone asks for {name}.\n---\n\n{body}\nRun `scripts/run.sh`.\n"
        );
        fs::write(folder.join("SKILL.md"), text).unwrap();
        fs::write(folder.join("scripts/run.sh"), "#!/bin/sh\necho hi\n").unwrap();
    }

    fn url(&self) -> String {
        format!("file://{}", self.path("remote").display())
    }

    fn host(&self) -> Host<'_> {
        Host {
            data: &self.data,
            git: &self.git,
            clock: &self.clock,
            observer: &Quiet,
        }
    }

    fn target(&self) -> PathBuf {
        self.path("home/.agents/skills")
    }

    fn plan(&self, source: &str, names: &[&str], options: &InstallOptions) -> Plan {
        let source = Source::parse(source, self.folder.path()).unwrap();
        let temporary = temporary_folder(&self.data);
        let offer = Offer::fetch(source, &temporary, self.host()).unwrap();
        let chosen = if names.is_empty() {
            Chosen::All
        } else {
            Chosen::Named(names.iter().map(ToString::to_string).collect())
        };
        offer.plan(&chosen, &self.target(), options).unwrap()
    }

    fn apply(&self, plan: &Plan) {
        for done in apply(plan, self.host()).unwrap() {
            assert!(done.error.is_none(), "{done:?}");
        }
        assert_eq!(leftovers(self.folder.path()), Vec::<String>::new());
    }

    fn update(&self, on_conflict: OnConflict) -> Plan {
        let mut options = UpdateOptions::default();
        options.on_conflict = on_conflict;
        plan_update(&self.target(), &options, self.host()).unwrap()
    }

    fn state(&self, name: &str) -> ByHandState {
        installed(&self.target(), &self.data).unwrap()[name].state
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.target().join(path)).unwrap()
    }
}

/// What should not stay behind.
fn leftovers(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if name == ".skills-work" || name == "tmp" || name.starts_with(".part") {
                found.push(path.display().to_string());
            }
            if path.is_dir() && name != ".git" {
                folders.push(path);
            }
        }
    }
    found
}

fn actions(plan: &Plan) -> Vec<(&str, Action)> {
    plan.skills
        .iter()
        .map(|skill| (skill.name.as_str(), skill.action))
        .collect()
}

fn reason(plan: &Plan, index: usize) -> &str {
    plan.skills[index].reason.as_deref().unwrap_or_default()
}

#[test]
fn a_life() {
    let world = World::new();
    let options = InstallOptions::default();
    let plan = world.plan(&format!("{}#v1", world.url()), &["a", "b"], &options);
    assert_eq!(
        actions(&plan),
        [("a", Action::Install), ("b", Action::Install)]
    );
    assert_eq!(plan.skills[0].scripts, ["scripts/run.sh"]);
    world.apply(&plan);
    let lock = read_lock(&world.target()).unwrap();
    let from = lock.skills["a"].provenance.clone().unwrap();
    assert_eq!(from.path.as_deref(), Some("skills/a"));
    assert_eq!(from.requested.as_deref(), Some("v1"));
    assert_eq!(world.state("a"), ByHandState::Unchanged);

    // The tag stays, and a newer one is noted.
    world.skill("a", "One, changed.\nTwo.\nThree.\nFour.\nFive.\n");
    world.skill("b", "One, changed.\nTwo.\nThree.\nFour.\nFive.\n");
    world.commit("second");
    world.run(&["tag", "-a", "v2", "-m", "v2"]);
    let plan = world.update(OnConflict::Refuse);
    assert_eq!(
        actions(&plan),
        [("a", Action::Current), ("b", Action::Current)]
    );
    assert_eq!(
        plan.skills[0].note.as_deref(),
        Some("a newer tag exists: v2")
    );

    // Onto the branch, with an edit in one and an added file in the other.
    let plan = world.plan(&format!("{}#v1", world.url()), &["a", "b"], &options);
    assert_eq!(
        actions(&plan),
        [("a", Action::Current), ("b", Action::Current)]
    );
    let edited = world.text("a/SKILL.md").replace("Five.", "Five, by hand.");
    fs::write(world.target().join("a/SKILL.md"), edited).unwrap();
    fs::write(world.target().join("b/notes.md"), "mine").unwrap();
    assert_eq!(world.state("a"), ByHandState::Changed);
    assert_eq!(world.state("b"), ByHandState::Added);
    let plan = world.plan(&format!("{}#main", world.url()), &["a", "b"], &options);
    assert_eq!(
        actions(&plan),
        [("a", Action::Refuse), ("b", Action::Update)]
    );
    assert_eq!(reason(&plan, 0), "it was changed by hand: SKILL.md");
    assert!(
        plan.skills[0].by_hand[0]
            .unified
            .as_ref()
            .unwrap()
            .contains("+Five, by hand.")
    );
    assert_eq!(plan.skills[1].kept, ["notes.md"]);
    world.apply(&plan);
    assert_eq!(world.text("b/notes.md"), "mine");
    assert!(world.text("b/SKILL.md").contains("One, changed."));

    // Merged: both changes are there.
    let mut merging = InstallOptions::default();
    merging.on_conflict = OnConflict::Merge;
    let plan = world.plan(&format!("{}#main", world.url()), &["a"], &merging);
    assert_eq!(actions(&plan), [("a", Action::Merge)]);
    world.apply(&plan);
    assert!(world.text("a/SKILL.md").contains("One, changed."));
    assert!(world.text("a/SKILL.md").contains("Five, by hand."));
    assert_eq!(world.state("a"), ByHandState::Changed);

    // A conflict refuses the whole skill, and force keeps the old one in the trash.
    world.skill("a", "One, changed.\nTwo.\nThree.\nFour.\nFive, upstream.\n");
    fs::write(world.path("remote/skills/b/notes.md"), "theirs").unwrap();
    world.commit("third");
    let plan = world.update(OnConflict::Merge);
    assert_eq!(
        actions(&plan),
        [("a", Action::Refuse), ("b", Action::Refuse)]
    );
    assert!(reason(&plan, 0).contains("both sides changed the same lines"));
    assert!(reason(&plan, 1).contains("notes.md: it was added here and in the source"));
    let before = world.text("a/SKILL.md");
    let plan = world.update(OnConflict::Force);
    assert_eq!(
        actions(&plan),
        [("a", Action::Replace), ("b", Action::Replace)]
    );
    world.apply(&plan);
    assert!(world.text("a/SKILL.md").contains("Five, upstream."));
    assert_eq!(world.text("b/notes.md"), "theirs");
    let plan = plan_restore(&world.target(), Some("a"), world.host()).unwrap();
    world.apply(&plan);
    assert_eq!(world.text("a/SKILL.md"), before);
    assert_eq!(world.state("a"), ByHandState::Changed);

    // Uninstalled and restored.
    let plan = plan_uninstall(&world.target(), &["a".into()], OnConflict::Refuse).unwrap();
    world.apply(&plan);
    assert!(!world.target().join("a").exists());
    assert!(!read_lock(&world.target()).unwrap().skills.contains_key("a"));
    let plan = plan_restore(&world.target(), None, world.host()).unwrap();
    assert_eq!(actions(&plan), [("a", Action::Restore)]);
    world.apply(&plan);
    assert_eq!(world.text("a/SKILL.md"), before);
    assert!(read_lock(&world.target()).unwrap().skills.contains_key("a"));
}

#[test]
fn put_back_from_the_lock() {
    let world = World::new();
    let plan = world.plan(&world.url(), &["a", "b"], &InstallOptions::default());
    world.apply(&plan);
    let lock = fs::read_to_string(world.target().join("skills.lock")).unwrap();
    assert_eq!(lock_differences(&world.target(), world.host()).unwrap(), []);
    let gone = || {
        for name in ["a", "b"] {
            fs::remove_dir_all(world.target().join(name)).unwrap();
        }
    };
    let back = || {
        let plan = plan_locked(&world.target(), &[], world.host()).unwrap();
        assert_eq!(
            actions(&plan),
            [("a", Action::Install), ("b", Action::Install)],
            "{:?}",
            plan.skills[0].reason
        );
        world.apply(&plan);
        assert_eq!(lock_differences(&world.target(), world.host()).unwrap(), []);
        assert_eq!(
            fs::read_to_string(world.target().join("skills.lock")).unwrap(),
            lock
        );
    };
    // With the remote gone, then with the store gone and a remote that has moved on.
    gone();
    assert_eq!(
        lock_differences(&world.target(), world.host())
            .unwrap()
            .len(),
        2
    );
    fs::rename(world.path("remote"), world.path("away")).unwrap();
    back();
    fs::rename(world.path("away"), world.path("remote")).unwrap();
    world.skill("a", "Other.\n");
    world.commit("second");
    gone();
    fs::remove_dir_all(world.path("data/store")).unwrap();
    back();
}

#[test]
fn what_a_source_may_not_do() {
    let world = World::new();
    let source = |text: &str| {
        let source = Source::parse(text, world.folder.path()).unwrap();
        let temporary = temporary_folder(&world.data);
        Offer::fetch(source, &temporary, world.host()).map(|offer| offer.skills().len())
    };
    assert_eq!(source(&world.url()).unwrap(), 5);
    let no_revision = source(&format!("{}#v9", world.url())).unwrap_err();
    assert_eq!(no_revision.kind(), ErrorKind::NotFound);
    let missing = source("file:///no/such/repository").unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::Program);
    assert!(
        missing
            .to_string()
            .contains("does not appear to be a git repository"),
        "{missing}"
    );
    fs::create_dir(world.path("empty")).unwrap();
    assert_eq!(source("empty").unwrap_err().kind(), ErrorKind::NotFound);
}
