//! Skills of a store that is no folder, such as a database: the host reads as it likes and hands over bytes. Each tenant has
//! a catalog of its own.
//!
//! `echo '$refund order 12' | cargo run -p example-shapes --bin store -- acme`

#![expect(clippy::print_stdout, reason = "what the program says")]

use skills_runtime::{Bundle, Catalog, include_skills};
use std::io;

static SKILLS: Bundle = include_skills!("skills/plain");

/// The rows of a table: tenant, path, bytes.
const ROWS: &[(&str, &str, &str)] = &[
    (
        "acme",
        "refund/SKILL.md",
        "---\nname: refund\ndescription: Refunds an order.\n---\n\nAsk for the number of the order.\n",
    ),
    ("acme", "refund/references/limits.md", "At most 100.\n"),
    (
        "other",
        "secret/SKILL.md",
        "---\nname: secret\ndescription: Only for the other tenant.\n---\n\nHush.\n",
    ),
];

/// Stands for the query, which a real host awaits.
fn files_of(tenant: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = ROWS.iter().filter(move |(owner, ..)| *owner == tenant);
    rows.map(|(_, path, text)| (*path, *text))
}

fn main() -> io::Result<()> {
    let tenant = std::env::args().nth(1).unwrap_or_default();
    let sources = Catalog::builder().files("tenant", files_of(&tenant));
    let catalog = sources.bundle("bundled", &SKILLS).load();
    for problem in catalog.diagnostics() {
        println!("{problem}");
    }
    for line in io::stdin().lines() {
        let meant = catalog.resolve(&line?);
        for notice in &meant.notices {
            println!("{notice}");
        }
        for skill in &meant.skills {
            match skill.activate(meant.arguments(skill)) {
                Ok(text) => println!("{text}"),
                Err(why) => println!("{why}"),
            }
        }
    }
    Ok(())
}
