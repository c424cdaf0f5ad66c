//! The options of reading folders: limits, links, and the care that is taken to find faults.

use crate::source::stamp::Stamps;
use skills_format::MissingName;

/// Limits of reading folders. Everything beyond a limit is left out, with a warning.
///
/// ```
/// use skills_runtime::Catalog;
/// use skills_runtime::source::Limits;
///
/// let mut limits = Limits::DEFAULT;
/// limits.skills = 500;
/// let loaded = Catalog::builder().directory("user", "skills").limits(limits).load();
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The deepest folder in which a skill is looked for, counted from the root: 6.
    pub depth: usize,
    /// The most folders that are read for one source: 20,000.
    pub folders: usize,
    /// The most skills of one source: 10,000.
    pub skills: usize,
    /// The most bytes of one file of a skill: 16 MiB.
    pub file: u64,
    /// The most files of one skill: 20,000.
    pub files: usize,
    /// The most bytes of all files of one skill that are read together, to trust it or to show its digest:
    /// 256 MiB, as many as an install takes. Their lengths are compared before a file is read.
    pub bytes: u64,
}

impl Limits {
    /// The default limits.
    pub const DEFAULT: Self = Self {
        depth: 6,
        folders: 20_000,
        skills: 10_000,
        file: 16 * 1024 * 1024,
        files: 20_000,
        bytes: 256 * 1024 * 1024,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// How the folders of a source are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub(crate) limits: Limits,
    pub(crate) links: Links,
    pub(crate) stamps: Stamps,
    pub(crate) care: Care,
    pub(crate) missing_name: MissingName,
}

/// Where a link may lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    /// Anywhere.
    Followed,
    /// Below the source's root.
    Confined,
}

/// How many system calls are spent on finding faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Care {
    /// Only the calls that finding skills needs.
    #[default]
    Usual,
    /// Also the calls for the length of each file and for nested skills.
    Thorough,
}
