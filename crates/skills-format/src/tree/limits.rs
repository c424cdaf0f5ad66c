//! How large a skill and a bundle may be.

use crate::tree::TreeFile;

/// The most files and bytes of a skill, and the most bytes of a bundle.
///
/// A skill or a bundle over a limit is reported and not read. The lengths of the files are known before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Files of a skill: 512 (Skills extension of the Model Context Protocol).
    pub skill_files: usize,
    /// Bytes of all files of a skill: 16 MiB (the same).
    pub skill_bytes: u64,
    /// Bytes of all files of all skills of a folder that are within their limits: 256 MiB.
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
    /// Whether a skill of these files is within the limits.
    pub fn hold(&self, files: &[TreeFile]) -> bool {
        files.len() <= self.skill_files && total(files) <= self.skill_bytes
    }

    /// Whether all skills together are within the limit of a bundle. A skill over its own limits does
    /// not count: it is not read.
    pub fn hold_all<'t>(&self, skills: impl Iterator<Item = &'t [TreeFile]>) -> bool {
        let bytes = skills.map(|files| self.counted(files));
        bytes.fold(0, u64::saturating_add) <= self.bundle_bytes
    }

    /// The bytes with which a skill counts in its bundle.
    pub fn counted(&self, files: &[TreeFile]) -> u64 {
        if self.hold(files) { total(files) } else { 0 }
    }
}

/// Bytes of all files.
pub fn total(files: &[TreeFile]) -> u64 {
    files
        .iter()
        .fold(0, |sum, file| sum.saturating_add(file.size))
}
