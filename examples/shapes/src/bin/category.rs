//! The category of a skill is the folder above it: `skills/plain/release/deploy` is of the category `release`.
//!
//! `cargo run -p example-shapes --bin category -- FOLDER`

#![expect(clippy::print_stdout, reason = "what the program says")]

use skills_runtime::{Bundle, Catalog, include_skills};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

static SKILLS: Bundle = include_skills!("skills/plain");

fn main() {
    let root = std::env::args_os().nth(1).map(PathBuf::from);
    let mut builder = Catalog::builder();
    if let Some(root) = &root {
        builder = builder.directory("user", root);
    }
    let catalog = builder.bundle("bundled", &SKILLS).load();
    let mut categories: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for skill in &catalog {
        let folder = match (skill.bundled(), skill.folder(), &root) {
            (Some(bundled), ..) => Path::new(bundled.dir()),
            (None, Some(folder), Some(root)) => folder.strip_prefix(root).unwrap_or(folder),
            _ => continue,
        };
        let above = folder.parent().unwrap_or(Path::new(""));
        let category = above.to_string_lossy().replace('\\', "/");
        categories.entry(category).or_default().push(skill.name());
    }
    for (category, skills) in categories {
        println!("{category}: {}", skills.join(", "));
    }
}
