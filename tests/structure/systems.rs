//! `docs/systems.md`: what it says of the differences is what the case files of the profiles say.
//!
//! `UPDATE_DOCS=1 cargo test -p skills-tests --test structure` writes it.

use crate::repository;
use std::fs;

const SYSTEMS: &[&str] = &["codewhale", "caliban", "openclaw", "ouro", "agenvoy"];

#[test]
fn the_page_of_the_systems_has_the_differences_of_their_cases() {
    let path = repository().join("docs/systems.md");
    let mut page = fs::read_to_string(&path).expect("the page");
    let written = page.clone();
    for system in SYSTEMS {
        let cases = repository().join(format!("tests/cases/profiles/{system}.md"));
        let table = differences(&fs::read_to_string(cases).expect("the cases"));
        let start = format!("<!-- differences of {system} -->\n");
        let (before, rest) = page.split_once(&start).expect(system);
        let (_, after) = rest.split_once("<!-- end -->").expect(system);
        page = format!("{before}{start}{table}<!-- end -->{after}");
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, page).expect("write the page");
    } else {
        assert_eq!(written, page, "run it with UPDATE_DOCS=1");
    }
}

/// Returns the table below "What differs", without the marks of the sentences.
fn differences(cases: &str) -> String {
    let (_, rest) = cases.split_once("\n# What differs\n").expect("the chapter");
    let chapter = rest.split("\n# ").next().unwrap_or(rest);
    let mut table = String::from("\n");
    for row in chapter.lines().filter(|line| line.starts_with('|')) {
        let mut cells = row.split("<!--");
        table.push_str(cells.next().unwrap_or_default().trim_end());
        if row.contains("<!--") {
            table.push_str(" |");
        }
        table.push('\n');
    }
    table + "\n"
}
