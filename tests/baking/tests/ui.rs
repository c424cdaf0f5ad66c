//! Compile errors as reviewed files: `ui/<case>.rs`, its skills in `ui/<case>/`, and what rustc says
//! in `ui/<case>.stderr`.
//!
//! `TRYBUILD=overwrite cargo test -p skills-baking --test ui` writes what rustc says now.

use std::path::Path;
use std::{fs, io};

#[test]
fn ui() {
    // The cases are compiled as a package below the target folder, so their skills go there.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .expect("target");
    let package = target.join("tests/trybuild").join(env!("CARGO_PKG_NAME"));
    let skills = package.join("ui");
    let _ = fs::remove_dir_all(&skills);
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("ui"), &skills).expect("skills are copied");
    trybuild::TestCases::new().compile_fail("ui/*.rs");
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            copy(&from, &to)?;
        } else if entry.file_name() != ".gitkeep"
            && entry.path().extension() != Some("stderr".as_ref())
        {
            fs::copy(from, to)?;
        }
    }
    Ok(())
}
