//! The packages, and the packages that each may use.

use crate::repository;
use std::fs;

/// A package of this project.
pub(crate) struct Package {
    /// The folder. Its last component is the name of the package.
    pub(crate) folder: &'static str,
    /// The packages that it may use, besides their own dependencies in this list.
    pub(crate) uses: &'static [&'static str],
    /// Maximum number of entries directly in `src`: more than a reader can keep in mind.
    pub(crate) entries: usize,
}

const fn package(folder: &'static str, uses: &'static [&'static str], entries: usize) -> Package {
    Package {
        folder,
        uses,
        entries,
    }
}

/// The packages, each after the packages that it uses.
pub(crate) const PACKAGES: &[Package] = &[
    package("crates/skills-format", &[], 20),
    package("crates/skills-permit", &["skills-format"], 20),
    package("crates/skills-arguments", &["skills-format"], 20),
    package("crates/skills-rank", &["skills-format"], 20),
    package("crates/skills-render", &["skills-format"], 20),
    package("crates/skills-check", &["skills-arguments"], 20),
    package(
        "crates/skills-lint",
        &["skills-check", "skills-permit", "skills-rank"],
        20,
    ),
    package(
        "crates/skills-clients",
        &["skills-format", "skills-lint"],
        20,
    ),
    package("crates/skills-compiler", &["skills-check"], 20),
    package(
        "crates/skills-repository",
        &["skills-compiler", "skills-lint", "skills-clients"],
        20,
    ),
    package("skills-macros", &["skills-compiler"], 20),
    package(
        "skills-runtime",
        &[
            "skills-arguments",
            "skills-compiler",
            "skills-macros",
            "skills-render",
        ],
        15,
    ),
    package(
        "crates/skills-session",
        &["skills-permit", "skills-rank", "skills-runtime"],
        20,
    ),
    package("crates/skills-profiles", &["skills-session"], 20),
    package("bundled-skills", &["skills-runtime"], 20),
    // A test of a program uses it, and no package of this project but in its tests.
    package("crates/skills-clap", &["skills-runtime"], 20),
    package("crates/skills-provision", &["skills-runtime"], 20),
    package(
        "crates/skills-fields",
        &["skills-compiler", "skills-runtime"],
        20,
    ),
    package("crates/skills-store", &["skills-session"], 20),
    package(
        "crates/skills-host",
        &[
            "skills-store",
            "skills-compiler",
            "skills-repository",
            "skills-clients",
        ],
        20,
    ),
    package("crates/skills-agent", &["skills-host"], 20),
    package("crates/skills-server", &["skills-profiles"], 20),
    package("crates/skills-lsp", &["skills-repository"], 20),
    package(
        "crates/skills-play",
        &["skills-repository", "skills-profiles"],
        20,
    ),
    package(
        "crates/skills-tool",
        &[
            "skills-agent",
            "skills-server",
            "skills-lsp",
            "bundled-skills",
        ],
        20,
    ),
];

impl Package {
    pub(crate) fn name(&self) -> &'static str {
        self.folder.rsplit('/').next().unwrap_or(self.folder)
    }

    /// Returns whether this package may name another in its manifest: a package that it uses directly or indirectly.
    fn may_use(&self, name: &str) -> bool {
        self.uses.iter().any(|used| {
            *used == name
                || PACKAGES
                    .iter()
                    .any(|package| package.name() == *used && package.may_use(name))
        })
    }
}

#[test]
fn a_package_uses_what_the_table_allows() {
    for package in PACKAGES {
        let manifest = repository().join(package.folder).join("Cargo.toml");
        let text = fs::read_to_string(&manifest).expect("a manifest");
        let manifest: toml::Table = text.parse().expect("a manifest");
        let name = manifest["package"]["name"].as_str();
        assert_eq!(name, Some(package.name()), "folder name = package name");
        for kind in ["dependencies", "build-dependencies"] {
            let dependencies = manifest.get(kind).and_then(toml::Value::as_table);
            for used in dependencies.into_iter().flat_map(toml::Table::keys) {
                let is_ours = PACKAGES.iter().any(|package| package.name() == used);
                assert!(
                    !is_ours || package.may_use(used),
                    "{} may not use {used}",
                    package.name()
                );
            }
        }
    }
}

#[test]
fn every_package_is_in_the_table() {
    for above in ["", "crates"] {
        for entry in fs::read_dir(repository().join(above)).expect("the repository") {
            let folder = entry.expect("an entry").path();
            let name = folder.file_name().and_then(|name| name.to_str());
            let name = name.expect("a name in UTF-8");
            let is_test = matches!(name, "tests" | "benches" | "fuzz");
            if folder.join("Cargo.toml").is_file() && !is_test {
                let known = PACKAGES.iter().any(|package| package.name() == name);
                assert!(known, "{name} has no place in tests/structure/packages.rs");
            }
        }
    }
}
