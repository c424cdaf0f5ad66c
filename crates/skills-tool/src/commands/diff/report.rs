//! The differences that every format prints.

use skills_host::review::{LoweredLock, SkillDifference};

/// What the formats print.
pub(super) struct Report {
    pub(super) base: String,
    pub(super) head: String,
    /// The folder of the skills, to print paths of files.
    pub(super) prefix: String,
    pub(super) skills: Vec<SkillDifference>,
    pub(super) lowered: Vec<LoweredLock>,
}

impl Report {
    pub(super) fn is_widened(&self) -> bool {
        !self.lowered.is_empty() || self.skills.iter().any(SkillDifference::is_widened)
    }
}
