//! Folders that a person, an older program, another process or a kill left behind.

use super::*;
use skills_runtime::include_skills;
use std::collections::BTreeMap;
use std::fs;
use std::time::SystemTime;

static SKILLS: Bundle = include_skills!("tests/skills");
static NEWER: Bundle = include_skills!("tests/newer");

fn provision(bundle: &'static Bundle, folder: &Path) -> Provisioned {
    bundle.provision(folder).run().unwrap()
}

/// Every file below a folder but the lock, with its bytes.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with(LOCK) {
                let name = path
                    .strip_prefix(folder)
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .replace('\\', "/");
                files.insert(name, fs::read(path).unwrap());
            }
        }
    }
    files
}

fn times(folder: &Path) -> Vec<SystemTime> {
    contents(folder)
        .keys()
        .map(|name| fs::metadata(folder.join(name)).unwrap().modified().unwrap())
        .collect()
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let temp = tempfile::tempdir().unwrap();
    let folder = temp.path().join("a/b");
    (temp, folder)
}

#[test]
fn the_second_start_writes_nothing() {
    let (_temp, folder) = folder();
    let first = provision(&SKILLS, &folder);
    assert_eq!(first.written, ["deploy/SKILL.md", "deploy/scripts/run.sh"]);
    let (before, at) = (contents(&folder), times(&folder));
    assert_eq!(provision(&SKILLS, &folder), Provisioned::default());
    assert_eq!((contents(&folder), times(&folder)), (before, at));
}

#[test]
fn a_newer_program_updates_and_removes() {
    let (_temp, folder) = folder();
    provision(&SKILLS, &folder);
    let done = provision(&NEWER, &folder);
    assert_eq!(
        done.written,
        [
            "deploy/SKILL.md",
            "release/SKILL.md",
            "release/references/form.md"
        ]
    );
    assert_eq!(
        (done.removed.as_slice(), done.kept.as_slice()),
        (&["deploy/scripts/run.sh".to_owned()][..], &[][..])
    );
    assert!(!folder.join("deploy/scripts").exists());
    let back = provision(&SKILLS, &folder);
    assert_eq!(
        back.removed,
        ["release/SKILL.md", "release/references/form.md"]
    );
    assert!(!folder.join("release").exists());
}

#[test]
fn what_a_person_edited_is_kept_until_it_is_overwritten() {
    let (_temp, folder) = folder();
    provision(&SKILLS, &folder);
    let (skill, script) = (
        folder.join("deploy/SKILL.md"),
        folder.join("deploy/scripts/run.sh"),
    );
    fs::write(&skill, "mine").unwrap();
    fs::write(&script, "mine too").unwrap();
    for bundle in [&SKILLS, &SKILLS, &NEWER, &NEWER] {
        assert_eq!(
            provision(bundle, &folder).kept,
            ["deploy/SKILL.md", "deploy/scripts/run.sh"]
        );
        assert_eq!(
            (fs::read(&skill).unwrap(), fs::read(&script).unwrap()),
            (b"mine".into(), b"mine too".into())
        );
    }
    let done = NEWER.provision(&folder).overwrite().run().unwrap();
    assert_eq!(
        (done.written, done.removed),
        (
            vec!["deploy/SKILL.md".into()],
            vec!["deploy/scripts/run.sh".into()]
        )
    );
    assert_eq!(provision(&NEWER, &folder), Provisioned::default());
}

#[test]
fn a_file_that_is_gone_comes_back() {
    let (_temp, folder) = folder();
    provision(&SKILLS, &folder);
    fs::remove_dir_all(folder.join("deploy")).unwrap();
    assert_eq!(provision(&SKILLS, &folder).written.len(), 2);
}

#[test]
fn what_a_person_changes_during_a_start_is_kept() {
    let (_temp, folder) = folder();
    provision(&SKILLS, &folder);
    let root = open_or_create(&folder).unwrap();
    let provisioning = NEWER.provision(&folder);
    let plan = provisioning.plan(&root).unwrap();
    fs::write(folder.join("deploy/SKILL.md"), "mine").unwrap();
    fs::write(folder.join("deploy/scripts/run.sh"), "mine too").unwrap();
    fs::create_dir(folder.join("release")).unwrap();
    fs::write(folder.join("release/SKILL.md"), "mine as well").unwrap();
    let kept = [
        "deploy/SKILL.md",
        "deploy/scripts/run.sh",
        "release/SKILL.md",
    ];
    let mut changed = provisioning.apply(&root, &plan.steps).unwrap();
    changed.sort();
    assert_eq!(changed, kept);
    assert_eq!(fs::read(folder.join("deploy/SKILL.md")).unwrap(), b"mine");
    let next = provision(&NEWER, &folder);
    assert_eq!((next.written.len(), next.removed.len()), (0, 0));
    assert_eq!(fs::read(folder.join(kept[1])).unwrap(), b"mine too");
    assert_eq!(fs::read(folder.join(kept[2])).unwrap(), b"mine as well");
}

