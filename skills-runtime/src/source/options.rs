//! How much is read of folders that anyone may have filled.

/// Bounds of reading. What lies beyond one is left out with a warning that says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Deepest folder in which a skill is looked for, counted from the root: 6.
    pub depth: usize,
    /// Folders that are looked into for one source: 20,000.
    pub folders: usize,
    /// Skills of one source: 10,000.
    pub skills: usize,
    /// Bytes of one file of a skill: 16 MiB.
    pub file: u64,
    /// Files of one skill: 20,000.
    pub files: usize,
}

impl Limits {
    /// The limits where no others are given.
    pub const DEFAULT: Self = Self {
        depth: 6,
        folders: 20_000,
        skills: 10_000,
        file: 16 * 1024 * 1024,
        files: 20_000,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
