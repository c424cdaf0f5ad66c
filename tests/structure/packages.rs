//! The packages depend on each other in one direction.

use crate::repository;
use std::collections::BTreeMap;
use std::fs;

/// The packages of this project that each package may depend on.
const DIRECTION: &[(&str, &[&str])] = &[
    ("skills-format", &[]),
    ("skills-compiler", &["skills-format"]),
    ("skills-macros", &["skills-compiler"]),
    ("skills-runtime", &["skills-format", "skills-macros"]),
    (
        "skills-host",
        &["skills-compiler", "skills-format", "skills-runtime"],
    ),
    ("skills-mcp", &["skills-format", "skills-runtime"]),
    ("bundled-skills", &["skills-runtime"]),
    (
        "skills-tool",
        &[
            "bundled-skills",
            "skills-compiler",
            "skills-format",
            "skills-host",
            "skills-mcp",
            "skills-runtime",
        ],
    ),
];

#[test]
fn dependencies_never_turn_back() {
    let allowed: BTreeMap<&str, &[&str]> = DIRECTION.iter().copied().collect();
    let is_ours = |name: &str| name.starts_with("skills-") || name == "bundled-skills";
    for entry in fs::read_dir(repository()).expect("the repository") {
        let folder = entry.expect("an entry").path();
        let Ok(text) = fs::read_to_string(folder.join("Cargo.toml")) else {
            continue;
        };
        let manifest: toml::Table = text.parse().expect("a manifest");
        let name = manifest["package"]["name"].as_str().expect("a name");
        let folder_name = folder.file_name().and_then(|name| name.to_str());
        let Some(allowed) = allowed.get(name) else {
            assert!(
                matches!(folder_name, Some("tests" | "benches" | "fuzz")),
                "{name} has no place in the direction of packages"
            );
            continue;
        };
        assert_eq!(Some(name), folder_name, "folder name = package name");
        for kind in ["dependencies", "build-dependencies"] {
            let Some(dependencies) = manifest.get(kind).and_then(toml::Value::as_table) else {
                continue;
            };
            for dependency in dependencies.keys().filter(|name| is_ours(name)) {
                assert!(
                    allowed.contains(&dependency.as_str()),
                    "{name} may not depend on {dependency}"
                );
            }
        }
    }
}
