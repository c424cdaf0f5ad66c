//! The options of reading folders.

use skills_format::LenientOptions;

/// The limits of reading folders. Everything beyond a limit is left out, with a warning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The maximum depth of a skill's folder, counted from the root: 6.
    pub(crate) depth: usize,
    /// The maximum number of folders that are read for one source: 20,000.
    pub(crate) folders: usize,
    /// The maximum number of skills of one source: 10,000.
    pub(crate) skills: usize,
    /// The maximum number of bytes in one file of a skill: 16 MiB.
    pub(crate) file: u64,
    /// The maximum number of files in one skill: 20,000.
    pub(crate) files: usize,
    /// The maximum number of bytes in all files of one skill that are read together, to trust the skill
    /// or to show its digest: 256 MiB, the maximum of an install. The lengths are compared before a file
    /// is read.
    pub(crate) bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: 6,
            folders: 20_000,
            skills: 10_000,
            file: 16 * 1024 * 1024,
            files: 20_000,
            bytes: 256 * 1024 * 1024,
        }
    }
}

/// The options of reading the folders of one source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub(crate) limits: Limits,
    /// Whether no link leads out of the source's root.
    pub(crate) confined: bool,
    pub(crate) stamps: bool,
    pub(crate) how: How,
}

/// How a `SKILL.md` is read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct How {
    pub(crate) lenient: LenientOptions,
    /// Whether the skill can have no alias and no command of its own.
    pub(crate) namespaced: bool,
}

#[cfg(test)]
mod tests;
