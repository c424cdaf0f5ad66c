//! Cases that are not run on Windows. The report of a run gives the reason of each.

use crate::case::Case;

/// The documents whose cases were looked through on Windows.
const TRIED: &[&str] = &["catalog/", "mentions/", "profiles/", "cli/a"];

const LETTERS: &str = "a file system in which `skill.md` and `SKILL.md` are two files";
const WIDTHS: &str = "columns and budgets for a path of Unix";
const DATA: &str = "data in ~/.local/share";

/// Cases by the beginning of their names.
const NAMED: &[(&str, &str)] = &[
    ("catalog/discovery::A file in another case", LETTERS),
    ("catalog/lower-case::", LETTERS),
    ("mentions/links::Places as the catalog text", LETTERS),
    ("mentions/links::The path of a file after", LETTERS),
    ("catalog/layers::What is shadowed is kept", WIDTHS),
    ("profiles/codewhale::4. The transcript", WIDTHS),
    ("profiles/openclaw::Model Invocation", WIDTHS),
    ("profiles/caliban::", DATA),
];

impl Case {
    /// Why the case is not run on this system. `None`: it is.
    pub fn skipped(&self) -> Option<&'static str> {
        if !cfg!(windows) {
            return None;
        }
        let begins = |start: &str| self.name.starts_with(start);
        if !TRIED.iter().any(|start| begins(start)) {
            return Some("not looked through on Windows yet");
        }
        let named = NAMED.iter().find(|(start, _)| begins(start));
        let of_unix = || self.needs_unix().then_some("links and permissions of Unix");
        named.map(|(_, why)| *why).or_else(of_unix)
    }
}
