//! Compares the chapters of the guide in the runtime with those of `docs/guide`.

use crate::repository;
use std::fmt::Write as _;
use std::fs;

const CHAPTERS: [&str; 2] = ["arguments.md", "program.md"];

#[test]
fn the_runtime_has_the_chapters_of_the_guide() {
    let root = repository();
    let manifest = fs::read_to_string(root.join("Cargo.toml")).expect("the manifest");
    let manifest: toml::Table = manifest.parse().expect("a manifest");
    let at = manifest["workspace"]["package"]["repository"].as_str();
    let at = at.expect("the address of the repository");
    for name in CHAPTERS {
        let text = fs::read_to_string(root.join("docs/guide").join(name)).expect("a chapter");
        let expected = copied(&text.replace("\r\n", "\n"), at);
        let file = root.join("skills-runtime/src/guide").join(name);
        if std::env::var_os("UPDATE_DOCS").is_some_and(|value| value == "1") {
            fs::write(&file, &expected).expect("a file");
        }
        let found = fs::read_to_string(&file).unwrap_or_default();
        assert!(
            found.replace("\r\n", "\n") == expected,
            "{name} differs: `UPDATE_DOCS=1 cargo test -p skills-tests --test structure` copies it"
        );
    }
}

/// Returns a chapter as it stands in the runtime: links lead to the repository, and programs are not run, since they
/// name skills of another package.
fn copied(text: &str, repository: &str) -> String {
    let mut copied = String::new();
    for line in text.lines() {
        let line = match line.strip_prefix("```rust") {
            Some(_) => "```rust,ignore".to_owned(),
            None => linked(line, repository),
        };
        writeln!(copied, "{line}").expect("text");
    }
    copied
}

/// Makes the relative links of a line absolute.
fn linked(line: &str, repository: &str) -> String {
    let mut parts = line.split("](");
    let mut linked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        linked.push_str("](");
        let (folder, rest) = match part.strip_prefix("../../") {
            Some(rest) => ("", rest),
            None => match part.strip_prefix("../") {
                Some(rest) => ("docs/", rest),
                None => ("docs/guide/", part),
            },
        };
        let target = rest.split(')').next().unwrap_or_default();
        if target.contains(".md") && !target.contains("://") {
            write!(linked, "{repository}/blob/main/{folder}").expect("text");
        } else if rest.len() != part.len() {
            panic!("a link that the copy does not know: {line}");
        }
        linked.push_str(rest);
    }
    linked
}
