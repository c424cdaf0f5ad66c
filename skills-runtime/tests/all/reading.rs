//! Checks bodies and files of skills on a disk that changes during the reads.

#![expect(clippy::disallowed_methods, reason = "a test makes its folders")]

use crate::support::{Disk, link, skill};
use skills_runtime::{Catalog, ErrorKind};
use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

fn catalog(disk: &Disk) -> Catalog {
    Catalog::builder()
        .directory("user", disk.path("user"))
        .load()
}

#[test]
fn a_body_is_that_of_the_file_as_it_is() {
    let disk = Disk::new();
    disk.skill("user/a");
    let catalog = catalog(&disk);
    let entry = catalog.get("a").expect("a skill");
    disk.write(
        "user/a/SKILL.md",
        "---\r\nname: a\r\ndescription: new\r\n---\r\n\r\nA new body.\r\nMore.\r\n",
    );
    assert_eq!(entry.body().expect("a body"), "A new body.\nMore.");
    assert_eq!(entry.description(), "user/a");
    disk.write("user/a/SKILL.md", skill("b", "x"));
    let error = entry.body().expect_err("another skill").clone();
    assert_eq!(error.kind(), ErrorKind::Refused);
    assert!(
        error
            .to_string()
            .ends_with("it was the skill 'a', and is now 'b'"),
        "{error}"
    );
    disk.write("user/a/SKILL.md", "# No skill\n");
    assert_eq!(
        entry.body().expect_err("no skill").kind(),
        ErrorKind::Refused
    );
    fs::remove_file(disk.path("user/a/SKILL.md")).expect("gone");
    assert_eq!(
        entry.body().expect_err("no file").kind(),
        ErrorKind::NotFound
    );
    fs::remove_dir_all(disk.path("user/a")).expect("gone");
    assert_eq!(
        entry.body().expect_err("no folder").kind(),
        ErrorKind::NotFound
    );
    assert_eq!(
        entry.files().expect_err("no folder").kind(),
        ErrorKind::NotFound
    );
}

#[test]
fn files_by_their_paths() {
    let disk = Disk::new();
    disk.skill("user/a");
    disk.write("user/a/references/one.md", "one");
    disk.write("user/a/scripts/deep/run.sh", "run");
    disk.write("user/a/.hidden", "hidden");
    disk.write("user/a/.DS_Store", "litter");
    disk.write("user/a/.git/config", "not a file of the skill");
    disk.write("user/a/nested/SKILL.md", skill("nested", "x"));
    disk.write("secret", "secret");
    link("references/one.md", disk.path("user/a/inner"));
    link("../../secret", disk.path("user/a/outer"));
    link("references", disk.path("user/a/folder"));
    link(disk.path("secret"), disk.path("user/a/absolute"));
    link("../../../secret", disk.path("user/a/references/out"));
    link("../references/../inner", disk.path("user/a/scripts/round"));
    link("loop", disk.path("user/a/loop"));
    let catalog = catalog(&disk);
    let entry = catalog.get("a").expect("a skill");
    let files = entry.files().expect("files");
    let paths: Vec<_> = files
        .iter()
        .skip(1)
        .map(|file| (&*file.path, file.size))
        .collect();
    assert_eq!(
        paths,
        [
            (".hidden", 6),
            ("inner", 3),
            ("nested/SKILL.md", 57),
            ("references/one.md", 3),
            ("scripts/deep/run.sh", 3),
            ("scripts/round", 3),
        ]
    );
    for (path, bytes) in [
        ("references/one.md", "one"),
        ("./references/./one.md", "one"),
        ("inner", "one"),
        ("folder/one.md", "one"),
        ("scripts/round", "one"),
    ] {
        assert_eq!(entry.read(path).expect(path), bytes.as_bytes());
    }
    assert_eq!(
        entry.read("SKILL.md").expect("the skill"),
        skill("a", "user/a").as_bytes()
    );
    for (path, kind) in [
        ("nothing", ErrorKind::NotFound),
        ("references/nothing", ErrorKind::NotFound),
        ("inner/below-a-file", ErrorKind::Refused),
        ("", ErrorKind::Refused),
        ("references", ErrorKind::Refused),
        ("../a/SKILL.md", ErrorKind::NotFound),
        ("references/../../../secret", ErrorKind::NotFound),
        ("/etc/passwd", ErrorKind::NotFound),
        ("outer", ErrorKind::NotFound),
        ("absolute", ErrorKind::NotFound),
        ("references/out", ErrorKind::NotFound),
        ("loop", ErrorKind::Refused),
        ("nul\0byte", ErrorKind::Refused),
    ] {
        let error = entry.read(path).expect_err(path);
        assert_eq!(error.kind(), kind, "{path}: {error}");
    }
}

