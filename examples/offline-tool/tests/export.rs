//! Exported runbooks are found by a second program, which reads `~/.agents/skills`.

use skills_runtime::Catalog;
use std::path::Path;
use std::process::Command;

fn export(home: &Path, arguments: &[&str]) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_example-offline-tool"))
        .args(["skills", "export"])
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