#[test]
fn a_file_for_a_folder_and_a_folder_for_a_file_are_kept() {
    let (_temp, folder) = folder();
    fs::create_dir_all(folder.join("release/SKILL.md/mine")).unwrap();
    fs::write(folder.join("deploy"), "mine").unwrap();
    for _ in 0..2 {
        let done = NEWER.provision(&folder).overwrite().run().unwrap();
        assert_eq!(done.kept, ["deploy/SKILL.md", "release/SKILL.md"]);
    }
    assert_eq!(fs::read(folder.join("deploy")).unwrap(), b"mine");
    assert!(folder.join("release/SKILL.md/mine").exists());
    assert!(folder.join("release/references/form.md").exists());
}

/// A sparse file of a terabyte is not read.
#[test]
fn a_huge_file_is_kept() {
    let (_temp, folder) = folder();
    provision(&SKILLS, &folder);
    let file = fs::File::create(folder.join("deploy/SKILL.md")).unwrap();
    if file.set_len(1 << 40).is_ok() {
        assert_eq!(provision(&SKILLS, &folder).kept, ["deploy/SKILL.md"]);
    }
}

#[test]
fn a_process_that_holds_the_lock_does_not_stop_a_start_for_ever() {
    let (_temp, folder) = folder();
    provision(&SKILLS, &folder);
    let root = open_or_create(&folder).unwrap();
    let _held = locked(&root).unwrap();
    // Nothing to write: no lock is needed.
    assert_eq!(provision(&SKILLS, &folder), Provisioned::default());
    let error = NEWER.provision(&folder).run().unwrap_err();
    assert_eq!(error.source.kind(), io::ErrorKind::TimedOut);
    assert_eq!(error.path, folder.join(LOCK));
}

#[test]
fn other_files_are_never_touched() {
    let (_temp, folder) = folder();
    fs::create_dir_all(folder.join("deploy/scripts")).unwrap();
    fs::create_dir_all(folder.join("release")).unwrap();
    for name in [
        "own.md",
        "deploy/own.md",
        "deploy/scripts/own",
        "deploy/SKILL.md",
    ] {
        fs::write(folder.join(name), "own").unwrap();
    }
    assert_eq!(provision(&SKILLS, &folder).kept, ["deploy/SKILL.md"]);
    assert_eq!(provision(&NEWER, &folder).kept, ["deploy/SKILL.md"]);
    let own = contents(&folder)
        .into_iter()
        .filter(|(_, bytes)| bytes == b"own")
        .count();
    assert_eq!(own, 4);
}

#[test]
fn a_kill_between_any_two_writes_is_made_good() {
    for (from, to) in [
        (None, &SKILLS),
        (Some(&SKILLS), &NEWER),
        (Some(&NEWER), &SKILLS),
    ] {
        let whole = folder();
        if let Some(from) = from {
            provision(from, &whole.1);
        }
        provision(to, &whole.1);
        for steps in 0.. {
            let (_temp, folder) = folder();
            if let Some(from) = from {
                provision(from, &folder);
            }
            let root = open_or_create(&folder).unwrap();
            let provisioning = to.provision(&folder);
            let plan = provisioning.plan(&root).unwrap();
            if steps > plan.steps.len() {
                break;
            }
            provisioning.apply(&root, &plan.steps[..steps]).unwrap();
            // A third version comes after the kill, and then the one that was interrupted.
            if steps % 2 == 1 {
                assert_eq!(provision(from.unwrap_or(&NEWER), &folder).kept, [""; 0]);
            }
            assert_eq!(provision(to, &folder).kept, [""; 0], "after {steps} steps");
            assert_eq!(contents(&folder), contents(&whole.1), "after {steps} steps");
        }
    }
}

#[test]
fn many_at_once() {
    let (_temp, folder) = folder();
    std::thread::scope(|scope| {
        for bundle in [&SKILLS, &NEWER, &SKILLS, &NEWER, &SKILLS, &NEWER] {
            let folder = &folder;
            scope.spawn(move || {
                for _ in 0..4 {
                    assert_eq!(provision(bundle, folder).kept, [""; 0]);
                }
            });
        }
    });
    provision(&NEWER, &folder);
    assert_eq!(contents(&folder).len(), 4);
}

