//! What another process does between a plan and its changes, and what a server refuses.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]

use crate::world::{World, actions, reason};
use skills_host::Error;
use skills_host::git::{Git, Observer};
use skills_host::install::{
    Host, InstallOptions, Offer, OnConflict, Plan, Source, Strictness, apply, plan_locked,
    temporary_folder,
};
use skills_host::lock::read_lock;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
#[cfg(unix)]
use std::process::{Command, Stdio};

/// Applies a plan, and returns the error of each skill.
fn errors(plan: &Plan, host: Host<'_>) -> Vec<(String, Option<Error>)> {
    let applied = apply(plan, host).unwrap().into_iter();
    applied.map(|done| (done.name, done.error)).collect()
}

/// Copies the files of a skill of the remote into the folder of skills, as another program would.
fn copied(world: &World, name: &str) {
    for file in ["SKILL.md", "scripts/run.sh"] {
        let to = world.target().join(name).join(file);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(world.path("remote/skills").join(name).join(file), to).unwrap();
    }
}

#[test]
fn the_same_change_of_another_process_is_no_error() {
    let world = World::new();
    let options = InstallOptions::default();
    let (first, second) = (
        world.plan(&world.url(), &["a"], &options),
        world.plan(&world.url(), &["a"], &options),
    );
    world.apply(&first);
    world.apply(&second);
    assert!(world.data.trash().list().unwrap().is_empty());
}

#[test]
fn equal_files_without_an_entry_in_the_lock_are_not_the_same_change() {
    let world = World::new();
    let plan = world.plan(&world.url(), &["a"], &InstallOptions::default());
    copied(&world, "a");
    let [(_, Some(error))] = &errors(&plan, world.host())[..] else {
        panic!("the files of another program were taken for this install");
    };
    assert!(error.to_string().contains("meanwhile"), "{error}");
    assert!(
        !read_lock(&world.target(), &world.data)
            .unwrap()
            .skills
            .contains_key("a")
    );
}

#[test]
fn equal_files_in_place_of_an_older_version_are_not_the_same_change() {
    let world = World::new();
    world.apply(&world.plan(&world.url(), &["a"], &InstallOptions::default()));
    let before = fs::read_to_string(world.target().join("skills.lock")).unwrap();
    world.skill("a", "One, changed.\n");
    world.commit("second");
    let plan = world.update(OnConflict::Refuse);
    copied(&world, "a");
    let [(_, Some(error))] = &errors(&plan, world.host())[..] else {
        panic!("the lock would name the older version");
    };
    assert!(error.to_string().contains("meanwhile"), "{error}");
    let after = fs::read_to_string(world.target().join("skills.lock")).unwrap();
    assert_eq!(after, before);
}

/// Puts a folder in the place of the lock while the skill `b` is installed.
struct LockTaken<'p>(&'p Path);

impl Observer for LockTaken<'_> {
    fn progress(&self, line: &str) {
        if line == "b" {
            let _ = fs::remove_file(self.0);
            fs::create_dir_all(self.0.join("in the way")).unwrap();
        }
    }
}

#[test]
fn a_lock_that_cannot_be_written_is_the_error_of_the_skills_without_an_entry() {
    let world = World::new();
    let options = InstallOptions::default();
    let plan = world.plan(&world.url(), &["a", "b"], &options);
    world.apply(&world.plan(&world.url(), &["a"], &options));
    let lock = world.target().join("skills.lock");
    let host = Host {
        observer: &LockTaken(&lock),
        ..world.host()
    };
    // Another process has installed `a`: only the entry of `b` is missing.
    let errors = errors(&plan, host);
    let failed: Vec<(&str, bool)> = errors
        .iter()
        .map(|(name, error)| (name.as_str(), error.is_some()))
        .collect();
    assert_eq!(failed, [("a", false), ("b", true)], "{errors:?}");
}

