//! Records a skill, for a person to trust it.

use crate::catalog::entry::Entry;
use crate::error::{Error, ErrorKind};
use crate::source::SkillContent;
use crate::source::trust::Verdict;
use crate::source::trust::record::{TrustChanges, TrustRecord, record};

impl<'c> Entry<'c> {
    /// Records the skill as it is now, for a person to trust it: every entry of its folder. Hand the
    /// record to [`CatalogBuilder::trusted`](crate::CatalogBuilder::trusted).
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::NotFound`]: the skill is bundled, or a file is gone.
    /// - [`ErrorKind::Escape`]: a link leads out of the folder.
    /// - [`ErrorKind::TooLarge`]: a file, all files together, or the number of entries, exceeds the limits. The
    ///   lengths are compared before a file is read.
    /// - [`ErrorKind::NotAFile`]: the folder holds a pipe, a socket or a device.
    /// - [`ErrorKind::Io`]: a file cannot be read.
    ///
    /// # Cost
    ///
    /// Reads and hashes every file of the folder.
    pub fn trust_record(&self) -> Result<TrustRecord, Error> {
        let (SkillContent::Folder(skill), Some(root)) = (self.content(), self.root_folder()) else {
            let message = format_args!("skill '{}' is not in a folder", self.qualified_id());
            return Err(Error::new(ErrorKind::NotFound, message));
        };
        record(&self.open_folder(skill)?, skill, root)
    }

    /// Returns the record of what a person trusted, also when the skill has changed since. `None`: no
    /// person has trusted it.
    pub fn trusted_record(&self) -> Option<&'c TrustRecord> {
        match self.source().trust.verdict(self.skill)? {
            Verdict::Untrusted => None,
            Verdict::Trusted(record) | Verdict::Changed(record, _) => Some(record),
        }
    }

    /// Returns what changed since a person trusted the skill, as far as loading compares. `None`: it has
    /// not changed, or no person has trusted it.
    pub fn trust_changes(&self) -> Option<&'c TrustChanges> {
        match self.source().trust.verdict(self.skill)? {
            Verdict::Changed(_, changes) => Some(changes),
            _ => None,
        }
    }
}