#[test]
fn what_is_no_file_is_not_waited_for() {
    let disk = Disk::new();
    let dir = disk.skill("user/a");
    assert!(
        Command::new("mkfifo")
            .arg(dir.join("pipe"))
            .status()
            .expect("mkfifo")
            .success()
    );
    let catalog = catalog(&disk);
    let entry = catalog.get("a").expect("a skill");
    assert_eq!(
        entry.read("pipe").expect_err("a pipe").kind(),
        ErrorKind::Refused
    );
    assert_eq!(entry.files().expect("files").len(), 1);
    fs::remove_file(dir.join("SKILL.md")).expect("gone");
    assert!(
        Command::new("mkfifo")
            .arg(dir.join("SKILL.md"))
            .status()
            .expect("mkfifo")
            .success()
    );
    assert_eq!(entry.body().expect_err("a pipe").kind(), ErrorKind::Refused);
}

/// Replaces a file, a folder above it and the skill itself with links that lead out, 10,000 times each,
/// during the reads.
#[test]
fn no_swapped_link_leads_out() {
    let disk = Disk::new();
    disk.skill("user/a");
    disk.write("user/a/data/file", "inside");
    disk.write("outside/a/data/file", "outside");
    disk.write("outside/a/SKILL.md", skill("a", "outside"));
    let project = Catalog::builder()
        .untrusted("project", disk.path("user"))
        .load();
    let user = catalog(&disk);
    for (inside, outside, confined) in [
        ("user/a/data/file", "outside/a/data/file", false),
        ("user/a/data", "outside/a/data", false),
        ("user/a", "outside/a", true),
    ] {
        let [inside, outside, link_path, spare] = [
            disk.path(inside),
            disk.path(outside),
            disk.path("link"),
            disk.path("spare"),
        ];
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..10_000 {
                    link(&outside, &link_path);
                    fs::rename(&inside, &spare).expect("moved away");
                    fs::rename(&link_path, &inside).expect("swapped");
                    fs::remove_file(&inside).expect("removed");
                    fs::rename(&spare, &inside).expect("moved back");
                }
                done.store(true, Ordering::Relaxed);
            });
            let catalogs = if confined {
                vec![&project]
            } else {
                vec![&project, &user]
            };
            let mut reads = 0;
            while !done.load(Ordering::Relaxed) {
                for catalog in &catalogs {
                    let entry = catalog.iter().next().expect("a skill");
                    if let Ok(bytes) = entry.read("data/file") {
                        assert_eq!(&*bytes, b"inside");
                        reads += 1;
                    }
                }
            }
            assert!(reads > 0);
        });
    }
}

/// Replaces a skill by rename, as editors save, while its body is read.
#[test]
fn a_body_is_never_half_of_two() {
    let disk = Disk::new();
    let texts =
        ["x", "y"].map(|c| format!("---\nname: a\ndescription: d\n---\n{}", c.repeat(20_000)));
    let file = disk.write("user/a/SKILL.md", &texts[0]);
    let catalog = catalog(&disk);
    let entry = catalog.get("a").expect("a skill");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for n in 0..2000 {
                let new = disk.write("user/a/.SKILL.md.new", &texts[n % 2]);
                fs::rename(new, &file).expect("saved");
            }
            done.store(true, Ordering::Relaxed);
        });
        while !done.load(Ordering::Relaxed) {
            let body = entry.body().expect("a body");
            assert_eq!(body.len(), 20_000);
            assert!(
                body.bytes()
                    .all(|byte| Some(&byte) == body.as_bytes().first())
            );
        }
    });
}
