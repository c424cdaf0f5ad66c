//! A second program, which reads `~/.agents/skills`, finds the exported runbooks.

use skills_runtime::Catalog;
use std::path::Path;
use std::process::Command;

fn export(home: &Path, arguments: &[&str]) -> (String, Option<i32>) {
    skills(home, &[&["export"], arguments].concat())
}

fn skills(home: &Path, arguments: &[&str]) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_example-offline-tool"))
        .arg("skills")
        .args(arguments)
        .env_clear()
        .env("HOME", home)
        .env("USERPROFILE", home)
        .output()
        .expect("it starts");
    let text = String::from_utf8(output.stdout).expect("it is text");
    (text, output.status.code())
}

#[test]
fn another_program_finds_them() {
    let home = tempfile::tempdir().expect("a folder");
    let home = home.path();
    let (text, code) = export(home, &[]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("disk-full: written"));
    let folder = home.join(".agents/skills");
    let catalog = Catalog::builder().directory("user", &folder).load().catalog;
    let entry = catalog.get("disk-full").expect("the runbook");
    assert!(entry.body().expect("a body").contains("# A full disk"));
    let (text, _) = export(home, &[]);
    assert!(text.contains("disk-full: up to date"));
    let (text, code) = export(home, &["no-such-runbook"]);
    assert_eq!((text.contains("it has "), code), (true, Some(1)), "{text}");
    let (text, code) = export(home, &["--remove"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(!folder.join("disk-full").exists() && !folder.join("skills.lock").exists());
}

#[test]
fn a_program_lists_them() {
    let home = tempfile::tempdir().expect("a folder");
    let (text, code) = skills(home.path(), &["list", "--format", "json"]);
    assert_eq!(code, Some(0), "{text}");
    let list: serde_json::Value = serde_json::from_str(&text).expect("a document");
    assert_eq!(list["schema"], 1);
    assert_eq!(list["program"]["name"], "runbooks");
    let all = list["skills"].as_array().expect("a list");
    let listed = all.iter().find(|skill| skill["name"] == "disk-full");
    let listed = listed.expect("the runbook");
    assert_eq!(listed["files"][0]["path"], "SKILL.md");
    assert!(
        listed["description"]
            .as_str()
            .is_some_and(|text| !text.is_empty())
    );
    let sizes = listed["files"].as_array().expect("files").iter();
    let sizes: Option<u64> = sizes.map(|file| file["size"].as_u64()).sum();
    assert_eq!(sizes, listed["size"].as_u64());
    let (text, code) = skills(home.path(), &["list"]);
    assert!(text.starts_with(skills_name(&list)), "{text}");
    assert_eq!(code, Some(0));
}

/// Returns the first name of a list.
fn skills_name(list: &serde_json::Value) -> &str {
    list["skills"][0]["name"].as_str().expect("a name")
}