#[test]
fn a_list_that_is_none_is_an_error() {
    let (_temp, folder) = folder();
    provision(&SKILLS, &folder);
    let outside = folder.parent().unwrap().join("precious");
    fs::write(&outside, "x").unwrap();
    let good = fs::read_to_string(folder.join(MARKER)).unwrap();
    for line in ["../precious", "/etc/hosts", "a//b", ".", "c:\\x"] {
        let digest = "0".repeat(64);
        fs::write(folder.join(MARKER), format!("{good}{digest}  {line}\n")).unwrap();
        let error = NEWER.provision(&folder).overwrite().run().unwrap_err();
        assert_eq!(
            (error.path.as_path(), error.source.kind()),
            (&*folder.join(MARKER), io::ErrorKind::InvalidData)
        );
    }
    fs::write(folder.join(MARKER), "").unwrap();
    assert!(SKILLS.provision(&folder).run().is_err());
    assert!(outside.exists());
    fs::remove_file(folder.join(MARKER)).unwrap();
    assert_eq!(provision(&SKILLS, &folder), Provisioned::default());
}

/// The user of a test may be one who can write everywhere: no user can write to this file system.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let error = SKILLS.provision("/proc/skills").run().unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("cannot keep skills in /proc/skills: "),
        "{error}"
    );
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    #[test]
    fn scripts_can_be_run() {
        let (_temp, folder) = folder();
        provision(&SKILLS, &folder);
        let script = folder.join("deploy/scripts/run.sh");
        let mode = || fs::metadata(&script).unwrap().permissions().mode() & 0o777;
        let given = mode();
        assert_eq!(given & 0o100, 0o100, "{given:o}");
        assert_eq!(
            fs::metadata(folder.join("deploy/SKILL.md"))
                .unwrap()
                .permissions()
                .mode()
                & 0o111,
            0
        );
        fs::set_permissions(&script, fs::Permissions::from_mode(0o644)).unwrap();
        // A second name of the file keeps its mode.
        fs::hard_link(&script, folder.join("other")).unwrap();
        assert_eq!(
            provision(&SKILLS, &folder).written,
            ["deploy/scripts/run.sh"]
        );
        assert_eq!(mode() & 0o100, 0o100);
        let other = fs::metadata(folder.join("other")).unwrap();
        assert_eq!(other.permissions().mode() & 0o111, 0);
        assert_eq!(provision(&SKILLS, &folder), Provisioned::default());
    }

    #[test]
    fn nothing_is_written_or_removed_through_a_link() {
        let (temp, folder) = folder();
        let outside = temp.path().join("outside");
        fs::create_dir_all(outside.join("scripts")).unwrap();
        for name in ["SKILL.md", "scripts/run.sh", "mine"] {
            fs::write(outside.join(name), "x").unwrap();
        }
        let before = contents(&outside);
        fs::create_dir_all(&folder).unwrap();
        symlink(&outside, folder.join("deploy")).unwrap();
        let ours = ["deploy/SKILL.md", "deploy/scripts/run.sh"];
        assert_eq!(provision(&SKILLS, &folder).kept, ours);
        assert_eq!(
            SKILLS.provision(&folder).overwrite().run().unwrap().kept,
            ours
        );

        fs::remove_file(folder.join("deploy")).unwrap();
        provision(&SKILLS, &folder);
        for name in ["deploy/SKILL.md", "deploy/scripts/run.sh"] {
            fs::remove_file(folder.join(name)).unwrap();
            symlink(outside.join("mine"), folder.join(name)).unwrap();
        }
        assert_eq!(provision(&NEWER, &folder).kept, ours);
        fs::remove_dir_all(folder.join("deploy")).unwrap();
        symlink(&outside, folder.join("deploy")).unwrap();
        assert_eq!(provision(&NEWER, &folder).kept, ours);
        assert_eq!(contents(&outside), before);
    }

    #[test]
    fn a_link_in_the_place_of_the_list_or_the_lock_is_an_error() {
        for name in [MARKER, LOCK] {
            let (temp, folder) = folder();
            fs::create_dir_all(&folder).unwrap();
            fs::write(temp.path().join("outside"), "x").unwrap();
            symlink(temp.path().join("outside"), folder.join(name)).unwrap();
            let error = SKILLS.provision(&folder).run().unwrap_err();
            assert_eq!(error.path, folder.join(name));
            assert_eq!(fs::read(temp.path().join("outside")).unwrap(), b"x");
        }
    }

    #[test]
    fn the_folder_itself_may_be_a_link() {
        let (temp, folder) = folder();
        let real = temp.path().join("real");
        fs::create_dir_all(&real).unwrap();
        fs::create_dir_all(folder.parent().unwrap()).unwrap();
        symlink(&real, &folder).unwrap();
        provision(&SKILLS, &folder);
        assert!(real.join("deploy/SKILL.md").exists());
    }
}
