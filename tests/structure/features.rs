//! Compares the features with which the two commands of README.md build the program. On Linux: the features of the
//! packages for other systems are not asked for twice.

use crate::repository;
use std::collections::BTreeSet;
use std::process::Command;

/// Cargo compiles a package once for each set of features. With equal sets, `cargo test --workspace` reuses what `cargo
/// run` built: a minute and a half of two cores.
#[test]
fn the_program_has_the_features_that_the_tests_ask_for() {
    let names = tree(&["--edges", "no-dev", "--package", "skills-tool"], "{p}");
    let of_program = |line: &String| {
        let name = line.split(' ').take(2).collect::<Vec<_>>().join(" ");
        names.iter().any(|package| package.starts_with(&name))
    };
    let mut run = tree(&["--edges", "no-dev"], "{p} [{f}]");
    let mut tested = tree(&["--workspace", "--edges", "normal,build,dev"], "{p} [{f}]");
    run.retain(of_program);
    tested.retain(of_program);
    let added: Vec<_> = tested.difference(&run).collect();
    assert!(
        added.is_empty(),
        "`cargo test --workspace` compiles these again: tests/Cargo.toml must ask for their features: {added:#?}"
    );
}

/// Returns a line for each package with each set of its features.
fn tree(arguments: &[&str], format: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--locked",
            "--offline",
            "--prefix",
            "none",
            "--format",
            format,
        ])
        .args(arguments)
        .current_dir(repository())
        .output()
        .expect("cargo");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines()
        .map(|line| line.trim_end_matches(" (*)").to_owned())
        .collect()
}
