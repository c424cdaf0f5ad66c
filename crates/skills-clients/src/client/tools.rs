//! The names that clients give to their tools.

#[cfg(test)]
use crate::client::all;
use crate::source::Source;
use serde::Deserialize;
use skills_permit::ToolKind;
use std::collections::BTreeMap;
#[cfg(test)]
use std::fmt::Write as _;

/// The names of a client's tools.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct ToolNames {
    /// The source.
    pub source: Source,
    /// The names by kind.
    pub names: BTreeMap<ToolKind, Vec<String>>,
}

/// Renders the names of all clients by kind as the source file `known_names.rs` of the package `skills-permit`: the session and
/// the linter read no table when they run. The names of Claude Code come first, because most skills use them.
#[cfg(test)]
pub(crate) fn source_file() -> String {
    let mut text = String::from(
        "//! The names that programs give to their tools.\n//!\n//! Generated from crates/skills-clients/clients. \
         `UPDATE_DOCS=1 cargo test -p skills-clients` writes the file again.\n\n\
         /// Returns the names of a kind, by its name. A name that programs use for different things is absent.\n\
         #[rustfmt::skip]\n#[expect(clippy::too_many_lines, reason = \"a table\")]\n\
         pub(super) fn names(kind: &str) -> &'static [&'static str] {\n    match kind {\n",
    );
    for kind in ToolKind::ALL {
        let mut names: Vec<&str> = Vec::new();
        for (known, name) in of_clients() {
            if known == kind && !names.contains(&name) {
                names.push(name);
            }
        }
        if names.is_empty() {
            continue;
        }
        let _ = writeln!(text, "        {:?} => &[", kind.as_str());
        for name in names {
            let _ = writeln!(text, "            {name:?},");
        }
        text.push_str("        ],\n");
    }
    text + "        _ => &[],\n    }\n}\n"
}

/// Returns each name of a tool with its kind, those of this project's own entry last.
#[cfg(test)]
fn of_clients() -> Vec<(ToolKind, &'static str)> {
    let mut found = Vec::new();
    for client in all().iter().skip(1).chain(all().first()) {
        for (kind, names) in client.tools.iter().flat_map(|tools| &tools.names) {
            found.extend(names.iter().map(|name| (*kind, name.as_str())));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_means_two_kinds() {
        let mut known = BTreeMap::new();
        for (kind, name) in of_clients() {
            assert_eq!(*known.entry(name).or_insert(kind), kind, "{name}");
            assert_eq!(ToolKind::of(name), kind, "{name}");
        }
        assert!(known.len() > 50);
    }
}