/// Some servers send only the commits of branches and tags. The whole history holds the commit of the lock.
#[test]
#[cfg(unix)]
fn a_server_that_refuses_a_single_commit() {
    let world = World::new();
    world.apply(&world.plan(&world.url(), &["a"], &InstallOptions::default()));
    let commit = {
        let lock = read_lock(&world.target(), &world.data).unwrap();
        lock.skills["a"].provenance.clone().unwrap().commit.unwrap()
    };
    world.skill("a", "One, changed.\n");
    world.commit("second");
    fs::remove_dir_all(world.target().join("a")).unwrap();
    fs::remove_dir_all(world.path("data")).unwrap();
    let refusing = format!(
        "case \" $* \" in *\" fetch \"*{commit}*) echo 'error: Server does not allow request for \
         unadvertised object' >&2; exit 128;; esac; exec git \"$@\""
    );
    let git = crate::sources::wrapper(&world, &refusing);
    let host = Host {
        git: &git,
        ..world.host()
    };
    let plan = plan_locked(&world.target(), &[], host).unwrap();
    assert_eq!(plan.skills[0].reason.as_deref(), None);
    assert!(errors(&plan, host).iter().all(|(_, error)| error.is_none()));
    assert!(world.text("a/SKILL.md").contains("One."));
    // Another failure is told as it is.
    let git = Git::new("/no/such/git");
    let host = Host {
        git: &git,
        ..world.host()
    };
    fs::remove_dir_all(world.target().join("a")).unwrap();
    fs::remove_dir_all(world.path("data")).unwrap();
    let failed = plan_locked(&world.target(), &[], host);
    let told = failed.map_or_else(
        |error| error.to_string(),
        |plan| plan.skills[0].reason.clone().unwrap().to_string(),
    );
    assert!(told.contains("there is no program"), "{told}");
}

#[test]
#[cfg(unix)]
fn a_link_in_a_repository_is_named() {
    let world = World::new();
    std::os::unix::fs::symlink("SKILL.md", world.path("remote/skills/a/other.md")).unwrap();
    world.commit("a link");
    let plan = world.plan(&world.url(), &["a"], &InstallOptions::default());
    assert!(
        reason(&plan, 0).contains("is a link"),
        "{}",
        reason(&plan, 0)
    );
}

/// Makes a repository with so many files in one folder, all of them equal.
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "tests run git")]
fn repository(world: &World, files: usize) -> String {
    let name = format!("wide-{files}");
    let folder = world.path(&name);
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.arg("-C").arg(&folder).args(arguments);
        git
    };
    fs::create_dir(&folder).unwrap();
    assert!(
        git(&["init", "-q", "-b", "main"])
            .status()
            .unwrap()
            .success()
    );
    let mut stream = "blob\nmark :1\ndata 2\nx\n\ncommit refs/heads/main\ncommitter a <a@b.example> 1 +0000\ndata 1\nm\n".to_owned();
    for at in 0..files {
        writeln!(stream, "M 100644 :1 files/{at}").unwrap();
    }
    let mut import = git(&["fast-import", "--quiet"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut import.stdin.take().unwrap(), stream.as_bytes()).unwrap();
    assert!(import.wait().unwrap().success());
    format!("file://{}", folder.display())
}

#[test]
#[cfg(unix)]
#[ignore = "two repositories of 100,000 files; `.ci/nightly` runs it"]
fn a_repository_holds_at_most_a_hundred_thousand_files() {
    let world = World::new();
    for (files, is_taken) in [(100_000, true), (100_001, false)] {
        let url = repository(&world, files);
        let source = Source::parse(&url, world.folder.path()).unwrap();
        let temporary = temporary_folder(&world.data);
        let error = Offer::fetch(source, &temporary, world.host())
            .err()
            .unwrap();
        let told = error.to_string();
        // A repository that is taken is searched for skills.
        assert_eq!(
            told.starts_with("there is no skill in "),
            is_taken,
            "{told}"
        );
        assert_eq!(
            told.ends_with("holds more than 100000 files"),
            !is_taken,
            "{told}"
        );
    }
}

#[test]
fn errors_that_are_installed_already_refuse_no_update() {
    let world = World::new();
    let mut options = InstallOptions::default();
    options.strictness = Strictness::Lenient;
    let faulty = |body: &str| {
        let text =
            format!("---\nname: a\ndescription: Does a: with care. Use when asked.\n---\n{body}\n");
        fs::write(world.path("remote/skills/a/SKILL.md"), text).unwrap();
    };
    faulty("One.");
    world.commit("an unquoted colon");
    world.apply(&world.plan(&world.url(), &["a"], &options));
    // The same files at another commit.
    world.skill("b", "Other.\n");
    world.commit("another skill");
    let plan = world.update(OnConflict::Refuse);
    assert_eq!(
        plan.skills[0].reason.as_deref(),
        None,
        "{:?}",
        actions(&plan)
    );
    // New files with the same error.
    faulty("Two.");
    world.commit("still with the colon");
    let plan = world.update(OnConflict::Refuse);
    assert!(
        reason(&plan, 0).starts_with("a strict check of the new version finds"),
        "{:?}",
        plan.skills[0].reason
    );
}
