//! What servers refuse, and what a repository holds that no skill can.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]

use crate::world::{World, reason};
use skills_host::git::Git;
use skills_host::install::{Host, InstallOptions, Offer, Source, apply, plan_locked};
use skills_host::lock::read_lock;
use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Stdio};

/// Some servers send only the commits of branches and tags. The whole history holds the commit of the lock.
#[test]
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
    assert!(
        apply(&plan, host)
            .unwrap()
            .iter()
            .all(|done| done.error.is_none())
    );
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
#[ignore = "two repositories of 100,000 files; `.ci/nightly` runs it"]
fn a_repository_holds_at_most_a_hundred_thousand_files() {
    let world = World::new();
    for (files, is_taken) in [(100_000, true), (100_001, false)] {
        let url = repository(&world, files);
        let source = Source::parse(&url, world.folder.path()).unwrap();
        let error = Offer::fetch(source, world.host()).err().unwrap();
        let told = error.to_string();
        // A repository that is taken is searched for skills.
        assert_eq!(
            told.starts_with("there is no skill in "),
            is_taken,
            "{told}"
        );
        assert_eq!(
            told.ends_with("contains more than 100000 files"),
            !is_taken,
            "{told}"
        );
    }
}
