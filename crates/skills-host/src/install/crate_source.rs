//! The source of an entry in the lock: `crate NAME VERSION`.

use skills_repository::Locked;
use std::fmt::Display;

/// The beginning of the source of a skill that a crate ships.
pub(crate) const CRATE: &str = "crate ";

/// The parts of the source of a skill that a crate ships: `crate NAME VERSION`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrateSource<'s> {
    /// The name of the crate.
    pub krate: &'s str,
    /// The version of the crate.
    pub version: &'s str,
}

impl<'s> CrateSource<'s> {
    /// Parses a source. Returns `None` for a source of another kind.
    pub fn parse(source: &'s str) -> Option<Self> {
        let (krate, version) = source.strip_prefix(CRATE)?.split_once(' ')?;
        Some(Self { krate, version })
    }

    /// Parses the source of an entry. Returns `None` if the entry did not come from a crate.
    pub(crate) fn of(locked: &'s Locked) -> Option<Self> {
        Self::parse(&locked.provenance.as_ref()?.source)
    }

    /// Formats the source.
    pub fn krate(&self) -> String {
        named(self.krate, self.version)
    }
}

/// Formats a crate: `crate NAME VERSION`.
pub(crate) fn named(krate: &str, version: impl Display) -> String {
    format!("{CRATE}{krate} {version}")
}
