//! The limits of reading, lowered.

use crate::catalog::Catalog;
use crate::error::ErrorKind;
use crate::source::options::Limits;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn write(dir: &TempDir, path: &str, bytes: &[u8]) {
    let path = dir.path().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

fn skill(dir: &TempDir, name: &str) {
    let text = format!("---\nname: {name}\ndescription: Does it.\n---\nDo it.\n");
    write(dir, &format!("{name}/SKILL.md"), text.as_bytes());
}

fn load(dir: &Path, limits: Limits) -> Catalog {
    let mut builder = Catalog::builder().untrusted("project", dir);
    builder.options.limits = limits;
    builder.load()
}

#[test]
fn sizes_are_bounded() {
    let dir = tempfile::tempdir().unwrap();
    skill(&dir, "a");
    write(&dir, "a/large", &[0; 100]);
    for n in 0..10 {
        write(&dir, &format!("a/many/{n}"), b"x");
    }
    let limits = Limits {
        file: 99,
        files: 10,
        ..Limits::default()
    };
    let catalog = load(dir.path(), limits);
    let skill = catalog.get("a").unwrap();
    assert_eq!(skill.read("large").unwrap_err().kind(), ErrorKind::Refused);
    assert_eq!(skill.files().unwrap_err().kind(), ErrorKind::Refused);
}

#[test]
fn numbers_are_bounded_and_reported() {
    let dir = tempfile::tempdir().unwrap();
    for n in 0..20 {
        skill(&dir, &format!("s{n:02}"));
    }
    let skills = Limits {
        skills: 5,
        ..Limits::default()
    };
    let catalog = load(dir.path(), skills);
    assert_eq!(catalog.iter().count(), 5);
    let found = catalog.diagnostics();
    let found = found.iter().find(|it| it.rule.as_str() == "limit-reached");
    assert_eq!(
        &*found.unwrap().message,
        "there are more than 5 skills: this folder and all folders after it are left out"
    );
    let folders = Limits {
        folders: 7,
        ..Limits::default()
    };
    assert_eq!(load(dir.path(), folders).iter().count(), 7);
}

#[test]
fn a_folder_over_a_limit_is_not_recorded() {
    let dir = tempfile::tempdir().unwrap();
    skill(&dir, "a");
    write(&dir, "a/scripts/run.sh", b"run");
    let len = |path: &str| fs::metadata(dir.path().join(path)).unwrap().len();
    let sum = len("a/SKILL.md") + len("a/scripts/run.sh");
    let recorded = |change: &dyn Fn(&mut Limits)| {
        let mut limits = Limits::default();
        change(&mut limits);
        let catalog = load(dir.path(), limits);
        let record = catalog.get("a").unwrap().trust_record();
        record.map(|_| ()).map_err(|error| error.kind())
    };
    assert_eq!(recorded(&|limits| limits.bytes = sum), Ok(()));
    let refused = Err(ErrorKind::Refused);
    assert_eq!(recorded(&|limits| limits.bytes = sum - 1), refused);
    // The folder `scripts` is an entry too.
    assert_eq!(recorded(&|limits| limits.files = 3), Ok(()));
    assert_eq!(recorded(&|limits| limits.files = 2), refused);

    let deep = |folders: usize| format!("a{}/y", "/x".repeat(folders));
    write(&dir, &deep(32), b"");
    assert_eq!(recorded(&|_| {}), Ok(()));
    write(&dir, &deep(33), b"");
    assert_eq!(recorded(&|_| {}), refused);
}
