//! Compile errors as reviewed files: `ui/<case>.rs`, its skills in `ui/<case>/`, and rustc's messages in
//! `ui/<case>.stderr`.
//!
//! `TRYBUILD=overwrite cargo test -p skills-baking ui` writes the present messages.

use std::path::Path;
use std::{fs, io};

#[test]
fn compile_errors_are_as_reviewed() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
    // trybuild compiles the cases in a package of its own, and the macro reads skills below the manifest of the
    // package that is compiled.
    let target = Path::new(super::TMP).parent().expect("a target folder");
    let package = target.join("tests/trybuild/skills-baking");
    let copied = package.join("ui");
    // Otherwise the skills of a removed case would stay.
    let _ = fs::remove_dir_all(&copied);
    copy(&cases, &copied).expect("the cases are copied");
    trybuild::TestCases::new().compile_fail("ui/*.rs");
}

/// Copies the skills of the cases.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            copy(&from, &to)?;
        } else if entry.file_name() != ".gitkeep" {
            fs::copy(from, to)?;
        }
    }
    Ok(())
}
