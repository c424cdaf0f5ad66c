//! Tests the files of state and trust: what survives, what is reported, and how two writers behave.

#![expect(clippy::disallowed_methods, reason = "two writers are two processes")]

use proptest::prelude::*;

use skills_runtime::Catalog;
use skills_runtime::source::TrustRecord;
use skills_store::{Disabled, ErrorKind, StateFile, TrustFile, TrustedTexts};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

fn state() -> (TempDir, StateFile) {
    let folder = crate::folder();
    let file = StateFile::new(folder.path().join("host/skills.json"));
    (folder, file)
}

fn write(file: &StateFile, text: &str) {
    fs::create_dir_all(file.path().parent().expect("a folder")).expect("a folder");
    fs::write(file.path(), text).expect("written");
}

fn disabled(state: &Disabled) -> Vec<&str> {
    state.ids.iter().map(String::as_str).collect()
}

/// Returns the visible names beside a file.
fn beside(file: &Path) -> Vec<String> {
    let names = fs::read_dir(file.parent().expect("a folder")).expect("a folder");
    let mut names: Vec<String> = names
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .filter(|name| !name.starts_with('.') && Some(name.as_ref()) != file.file_name())
        .collect();
    names.sort();
    names
}

#[test]
fn a_state_is_written_and_read() {
    let (_folder, file) = state();
    assert!(disabled(&file.read().expect("missing").value).is_empty());
    file.update(|state| state.ids.insert("user:beth".into()))
        .expect("written");
    let now = file
        .update(|state| state.ids.insert("aleph".into()))
        .expect("written");
    assert_eq!(disabled(&now), ["aleph", "user:beth"]);
    assert_eq!(
        fs::read_to_string(file.path()).expect("text"),
        "{\n  \"disabled\": [\n    \"aleph\",\n    \"user:beth\"\n  ],\n  \"version\": 1\n}\n"
    );
    file.update(|state| state.ids.remove("user:beth"))
        .expect("written");
    assert_eq!(disabled(&file.read().expect("read").value), ["aleph"]);
}

#[test]
fn unknown_fields_survive() {
    let (_folder, file) = state();
    write(
        &file,
        r#"{"disabled":["a"],"theme":{"dark":true},"version":1,"list":[1,null]}"#,
    );
    file.update(|state| state.ids.insert("b".into()))
        .expect("written");
    let text = fs::read_to_string(file.path()).expect("text");
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(value["theme"]["dark"], true);
    assert_eq!(value["list"], serde_json::json!([1, null]));
    assert_eq!(value["disabled"], serde_json::json!(["a", "b"]));
}

#[test]
fn a_damaged_file_closes_and_stays() {
    for text in [
        "",
        "{",
        "[]",
        "null",
        r#"{"disabled":"aleph"}"#,
        r#"{"disabled":[1]}"#,
        r#"{"version":0}"#,
        r#"{"version":-1}"#,
        r#"{"version":1.5}"#,
        r#"{"version":"1"}"#,
        r#"{"version":null}"#,
        "\u{0}\u{1}",
        &"[".repeat(100_000),
        &"x".repeat(2_000_000),
    ] {
        let (_folder, file) = state();
        write(&file, text);
        let read = file.read().expect("read");
        assert_eq!(read.diagnostics.len(), 1);
        assert_eq!(read.diagnostics[0].rule.as_str(), "state-damaged");
        assert!(read.value.unknown.is_some());
        let refused = [
            file.check().expect_err("refused"),
            file.update(|state| state.ids.insert("a".into()))
                .expect_err("refused"),
        ];
        assert!(
            refused
                .iter()
                .all(|error| error.kind() == ErrorKind::Damaged)
        );
        assert_eq!(fs::read_to_string(file.path()).expect("text"), text);
        assert!(beside(file.path()).is_empty());
    }
}

#[test]
fn a_newer_file_closes_and_stays() {
    for text in [
        r#"{"disabled":["a"],"version":2}"#,
        r#"{"disabled":["a"],"version":18446744073709551615}"#,
        r#"{"disabled":["a"],"version":18446744073709551616}"#,
        r#"{"disabled":["a"],"version":1e300}"#,
    ] {
        let (_folder, file) = state();
        write(&file, text);
        let read = file.read().expect("read");
        assert!(read.value.unknown.is_some());
        assert_eq!(disabled(&read.value), ["a"]);
        assert_eq!(read.diagnostics[0].rule.as_str(), "state-newer");
        assert!(read.diagnostics[0].message.contains("update this program"));
        let error = file.update(|state| state.ids.insert("b".into()));
        assert_eq!(error.expect_err("not written").kind(), ErrorKind::Newer);
        assert_eq!(fs::read_to_string(file.path()).expect("text"), text);
    }
}

