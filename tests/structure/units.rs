//! A debug build of a program compiles no package twice, once for the program and once for the macro.

use crate::repository;
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Command;

/// The package that differs: `phf_codegen` enables its feature `std`, and the map in the program does not.
const DIFFERING: &str = "phf_shared";

/// The package whose feature `serde` only the program enables: serde would add a fifth to the time of a build.
const FORMAT: &str = "skills-format";

#[test]
fn the_macro_and_the_program_share_what_they_read_with() {
    let Some(twice) = compiled_twice(&[]) else {
        return;
    };
    assert_eq!(twice, [DIFFERING]);
}

#[test]
fn features_of_the_program_split_no_package_below() {
    let Some(twice) = compiled_twice(&["--features", "tool"]) else {
        return;
    };
    assert_eq!(twice, [DIFFERING, FORMAT]);
}

#[expect(clippy::print_stderr, reason = "a skipped test says why")]
fn skipped() {
    eprintln!("skipped, since this cargo has no --unit-graph of version 1");
}

/// Returns the libraries that a debug build with cargo's own profile compiles more than once; `None` if this cargo
/// does not print the units of a build.
fn compiled_twice(options: &[&str]) -> Option<Vec<String>> {
    let asked = Command::new(env!("CARGO"))
        .args(["build", "--unit-graph", "-Zunstable-options"])
        .args(["--locked", "--offline", "-p", "skills-runtime"])
        // The profile of this workspace turns debug information off, which would hide a difference.
        .args(["--config", "profile.dev.debug=true"])
        .args(options)
        .env("RUSTC_BOOTSTRAP", "1")
        .current_dir(repository())
        .output()
        .expect("cargo");
    let graph = serde_json::from_slice::<Value>(&asked.stdout);
    let units = graph.ok().filter(|graph| graph["version"] == 1);
    let Some(Value::Array(units)) = units.map(|mut graph| graph["units"].take()) else {
        skipped();
        return None;
    };
    let libraries = units.iter().filter(|unit| unit["mode"] == "build");
    let libraries = libraries.filter(|unit| unit["target"]["kind"] == serde_json::json!(["lib"]));
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for library in libraries {
        let package = library["pkg_id"].as_str().unwrap_or_default();
        *counts.entry(package).or_default() += 1;
    }
    assert!(counts.len() > 20, "{counts:?}");
    let twice = counts.into_iter().filter(|(_, count)| *count > 1);
    let mut names: Vec<String> = twice.map(|(package, _)| name(package).to_owned()).collect();
    names.sort();
    Some(names)
}

/// Returns the name of a package: `memchr` of `registry+https://…#memchr@2.8.0`, or the folder of a package in the
/// repository.
fn name(package: &str) -> &str {
    let (place, rest) = package.split_once('#').unwrap_or(("", package));
    match rest.split_once('@') {
        Some((name, _)) => name,
        None => place.rsplit('/').next().unwrap_or(rest),
    }
}
