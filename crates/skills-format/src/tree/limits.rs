//! The size limits of a skill and of a bundle.

use crate::tree::TreeFile;

/// The maximum number of files and bytes of a skill, and the maximum number of bytes of a bundle.
///
/// A skill or a bundle over a limit is reported and not read: the lengths of all files are known before a byte
/// is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Files of a skill. Default: 512 (Skills extension of the Model Context Protocol).
    pub skill_files: usize,
    /// Bytes of all files of a skill. Default: 16 MiB (same extension).
    pub skill_bytes: u64,
    /// Bytes of all files of all skills of a folder that are within their own limits. Default: 256 MiB.
    pub bundle_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            skill_files: 512,
            skill_bytes: 16 << 20,
            bundle_bytes: 256 << 20,
        }
    }
}

impl Limits {
    /// Returns whether a skill of these files is within the limits.
    pub fn hold(&self, files: &[TreeFile]) -> bool {
        files.len() <= self.skill_files && total(files) <= self.skill_bytes
    }

    /// Returns whether all skills together are within the limit of a bundle. A skill over its own limits does
    /// not count, since it is not read.
    pub fn hold_all<'t>(&self, skills: impl Iterator<Item = &'t [TreeFile]>) -> bool {
        let bytes = skills.map(|files| self.counted(files));
        bytes.fold(0, u64::saturating_add) <= self.bundle_bytes
    }

    /// Returns the bytes that a skill adds to its bundle: 0 if the skill is over its own limits.
    pub fn counted(&self, files: &[TreeFile]) -> u64 {
        if self.hold(files) { total(files) } else { 0 }
    }
}

/// Returns the sum of the lengths of all files, in bytes.
pub fn total(files: &[TreeFile]) -> u64 {
    files
        .iter()
        .fold(0, |sum, file| sum.saturating_add(file.size))
}