#[test]
fn a_file_that_would_be_too_large_is_not_written() {
    let (_folder, file) = state();
    write(&file, r#"{"disabled":["a"]}"#);
    let error = file.update(|state| state.ids.insert("x".repeat(2_000_000)));
    assert_eq!(error.expect_err("refused").kind(), ErrorKind::Io);
    assert_eq!(disabled(&file.read().expect("read").value), ["a"]);
}

#[cfg(unix)]
#[test]
fn links_and_pipes_in_the_place_of_the_lock_are_refused() {
    let (folder, file) = state();
    write(&file, r#"{"disabled":["a"]}"#);
    let (lock, outside) = (
        file.path().with_file_name(".skills.json.lock"),
        folder.path().join("outside"),
    );
    for is_there in [false, true] {
        if is_there {
            fs::write(&outside, "kept").expect("written");
        }
        std::os::unix::fs::symlink(&outside, &lock).expect("a link");
        let error = file
            .update(|state| state.ids.insert("b".into()))
            .expect_err("refused");
        assert!(format!("{error:#}").contains("it is a link"), "{error:#}");
        assert_eq!(outside.exists(), is_there);
        fs::remove_file(&lock).expect("gone");
    }
    let made = Command::new("mkfifo").arg(&lock).status().expect("mkfifo");
    assert!(made.success());
    assert!(file.update(|state| state.ids.insert("b".into())).is_err());
}

#[cfg(unix)]
#[test]
fn left_over_files_are_removed_and_not_written_through() {
    let (folder, file) = state();
    write(&file, r#"{"disabled":["a"]}"#);
    let outside = folder.path().join("outside");
    fs::write(&outside, "kept").expect("written");
    let at = |name: &str| file.path().with_file_name(name);
    for name in [".skills.json.new", ".skills.json.skills-0000000000000000~"] {
        std::os::unix::fs::symlink(&outside, at(name)).expect("a link");
    }
    let left = at(".skills.json.skills-0123456789abcdef~");
    fs::write(&left, "{").expect("written");
    file.update(|state| state.ids.insert("b".into()))
        .expect("written");
    assert_eq!(fs::read_to_string(&outside).expect("text"), "kept");
    assert!(!left.exists());
}

#[test]
fn what_is_no_file_is_an_error() {
    let (_folder, file) = state();
    fs::create_dir_all(file.path()).expect("a folder");
    assert_eq!(file.read().expect_err("a folder").kind(), ErrorKind::Io);
    assert!(file.update(|state| state.ids.insert("a".into())).is_err());
    assert!(file.path().is_dir());
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_waited_for_and_a_link_is_kept() {
    let (folder, file) = state();
    fs::create_dir_all(file.path().parent().expect("a folder")).expect("a folder");
    let made = Command::new("mkfifo")
        .arg(file.path())
        .status()
        .expect("mkfifo");
    assert!(made.success());
    assert_eq!(file.read().expect_err("a pipe").kind(), ErrorKind::Io);
    fs::remove_file(file.path()).expect("gone");
    let dotfile = folder.path().join("dotfiles.json");
    fs::write(&dotfile, r#"{"disabled":["a"]}"#).expect("written");
    std::os::unix::fs::symlink(&dotfile, file.path()).expect("a link");
    file.update(|state| state.ids.insert("b".into()))
        .expect("written");
    assert!(file.path().is_symlink());
    assert!(fs::read_to_string(dotfile).expect("text").contains("\"b\""));
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written() {
    use std::os::unix::fs::PermissionsExt as _;
    let (_folder, file) = state();
    write(&file, r#"{"disabled":["a"]}"#);
    let folder = file.path().parent().expect("a folder");
    let set = |mode| fs::set_permissions(folder, fs::Permissions::from_mode(mode));
    set(0o555).expect("a mode");
    let is_refused = fs::write(folder.join("probe"), "").is_err();
    let updated = file.update(|state| state.ids.insert("b".into()));
    set(0o755).expect("a mode");
    if is_refused {
        assert_eq!(updated.expect_err("refused").kind(), ErrorKind::Io);
        assert_eq!(disabled(&file.read().expect("read").value), ["a"]);
    }
}

#[test]
fn a_file_that_is_read_only_is_left_as_it_is() {
    let (_folder, file) = state();
    let text = r#"{"disabled":["a"]}"#;
    write(&file, text);
    let mut permissions = fs::metadata(file.path()).expect("metadata").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(file.path(), permissions).expect("a mode");
    let error = file.update(|state| state.ids.insert("b".into()));
    assert_eq!(error.expect_err("refused").kind(), ErrorKind::Io);
    assert_eq!(fs::read_to_string(file.path()).expect("text"), text);
    assert!(beside(file.path()).is_empty());
}

/// Not a test: run by the processes of the tests below.
#[test]
#[ignore = "started by other tests"]
fn writer() {
    let Some(work) = std::env::var_os("SKILLS_STATE") else {
        return;
    };
    let file = StateFile::new(work);
    let name = std::env::var("SKILLS_WRITER").expect("a name");
    for n in 0..100 {
        file.update(|state| state.ids.insert(format!("{name}-{n}")))
            .expect("written");
    }
}

/// Not a test: run by the processes of the test of trust.
#[test]
#[ignore = "started by another test"]
fn truster() {
    let Some(work) = std::env::var_os("SKILLS_STATE") else {
        return;
    };
    let file = TrustFile::new(work);
    let name = std::env::var("SKILLS_WRITER").expect("a name");
    for n in 0..50 {
        let folder = |n| format!("/{name}-{n}");
        file.trust(vec![trust(&folder(n), "x")]).expect("written");
        if n % 2 == 1 {
            file.distrust(&[&trust(&folder(n), "x")]).expect("written");
        }
    }
}

fn start_writer(file: &StateFile, name: &str) -> Child {
    start("files::writer", file.path(), name)
}

fn start(test: &str, file: &Path, name: &str) -> Child {
    Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", test, "--ignored"])
        .env("SKILLS_STATE", file)
        .env("SKILLS_WRITER", name)
        .stdout(Stdio::null())
        .spawn()
        .expect("a process")
}

#[test]
fn of_several_writers_none_loses_what_another_writes() {
    let (_folder, file) = state();
    let writers = ["a", "b", "c", "d"].map(|name| start_writer(&file, name));
    for mut writer in writers {
        assert!(writer.wait().expect("an end").success());
    }
    let read = file.read().expect("read");
    assert!(read.diagnostics.is_empty());
    assert_eq!(read.value.ids.len(), 400);
}

#[test]
fn of_several_that_trust_and_distrust_none_loses_what_another_writes() {
    let folder = crate::folder();
    let file = TrustFile::new(folder.path().join("trust.json"));
    let writers = ["a", "b", "c", "d"].map(|name| start("files::truster", file.path(), name));
    for mut writer in writers {
        assert!(writer.wait().expect("an end").success());
    }
    let read = file.read().expect("read");
    assert!(read.diagnostics.is_empty());
    assert_eq!(read.value.len(), 100);
}

#[test]
fn a_killed_writer_leaves_the_old_file_or_the_new_one() {
    let (_folder, file) = state();
    let mut last = 0;
    for round in 0..30 {
        let mut writer = start_writer(&file, &format!("r{round}"));
        std::thread::sleep(Duration::from_millis(3 + round % 10));
        writer.kill().expect("killed");
        writer.wait().expect("an end");
        let read = file.read().expect("read");
        assert!(read.diagnostics.is_empty(), "{:?}", read.diagnostics);
        assert!(read.value.ids.len() >= last);
        last = read.value.ids.len();
    }
    file.update(|state| state.ids.insert("after".into()))
        .expect("no lock is left");
    assert!(beside(file.path()).is_empty());
    let hidden = fs::read_dir(file.path().parent().expect("a folder")).expect("a folder");
    let hidden: Vec<_> = hidden
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert!(
        hidden
            .iter()
            .all(|name| !name.to_string_lossy().ends_with('~')),
        "{hidden:?}"
    );
}

const SKILL: &str = "---\nname: abc\ndescription: Abc.\n---\n";

fn trust(root: &str, folder: &str) -> TrustRecord {
    record(root, folder, &["SKILL.md"])
}

fn record(root: &str, folder: &str, files: &[&str]) -> TrustRecord {
    let files = files.iter().map(|file| (format!("{folder}/{file}"), SKILL));
    let builder = Catalog::builder().files("s", files).extracted("s", root);
    let catalog = builder.load();
    let skill = catalog.iter().next().expect("a skill");
    skill.trust_record().expect("a record")
}

#[test]
fn trust_is_recorded_by_skill() {
    let folder = crate::folder();
    let file = TrustFile::new(folder.path().join("trust.json"));
    assert!(file.read().expect("missing").value.is_empty());
    let records = vec![trust("/b", "x"), trust("/a", "x")];
    file.trust(records).expect("written");
    let again = record("/b", "x", &["SKILL.md", "a/more"]);
    file.trust(vec![again.clone(), trust("/b", "y")])
        .expect("written");
    let read = file.read().expect("read").value;
    assert_eq!(read, [trust("/a", "x"), again, trust("/b", "y")]);
    file.distrust(&[&trust("/a", "x"), &trust("/b", "x")])
        .expect("written");
    assert_eq!(file.read().expect("read").value, [trust("/b", "y")]);
    let text = fs::read_to_string(file.path()).expect("text");
    fs::write(file.path(), text.replace("SKILL.md", "z/SKILL.md")).expect("written");
    let read = file.read().expect("read");
    assert!(read.value.is_empty());
    assert_eq!(read.diagnostics[0].rule.as_str(), "state-damaged");
    let refused = file.trust(vec![trust("/c", "x/y")]);
    assert_eq!(refused.expect_err("refused").kind(), ErrorKind::Damaged);
    let refused = file.check().expect_err("refused");
    assert_eq!(refused.kind(), ErrorKind::Damaged);
    fs::remove_file(file.path()).expect("removed");
    file.check().expect("a missing file passes");
}

#[cfg(target_os = "linux")]
#[test]
fn a_path_that_is_not_utf8_is_recorded() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = crate::folder();
    let file = TrustFile::new(folder.path().join("trust.json"));
    let name = |byte: u8| PathBuf::from(std::ffi::OsStr::from_bytes(&[b'x', byte]));
    let root = folder.path().join(name(0xfd));
    let skill = root.join("a\\x");
    fs::create_dir_all(&skill).expect("a folder");
    fs::write(skill.join("SKILL.md"), SKILL).expect("written");
    fs::write(skill.join(name(0xfe)), "x").expect("written");
    let catalog = Catalog::builder().untrusted("s", root).load();
    let skill = catalog.iter().next().expect("a skill");
    let record = skill.trust_record().expect("a record");
    file.trust(vec![record.clone()]).expect("written");
    assert_eq!(file.read().expect("read").value, [record]);
}

#[test]
fn texts_are_kept_as_they_were_trusted() {
    let folder = crate::folder();
    let texts = TrustedTexts::new(folder.path().join("deep/trusted"));
    let record = trust("/a", "x");
    texts
        .keep(&record, |_| Some(b"other".to_vec()))
        .expect("kept");
    assert!(texts.texts(&record).is_empty(), "another text");
    texts.keep(&record, |_| Some(SKILL.into())).expect("kept");
    assert_eq!(texts.texts(&record)["SKILL.md"], SKILL);
    texts.forget(std::slice::from_ref(&record), &[trust("/b", "y")]);
    assert_eq!(texts.texts(&record).len(), 1, "another skill has the same");
    texts.forget(std::slice::from_ref(&record), &[]);
    assert!(texts.texts(&record).is_empty());
}

proptest! {
    #[test]
    fn no_bytes_break_it(bytes in prop::collection::vec(any::<u8>(), 0..200), json in ".{0,80}") {
        let (_folder, file) = state();
        for bytes in [bytes.as_slice(), json.as_bytes(), format!("{{\"disabled\":[\"{json}\"]}}").as_bytes()] {
            fs::create_dir_all(file.path().parent().expect("a folder")).expect("a folder");
            fs::write(file.path(), bytes).expect("written");
            let before = file.read().expect("read");
            prop_assert_eq!(before.value.unknown.is_some(), !before.diagnostics.is_empty());
            if before.value.unknown.is_some() {
                prop_assert!(file.update(|state| state.ids.insert("new".into())).is_err());
                prop_assert_eq!(fs::read(file.path()).expect("bytes"), bytes);
                continue;
            }
            let after = file.update(|state| state.ids.insert("new".into())).expect("written");
            let kept = before.value.ids.iter().filter(|id| *id != "new").count();
            prop_assert_eq!(after.ids.len(), kept + 1);
        }
    }
}
