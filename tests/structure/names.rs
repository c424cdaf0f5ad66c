//! What an author's program links names no other program, but in one table: the keys, variables and files that stand in
//! skills on disk.

use crate::lines::code;
use crate::repository;

/// The packages, without those that imitate other programs.
const PACKAGES: [&str; 5] = [
    "crates/skills-format",
    "skills-runtime",
    "crates/skills-render",
    "crates/skills-permit",
    "crates/skills-arguments",
];

/// Other programs, in lower case.
const PROGRAMS: [&str; 9] = [
    "agenvoy",
    "caliban",
    "claude",
    "codewhale",
    "codex",
    "gemini",
    "openclaw",
    "opencode",
    "ouro",
];

/// The table.
const TABLE: &str = "foreign.rs";

#[test]
fn no_other_program_is_named() {
    let mut found = Vec::new();
    for package in PACKAGES {
        for (path, lines) in code(&repository().join(package)) {
            let named = lines.iter().filter(|line| {
                let line = line.to_lowercase();
                PROGRAMS.iter().any(|program| line.contains(program))
            });
            if !path.ends_with(TABLE) {
                found.extend(named.map(|line| format!("{}: {line}", path.display())));
            }
        }
    }
    assert!(
        found.is_empty(),
        "use a constant of crates/skills-format/src/{TABLE}:\n{}",
        found.join("\n")
    );
}
