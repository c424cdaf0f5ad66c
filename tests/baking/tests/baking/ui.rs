//! Compile errors and warnings as reviewed files: `ui/<case>.rs`, its skills in `ui/<case>/`, and the messages of
//! rustc in `ui/<case>.stderr`.
//!
//! `UPDATE_CASES=1 cargo test -p skills-baking ui` writes the present messages.

use skills_baking::Scratch;
use std::path::Path;
use std::{fs, io};

/// The cases of a package without a build script.
const BARE: &[&str] = &["out-dir-missing", "stale-bundle"];

const PACKAGE: &str = r#"
[package]
name = "$NAME"
edition = "2024"
publish = false

[dependencies]
skills-runtime = { path = "$ROOT/skills-runtime", features = ["include-dir"] }
skills-format = { path = "$ROOT/crates/skills-format" }
"#;

#[test]
fn compile_errors_are_as_reviewed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
    let cases = cases(&folder);
    let (bare, scripted): (Vec<_>, Vec<_>) = cases
        .iter()
        .map(String::as_str)
        .partition(|case| BARE.contains(case));
    let scratch = Scratch::new(super::TMP, "ui");
    let manifest = package("ui-cases", &scripted) + "\n[workspace]\nmembers = [\"bare\"]\n";
    scratch
        .write("Cargo.toml", &manifest)
        .write("build.rs", "fn main() {}")
        .write("bare/Cargo.toml", &package("ui-bare", &bare));
    for package in ["", "bare"] {
        copy(&folder, &scratch.dir().join(package).join("ui")).expect("the cases are copied");
    }
    let built = scratch.build(&["--workspace", "--keep-going"]);
    let mut changed = Vec::new();
    for case in &cases {
        let said = lasting(&built.said(case));
        assert!(said != "\n", "nothing is said of {case}: {}", built.stderr);
        let file = folder.join(case).with_extension("stderr");
        if fs::read_to_string(&file).is_ok_and(|expected| expected == said) {
            continue;
        }
        if std::env::var_os("UPDATE_CASES").is_some() {
            fs::write(file, said).expect("it is written");
        } else {
            changed.push(format!("== {case}\n{said}"));
        }
    }
    let changed = changed.join("\n");
    assert!(changed.is_empty(), "rustc says something else:\n{changed}");
}

/// Returns the names of the cases, in order.
fn cases(folder: &Path) -> Vec<String> {
    let mut cases: Vec<_> = fs::read_dir(folder)
        .expect("the folder of cases")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    cases.sort();
    cases
}

fn package(name: &str, cases: &[&str]) -> String {
    let bins = cases
        .iter()
        .map(|case| format!("\n[[bin]]\nname = \"{case}\"\npath = \"ui/{case}.rs\"\n"));
    PACKAGE.replace("$NAME", name) + &bins.collect::<String>()
}

/// Returns rustc's messages without the lines of our own sources and of std, and without the space for line numbers,
/// which change with every edit.
fn lasting(said: &str) -> String {
    let end = said
        .find("For more information about")
        .unwrap_or(said.len());
    let said = said.get(..end).unwrap_or(said);
    let Some((said, _)) = said.split_once("note: inside `skills_runtime") else {
        return format!("{}\n", said.trim_end());
    };
    let lines: Vec<_> = said.trim_end().lines().map(str::trim_start).collect();
    lines.join("\n") + "\n"
}

/// Copies the cases and their skills, without the expected messages.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            copy(&from, &to)?;
        } else if entry.file_name() != ".gitkeep" && from.extension() != Some("stderr".as_ref()) {
            fs::copy(from, to)?;
        }
    }
    Ok(())
}
