//! The category of a skill is the folder above it: `skills/plain/release/deploy` is of the category `release`.
//!
//! `cargo run -p example-shapes --bin category -- FOLDER`

#![expect(clippy::print_stdout, reason = "what the program says")]

use skills_runtime::{Bundle, Catalog, include_skills};
use std::collections::BTreeMap;
use std::path::PathBuf;

static SKILLS: Bundle = include_skills!("skills/plain");

fn main() {
    let root = std::env::args_os().nth(1).map(PathBuf::from);
    let mut builder = Catalog::builder();
    if let Some(root) = root {
        builder = builder.directory("user", root);
    }
    let catalog = builder.bundle("bundled", &SKILLS).load();
    let mut categories: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for skill in &catalog {
        let dir = skill.dir();
        let (category, _) = dir.rsplit_once('/').unwrap_or_default();
        let skills = categories.entry(category.to_owned()).or_default();
        skills.push(skill.name());
    }
    for (category, skills) in categories {
        println!("{category}: {}", skills.join(", "));
    }
}
