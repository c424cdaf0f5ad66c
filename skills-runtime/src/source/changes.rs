//! The differences between two versions.

use std::fmt;

/// The differences between two catalogs, or between two versions of a skill, in order. `Display` writes them in words:
/// `changed SKILL.md, added run.sh`, at most five of them. [`Changes::default()`](Default::default): there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Changes {
    /// The qualified ids of skills, or the paths of entries, that only the later version has.
    pub added: Vec<String>,
    /// Those that both have, and that differ.
    pub changed: Vec<String>,
    /// Those that only the earlier version has.
    pub removed: Vec<String>,
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 5;
        let mut words: Vec<String> = Vec::new();
        for (word, all) in [
            ("changed", &self.changed),
            ("added", &self.added),
            ("removed", &self.removed),
        ] {
            words.extend(all.iter().map(|one| format!("{word} {one}")));
        }
        let more = words.len().saturating_sub(MOST);
        words.truncate(MOST);
        if more > 0 {
            words.push(format!("{more} more"));
        }
        f.write_str(&words.join(", "))
    }
}
