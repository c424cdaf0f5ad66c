//! Compares what is said about a release in several places: the version, the oldest Rust, the address of the repository.

use crate::repository;
use std::fs;
use std::path::{Path, PathBuf};

/// The owner in the address of the repository until a person fills it in.
const UNKNOWN: &str = "OWNER/skills";

struct Release {
    /// `OWNER/NAME` at the forge.
    slug: String,
    version: String,
    rust: String,
    manifest: toml::Table,
}

fn release() -> Release {
    let manifest = table(&repository().join("Cargo.toml"));
    let package = &manifest["workspace"]["package"];
    let text = |key: &str| package[key].as_str().expect("a text").to_owned();
    let at = text("repository");
    let slug = at.strip_prefix("https://github.com/").expect("an address");
    Release {
        slug: slug.to_owned(),
        version: text("version"),
        rust: text("rust-version"),
        manifest,
    }
}

fn table(path: &Path) -> toml::Table {
    let text = fs::read_to_string(path).expect("a manifest");
    text.parse().expect("a manifest")
}

/// Returns the files with an extension below a folder of the repository.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![repository().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

#[test]
fn all_packages_have_one_version_and_one_oldest_rust() {
    let release = release();
    let dependencies = release.manifest["workspace"]["dependencies"].as_table();
    let expected = format!("={}", release.version);
    for (name, dependency) in dependencies.expect("a table") {
        if dependency.get("path").is_some() {
            assert_eq!(
                dependency["version"].as_str(),
                Some(expected.as_str()),
                "{name}"
            );
        }
    }
    let folders = [
        "bundled-skills",
        "benches",
        "crates",
        "examples",
        "skills-macros",
        "skills-runtime",
        "tests",
    ];
    for file in folders.into_iter().flat_map(|folder| files(folder, "toml")) {
        let is_manifest = file.file_name().is_some_and(|name| name == "Cargo.toml");
        // The framework of this example needs a later Rust.
        if !is_manifest || file.ends_with("examples/tool-agent/Cargo.toml") {
            continue;
        }
        let Some(rust) = table(&file)
            .remove("package")
            .and_then(|mut package| package.as_table_mut()?.remove("rust-version"))
        else {
            continue;
        };
        let inherited = rust.get("workspace").is_some();
        assert!(
            inherited || rust.as_str() == Some(&release.rust),
            "{}: {rust}",
            file.display()
        );
    }
}

#[test]
fn texts_name_the_repository_and_the_version() {
    let release = release();
    for file in files("docs", "md") {
        let text = fs::read_to_string(&file).expect("a text");
        let expected = filled_in(&text, &release);
        if std::env::var_os("UPDATE_DOCS").is_some_and(|value| value == "1") && expected != text {
            fs::write(&file, &expected).expect("a file");
        } else {
            assert!(
                expected == text,
                "{} differs: `UPDATE_DOCS=1 cargo test -p skills-tests --test structure` fills it in",
                file.display()
            );
        }
    }
}

/// Writes the address and the tag of the release where a text names this repository as a source.
fn filled_in(text: &str, release: &Release) -> String {
    let lines = text.split_inclusive('\n').map(|line| {
        let mut line = line.replace(UNKNOWN, &release.slug);
        // A tag of the Action, of a repository of hooks, and of `cargo install`.
        for before in [
            format!("{}@v", release.slug),
            "rev: v".to_owned(),
            "--tag v".to_owned(),
        ] {
            if let Some(at) = line.find(&before) {
                let from = at + before.len();
                let rest = line.get(from..).unwrap_or_default();
                let length = rest
                    .find(|c: char| c != '.' && !c.is_ascii_digit())
                    .unwrap_or(rest.len());
                line.replace_range(from..from + length, &release.version);
            }
        }
        line
    });
    lines.collect()
}

#[test]
fn a_release_is_filled_in() {
    let release = Release {
        slug: "acme/skills".to_owned(),
        version: "1.2.3".to_owned(),
        rust: String::new(),
        manifest: toml::Table::new(),
    };
    let text =
        "uses: OWNER/skills@v0.1.0\nuses: other/skills@v0.1.0\n  rev: v0.1.0\nrun --tag v0.1.0 x\n";
    let expected =
        "uses: acme/skills@v1.2.3\nuses: other/skills@v0.1.0\n  rev: v1.2.3\nrun --tag v1.2.3 x\n";
    assert_eq!(filled_in(text, &release), expected);
}
