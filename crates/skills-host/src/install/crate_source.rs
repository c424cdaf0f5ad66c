//! The source of an entry in the lock: `crate NAME VERSION`, and the workspaces that the skill is installed for.

use skills_compiler::Locked;
use skills_format::text::percent::decode;
use std::fmt::{Display, Write as _};

/// The beginning of the source of a skill that a crate ships.
pub(crate) const CRATE: &str = "crate ";
/// The word before the workspaces.
const FOR: &str = "for";

/// The parts of the source of a skill that a crate ships: `crate NAME VERSION`, or `crate NAME VERSION for WORKSPACE …`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CrateSource<'s> {
    /// The name of the crate.
    pub krate: &'s str,
    /// The version of the crate.
    pub version: &'s str,
    /// The folders of the workspaces, relative to the folder of skills. Empty for the workspace that the folder of skills
    /// is in.
    pub workspaces: Vec<String>,
}

impl<'s> CrateSource<'s> {
    /// Parses a source. Returns `None` for a source of another kind.
    pub fn parse(source: &'s str) -> Option<Self> {
        let (krate, rest) = source.strip_prefix(CRATE)?.split_once(' ')?;
        let mut words = rest.split(' ');
        let version = words.next()?;
        let workspaces = match words.next() {
            Some(FOR) => words.map(|word| decode(word).into_owned()).collect(),
            _ => Vec::new(),
        };
        Some(Self {
            krate,
            version,
            workspaces,
        })
    }

    /// Parses the source of an entry. Returns `None` if the entry did not come from a crate.
    pub(crate) fn of(locked: &'s Locked) -> Option<Self> {
        Self::parse(&locked.provenance.as_ref()?.source)
    }

    /// Formats the crate, without the workspaces.
    pub fn krate(&self) -> String {
        named(self.krate, self.version)
    }

    /// Formats the source.
    pub(crate) fn text(&self) -> String {
        let mut text = self.krate();
        if !self.workspaces.is_empty() {
            text.push(' ');
            text.push_str(FOR);
        }
        for workspace in &self.workspaces {
            text.push(' ');
            text.push_str(&encoded(workspace));
        }
        text
    }
}

/// Formats a crate: `crate NAME VERSION`.
pub(crate) fn named(krate: &str, version: impl Display) -> String {
    format!("{CRATE}{krate} {version}")
}

/// Encodes a path as one word: a space separates the words of a source. People read locks, so letters stay as they are.
fn encoded(path: &str) -> String {
    let is_kept = |c: char| c != '%' && !c.is_whitespace() && !c.is_control();
    let mut word = String::new();
    for c in path.chars() {
        if is_kept(c) {
            word.push(c);
            continue;
        }
        let mut bytes = [0; 4];
        for byte in c.encode_utf8(&mut bytes).bytes() {
            let _ = write!(word, "%{byte:02X}");
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_and_their_parts() {
        for (source, workspaces) in [
            ("crate near 1.0.0", &[][..]),
            ("crate near 1.0.0 for ../../fuzz", &["../../fuzz"][..]),
            (
                "crate near 1.0.0+a for ../.. ../../a%20b%25",
                &["../..", "../../a b%"][..],
            ),
            ("crate near 1.0.0 for ä%0A", &["ä\n"][..]),
        ] {
            let parsed = CrateSource::parse(source).unwrap();
            assert_eq!(parsed.workspaces, workspaces, "{source}");
            assert_eq!(parsed.krate, "near");
            assert_eq!(parsed.text(), source);
        }
        for source in [
            "",
            "crate ",
            "crate near",
            "program near 1.0.0",
            "./crate a b",
        ] {
            assert_eq!(CrateSource::parse(source), None, "{source}");
        }
        for odd in ["%", "a%", "a%g1", "%é", "%ff"] {
            let source = format!("crate near 1.0.0 for {odd}");
            assert_eq!(CrateSource::parse(&source).unwrap().workspaces.len(), 1);
        }
    }
}
