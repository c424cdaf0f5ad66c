//! Skills of the dependencies of a workspace: what may be read of a package, and which crate owns a name. A script in
//! the place of cargo prints the answer.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]

use crate::world::{World, actions, leftovers, reason};
use skills_host::Error;
use skills_host::deps::{Cargo, DepsOptions, DepsPlan, Workspace, plan_deps};
use skills_host::files::data::DataFolder;
use skills_host::git::{Git, Quiet};
use skills_host::install::{Host, PlannedSkill, apply};
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// A package: its name, its version and what stands under `metadata`.
struct Package(&'static str, &'static str, &'static str);

impl World {
    /// Writes a script that answers as cargo does about these packages, each in the folder `NAME-VERSION`. The first
    /// half of the graph is direct, and `far` is what the others need.
    fn cargo(&self, packages: &[Package]) -> Cargo {
        let root = self.folder.path();
        let mut listed = vec![format!(
            r#"{{"id":"app","name":"app","version":"1.0.0","manifest_path":"{}/app/Cargo.toml"}}"#,
            root.display()
        )];
        let (mut near, mut far) = (Vec::new(), Vec::new());
        for Package(name, version, metadata) in packages {
            let id = format!("\"{name} {version}\"");
            let folder = self.package(name, version);
            let metadata = if metadata.is_empty() {
                "null"
            } else {
                metadata
            };
            listed.push(format!(
                r#"{{"id":{id},"name":"{name}","version":"{version}","manifest_path":"{}/Cargo.toml","metadata":{metadata}}}"#,
                folder.display()
            ));
            if name.starts_with("far") {
                far.push(id);
            } else {
                near.push(id);
            }
        }
        self.answer(&format!(
            r#"{{"packages":[{}],"workspace_root":"{}","workspace_members":["app"],"resolve":{{"nodes":[{{"id":"app","dependencies":[{}]}},{{"id":"near","dependencies":[{}]}}]}}}}"#,
            listed.join(","),
            root.display(),
            near.join(","),
            far.join(",")
        ))
    }

    fn answer(&self, answer: &str) -> Cargo {
        fs::write(self.path("answer.json"), answer).unwrap();
        let script = format!("#!/bin/sh\ncat '{}'\n", self.path("answer.json").display());
        // A new name each time: a script that was just run can be busy.
        let n = fs::read_dir(self.folder.path()).unwrap().count();
        let path = self.path(&format!("cargo-{n}"));
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        Cargo::new(path)
    }

    fn package(&self, name: &str, version: &str) -> PathBuf {
        self.path("packages").join(format!("{name}-{version}"))
    }

    /// Writes a skill into a package, and returns the folder of the package.
    fn ship(&self, krate: &str, version: &str, folder: &str, name: &str) -> PathBuf {
        let package = self.package(krate, version);
        let skill = package.join(folder).join(name);
        fs::create_dir_all(&skill).unwrap();
        let text = format!(
            "---\nname: {name}\ndescription: Shows {name} of {krate} {version}. Use when someone asks for {name}.\n---\n\nCall it.\n"
        );
        fs::write(skill.join("SKILL.md"), text).unwrap();
        package
    }

    fn deps(&self, cargo: &Cargo, options: DepsOptions) -> Result<DepsPlan, Error> {
        let workspace = Workspace::read(self.folder.path(), cargo, &Quiet)?;
        plan_deps(&workspace, &self.target(), options, self.host())
    }

    fn planned(&self, packages: &[Package]) -> DepsPlan {
        let cargo = self.cargo(packages);
        self.deps(&cargo, DepsOptions::default()).unwrap()
    }
}

/// Returns crate, name and reason of what is not written.
fn left(plan: &DepsPlan) -> Vec<String> {
    let one = |left: &skills_host::deps::NotWritten| {
        let name = left.name.as_deref().unwrap_or("-");
        format!("{} {} {name}: {}", left.krate, left.version, left.reason)
    };
    plan.not_written.iter().map(one).collect()
}

fn names(plan: &DepsPlan) -> Vec<&str> {
    plan.plan
        .skills
        .iter()
        .map(|skill| skill.name.as_str())
        .collect()
}

#[test]
fn nothing_outside_of_a_package_is_read() {
    let world = World::new();
    let outside = world.ship("x", "0.0.0", "skills", "x");
    let outside = outside.join("skills");
    for (n, (path, told)) in [
        ("\"../x-0.0.0/skills\"".to_owned(), "not a folder inside"),
        (format!("\"{}\"", outside.display()), "not a folder inside"),
        (
            "\"a/../../x-0.0.0/skills\"".to_owned(),
            "not a folder inside",
        ),
        ("\".\"".to_owned(), "not a folder inside"),
        ("\"\"".to_owned(), "not a folder inside"),
        ("\"a\\\\..\\\\b\"".to_owned(), "not a folder inside"),
        ("\"a\\u0000b\"".to_owned(), "not a folder inside"),
        ("\".git\"".to_owned(), "not a folder inside"),
        ("\"link\"".to_owned(), "it is a link"),
        ("\"real/link\"".to_owned(), "it is a link"),
        ("\"inside\"".to_owned(), "it is a link"),
        ("3".to_owned(), "not a folder inside"),
        ("[\"skills\"]".to_owned(), "not a folder inside"),
        ("\"missing\"".to_owned(), "contains no skills"),
        ("\"empty\"".to_owned(), "contains no skills"),
        ("\"Cargo.toml\"".to_owned(), "contains no skills"),
    ]
    .into_iter()
    .enumerate()
    {
        let version: &'static str = format!("1.0.{n}").leak();
        let package = world.ship("x", version, "here", "x");
        fs::write(package.join("Cargo.toml"), "").unwrap();
        fs::create_dir_all(package.join("real")).unwrap();
        fs::create_dir_all(package.join("empty")).unwrap();
        symlink(&outside, package.join("link")).unwrap();
        symlink(&outside, package.join("real/link")).unwrap();
        symlink("here", package.join("inside")).unwrap();
        let metadata: &'static str = format!(r#"{{"skills":{{"path":{path}}}}}"#).leak();
        let plan = world.planned(&[Package("x", version, metadata)]);
        assert_eq!(names(&plan), [""; 0], "{path}");
        let left = left(&plan);
        assert!(
            left.len() == 1 && left[0].contains(told),
            "{path}: {left:?}"
        );
    }
    // The default folder as a link, and a link inside of a skill.
    let package = world.ship("y", "1.0.0", "here", "y");
    symlink(&outside, package.join("skills")).unwrap();
    let package = world.ship("z", "1.0.0", "skills", "z");
    symlink(outside.join("x/SKILL.md"), package.join("skills/z/more.md")).unwrap();
    let plan = world.planned(&[Package("y", "1.0.0", ""), Package("z", "1.0.0", "")]);
    assert_eq!(names(&plan), [""; 0]);
    let left = left(&plan);
    assert!(left[0].contains("it is a link"), "{left:?}");
    assert!(
        left[1].contains("z 1.0.0 z: ") && left[1].contains("link"),
        "{left:?}"
    );
}

#[test]
fn one_crate_owns_a_name() {
    let world = World::new();
    for (krate, version, name) in [
        ("foo", "1.0.0", "foo"),
        ("foo", "1.0.0", "foo-bar-usage"),
        ("foo-bar", "1.0.0", "foo-bar-usage"),
        ("foo", "10.0.0", "foo"),
        ("foo", "9.0.0", "foo"),
        ("a_b", "1.0.0", "a-b"),
        ("a-b", "1.0.0", "a-b"),
        ("far", "2.0.0", "far"),
        ("naïve", "1.0.0", "naive"),
        ("a__b", "1.0.0", "a-b"),
        ("Big", "1.0.0", "big"),
    ] {
        world.ship(krate, version, "skills", name);
    }
    // Two skills of one name in one crate.
    world.ship("Big", "1.0.0", "skills/one", "big-two");
    world.ship("Big", "1.0.0", "skills/two", "big-two");
    let packages = [
        Package("foo", "1.0.0", ""),
        Package("foo", "9.0.0", ""),
        Package("foo", "10.0.0", ""),
        Package("foo-bar", "1.0.0", ""),
        Package("a_b", "1.0.0", ""),
        Package("a-b", "1.0.0", ""),
        Package("far", "2.0.0", ""),
        Package("naïve", "1.0.0", ""),
        Package("a__b", "1.0.0", ""),
        Package("Big", "1.0.0", ""),
    ];
    let plan = world.planned(&packages);
    let near = ["big", "foo", "foo-bar-usage"];
    assert_eq!(names(&plan), near);
    let sources: Vec<_> = plan
        .plan
        .skills
        .iter()
        .map(|skill| skill.source.as_deref().unwrap())
        .collect();
    assert_eq!(
        sources,
        ["crate Big 1.0.0", "crate foo 10.0.0", "crate foo-bar 1.0.0"]
    );
    let left = left(&plan);
    for told in [
        "foo 1.0.0 foo: the name is taken by the crate foo 10.0.0",
        "foo 9.0.0 foo: the name is taken by the crate foo 10.0.0",
        "foo 1.0.0 foo-bar-usage: the name is taken by the crate foo-bar 1.0.0",
        "Big 1.0.0 big-two: the name is taken by the crate Big 1.0.0",
        "a_b 1.0.0 a-b: the name is taken by the crate a-b 1.0.0",
    ] {
        assert!(left.iter().any(|left| left == told), "{told}: {left:#?}");
    }
    for told in [
        "naïve 1.0.0 naive: a skill of this crate must be named `naïve`",
        "a__b 1.0.0 a-b: no skill can have the name of the crate",
        // Nothing says which one is meant: neither is written.
        "a-b 1.0.0 a-b: the crate a_b 1.0.0 in ",
        "Big 1.0.0 big-two: the crate Big 1.0.0 in ",
    ] {
        assert!(left.iter().any(|left| left.starts_with(told)), "{left:#?}");
    }
    // Direct dependencies alone, until all are asked for.
    let all = DepsOptions {
        all: true,
        force: false,
    };
    let cargo = world.cargo(&packages);
    let plan = world.deps(&cargo, all).unwrap();
    let known = ["big", "far", "foo", "foo-bar-usage"];
    assert_eq!(names(&plan), known);
    world.apply(&plan.plan);
    // What the lock names is followed, until nothing depends on it.
    let plan = world.planned(&packages);
    assert_eq!(names(&plan), known);
    assert_eq!(plan.plan.changes().count(), 0);
    let plan = world.planned(&[Package("foo", "1.0.0", ""), Package("a_b", "1.0.0", "")]);
    let words: Vec<_> = actions(&plan.plan)
        .iter()
        .map(|(name, action)| format!("{name} {action:?}"))
        .collect();
    assert_eq!(
        words,
        [
            "a-b Install",
            "big Leave",
            "far Leave",
            "foo Update",
            "foo-bar-usage Refuse"
        ]
    );
    assert!(reason(&plan.plan, 4).contains("installed from crate foo-bar 1.0.0"));
}

/// Returns the name, the action and the reason of each skill.
fn lines(plan: &DepsPlan) -> Vec<String> {
    let line = |skill: &PlannedSkill| {
        let reason = skill.reason.as_deref().unwrap_or_default();
        format!("{} {:?} {reason}", skill.name, skill.action)
    };
    plan.plan.skills.iter().map(line).collect()
}

/// The author keeps a skill for work on the crate.
#[test]
fn internal_skills_are_not_written() {
    let world = World::new();
    let package = world.ship("foo", "1.0.0", "skills", "foo");
    world.ship("foo", "1.0.0", "skills", "foo-in");
    world.apply(&world.planned(&[Package("foo", "1.0.0", "")]).plan);
    let skill = package.join("skills/foo-in/SKILL.md");
    let text = fs::read_to_string(&skill).unwrap();
    let internal = text.replace("\n---\n\n", "\nmetadata:\n  internal: true\n---\n\n");
    assert_ne!(text, internal);
    fs::write(skill, internal).unwrap();
    let plan = world.planned(&[Package("foo", "1.0.0", "")]);
    let reason = "its author keeps it for work on the crate: `metadata.internal` is true";
    assert_eq!(left(&plan), [format!("foo 1.0.0 foo-in: {reason}")]);
    assert_eq!(
        lines(&plan),
        [
            "foo Current ",
            "foo-in Leave no dependency of this workspace ships it now"
        ]
    );
}

#[test]
fn a_package_that_cannot_be_read_loses_nothing() {
    let world = World::new();
    let package = world.ship("foo", "1.0.0", "skills", "foo");
    world.apply(&world.planned(&[Package("foo", "1.0.0", "")]).plan);
    // The author's next version is not fit: the installed skill stays.
    let text = fs::read_to_string(package.join("skills/foo/SKILL.md")).unwrap();
    let skill = package.join("skills/foo/SKILL.md");
    for broken in [
        text.replace("name: foo", "name: Foo!"),
        text.replace("description", "d"),
        String::new(),
    ] {
        fs::write(&skill, broken).unwrap();
        let plan = world.planned(&[Package("foo", "1.0.0", "")]);
        let words: Vec<_> = actions(&plan.plan);
        assert_eq!(plan.plan.changes().count(), 0, "{words:?}");
        assert_eq!(plan.plan.refused().count(), 1, "{words:?}");
    }
    // A folder that cannot be looked into ships something that is not known.
    #[cfg(unix)]
    {
        let skills = package.join("skills");
        fs::rename(&skills, package.join("kept")).unwrap();
        std::os::unix::fs::symlink("skills", &skills).unwrap();
        let plan = world.planned(&[Package("foo", "1.0.0", "")]);
        let left = left(&plan);
        assert!(left[0].contains("skills cannot be read"), "{left:?}");
    }
    // The source is gone.
    fs::remove_dir_all(&package).unwrap();
    let plan = world.planned(&[Package("foo", "1.0.0", "")]);
    assert_eq!(plan.plan.changes().count(), 0);
    assert!(
        left(&plan)[0].contains("the source of the crate is missing"),
        "{:?}",
        left(&plan)
    );
    assert!(world.text("foo/SKILL.md").contains("Call it."));
}

#[test]
fn answers_of_any_size_and_form() {
    let world = World::new();
    world.ship("foo", "1.0.0", "skills", "foo");
    // 60 MB, most of it fields that are not kept.
    let more = format!(r#"{{"other":"{}","skills":null}}"#, "x".repeat(60 << 20));
    let plan = world.planned(&[Package("foo", "1.0.0", more.leak())]);
    assert_eq!(names(&plan), ["foo"]);
    for answer in [
        "",
        "null",
        "[",
        "{\"packages\":1}",
        "\u{1b}[31m",
        &"[".repeat(1 << 20),
    ] {
        let cargo = world.answer(answer);
        let error = world.deps(&cargo, DepsOptions::default()).err().unwrap();
        assert!(error.to_string().contains("cannot be read"), "{error}");
        assert!(error.remedy().is_some());
    }
    let error = world
        .deps(&Cargo::new("/no/such/cargo"), DepsOptions::default())
        .err()
        .unwrap();
    assert_eq!(error.to_string(), "there is no program `cargo`");
}

#[test]
fn a_folder_that_is_swapped_while_it_is_read() {
    let world = World::new();
    let package = world.ship("foo", "1.0.0", "skills", "foo");
    let outside = world.ship("other", "1.0.0", "skills", "foo");
    let secret = fs::read_to_string(outside.join("skills/foo/SKILL.md")).unwrap();
    let cargo = world.cargo(&[Package("foo", "1.0.0", "")]);
    let workspace = Workspace::read(world.folder.path(), &cargo, &Quiet).unwrap();
    let (real, away) = (package.join("skills"), package.join("away"));
    let is_done = AtomicBool::new(false);
    let mut found = 0;
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                fs::rename(&real, &away).unwrap();
                symlink(outside.join("skills"), &real).unwrap();
                fs::remove_file(&real).unwrap();
                fs::rename(&away, &real).unwrap();
                // Long enough for some reads to find the folder, and short enough to swap it in the middle of others.
                thread::sleep(Duration::from_micros(500));
            }
        });
        for _ in 0..300 {
            let plan = plan_deps(
                &workspace,
                &world.target(),
                DepsOptions::default(),
                world.host(),
            );
            for skill in plan.unwrap().plan.skills {
                found += 1;
                let added = skill
                    .difference
                    .iter()
                    .filter_map(|file| file.unified.as_deref());
                let text: String = added.collect();
                assert!(
                    !secret
                        .lines()
                        .skip(2)
                        .take(1)
                        .any(|line| text.contains(line)),
                    "{text}"
                );
            }
        }
        is_done.store(true, Ordering::Relaxed);
    });
    // In between it was the package's own folder.
    assert!(found > 0);
}

#[test]
fn twice_at_once() {
    let world = World::new();
    for name in ["foo", "foo-a", "foo-b", "foo-c"] {
        world.ship("foo", "1.0.0", "skills", name);
    }
    let cargo = world.cargo(&[Package("foo", "1.0.0", "")]);
    let workspace = Workspace::read(world.folder.path(), &cargo, &Quiet).unwrap();
    let (folder, target) = (world.folder.path(), world.target());
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let data = DataFolder::new(folder.join("data"));
                let clock = jiff::Timestamp::UNIX_EPOCH;
                let host = Host {
                    data: &data,
                    git: &Git::default(),
                    clock: &clock,
                    observer: &Quiet,
                };
                let plan = plan_deps(&workspace, &target, DepsOptions::default(), host);
                for done in apply(&plan.unwrap().plan, host).unwrap() {
                    assert!(done.error.is_none(), "{done:?}");
                }
            });
        }
    });
    let plan = world.planned(&[Package("foo", "1.0.0", "")]);
    assert_eq!((names(&plan).len(), plan.plan.changes().count()), (4, 0));
    assert_eq!(leftovers(world.folder.path()), Vec::<String>::new());
}
