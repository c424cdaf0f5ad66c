//! A machine with a remote repository of five skills, for tests of a skill's life.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]
#![expect(clippy::disallowed_methods, reason = "tests run git")]

use jiff::Timestamp;
use skills_host::files::clock::Clock;
use skills_host::files::data::DataFolder;
use skills_host::git::{Git, Quiet};
use skills_host::install::{
    Action, ByHandState, Chosen, Host, InstallOptions, Offer, OnConflict, Plan, Source,
    UpdateOptions, apply, installed, plan_restore, plan_update,
};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicI64, Ordering};

/// The folders of a remote, a home and the data.
pub(crate) struct World {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) data: DataFolder,
    pub(crate) git: Git,
    pub(crate) clock: Ticking,
}

/// A clock that advances by a second at each call.
#[derive(Default)]
pub(crate) struct Ticking(AtomicI64);

impl Clock for Ticking {
    fn now(&self) -> Timestamp {
        Timestamp::from_second(self.0.fetch_add(1, Ordering::Relaxed)).unwrap()
    }
}

impl World {
    pub(crate) fn new() -> Self {
        let folder = crate::folder();
        let data = DataFolder::new(folder.path().join("data"));
        let target = folder.path().join("home/.agents/skills");
        let world = Self {
            folder,
            data,
            git: Git::default().own([target]),
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

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub(crate) fn run(&self, arguments: &[&str]) {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@b.example"]);
        let output = command
            .args(arguments)
            .current_dir(self.path("remote"))
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }

    pub(crate) fn commit(&self, message: &str) {
        self.run(&["add", "-A"]);
        self.run(&["commit", "-q", "-m", message]);
    }

    pub(crate) fn skill(&self, name: &str, body: &str) {
        let folder = self.path("remote/skills").join(name);
        fs::create_dir_all(folder.join("scripts")).unwrap();
        let text = format!(
            "---\nname: {name}\ndescription: Does {name} with care. Use when someone asks for {name}.\n---\n\n{body}\nRun `scripts/run.sh`.\n"
        );
        fs::write(folder.join("SKILL.md"), text).unwrap();
        fs::write(folder.join("scripts/run.sh"), "#!/bin/sh\necho hi\n").unwrap();
    }

    pub(crate) fn url(&self) -> String {
        format!("file://{}", self.path("remote").display())
    }

    pub(crate) fn host(&self) -> Host<'_> {
        Host {
            data: &self.data,
            git: &self.git,
            clock: &self.clock,
            observer: &Quiet,
        }
    }

    pub(crate) fn target(&self) -> PathBuf {
        self.path("home/.agents/skills")
    }

    pub(crate) fn plan(&self, source: &str, names: &[&str], options: &InstallOptions) -> Plan {
        let source = Source::parse(source, self.folder.path()).unwrap();
        let offer = Offer::fetch(source, self.host()).unwrap();
        let chosen = if names.is_empty() {
            Chosen::All
        } else {
            Chosen::Named(names.iter().map(ToString::to_string).collect())
        };
        offer.plan(&chosen, &self.target(), options).unwrap()
    }

    pub(crate) fn apply(&self, plan: &Plan) {
        for done in apply(plan, self.host()).unwrap() {
            assert!(done.error.is_none(), "{done:?}");
        }
        assert_eq!(leftovers(self.folder.path()), Vec::<String>::new());
    }

    pub(crate) fn update(&self, on_conflict: OnConflict) -> Plan {
        let options = UpdateOptions {
            on_conflict,
            // The remote of the tests is a folder of this machine.
            allows_local: true,
            ..UpdateOptions::default()
        };
        plan_update(&self.target(), &options, self.host()).unwrap()
    }

    /// Plans to bring back what the last command displaced in a folder of skills, or the last of one skill.
    pub(crate) fn restore(&self, target: &Path, name: Option<&str>) -> Plan {
        let mut plans = plan_restore(&[target.to_owned()], name, self.host()).unwrap();
        assert_eq!(plans.len(), 1, "{plans:?}");
        plans.remove(0)
    }

    pub(crate) fn state(&self, name: &str) -> ByHandState {
        installed(&self.target(), &self.data).unwrap()[name].state
    }

    pub(crate) fn text(&self, path: &str) -> String {
        fs::read_to_string(self.target().join(path)).unwrap()
    }
}

/// Returns the files that should not stay behind.
pub(crate) fn leftovers(folder: &Path) -> Vec<String> {
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

pub(crate) fn actions(plan: &Plan) -> Vec<(&str, Action)> {
    plan.skills
        .iter()
        .map(|skill| (skill.name.as_str(), skill.action))
        .collect()
}

pub(crate) fn reason(plan: &Plan, index: usize) -> &str {
    plan.skills[index].reason.as_deref().unwrap_or_default()
}

/// Runs git in a folder, and returns its output.
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=a", "-c", "user.email=a@b.example"]);
    let output = command
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout)
        .unwrap()
        .trim_end()
        .to_owned()
}

/// Returns the commit messages of a folder, the oldest first.
pub(crate) fn log(folder: &Path) -> Vec<String> {
    let log = git(folder, &["log", "--format=%s", "--reverse"]);
    log.lines().map(str::to_owned).collect()
}
