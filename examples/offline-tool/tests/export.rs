//! A second program, which reads `~/.agents/skills`, finds the exported runbooks.

use skills_runtime::Catalog;
use std::process::Command;

#[test]
fn another_program_finds_them() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join(".agents/skills");
    for _ in 0..2 {
        let output = Command::new(env!("CARGO_BIN_EXE_example-offline-tool"))
            .arg("export")
            .arg(&folder)
            .output()
            .expect("it starts");
        assert!(output.status.success(), "{output:?}");
    }
    let catalog = Catalog::builder().directory("user", &folder).load();
    let entry = catalog.get("disk-full").expect("the runbook");
    assert!(entry.body().expect("a body").contains("# A full disk"));
}
