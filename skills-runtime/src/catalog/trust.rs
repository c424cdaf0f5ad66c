//! Records a skill, for a person to trust it.

use crate::catalog::skill::Skill;
use crate::error::{Error, ErrorKind};
use crate::source::SkillContent;
use crate::source::changes::Changes;
use crate::source::trust::Verdict;
use crate::source::trust::record::{TrustRecord, record, record_files};

impl<'c> Skill<'c> {
    /// Records every entry of the skill's folder in its current version, for a person to trust it. Pass
    /// the record to [`CatalogBuilder::trusted`](crate::CatalogBuilder::trusted).
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::NotFound`]: the skill is not in a folder, or a file is missing.
    /// - [`ErrorKind::Refused`]: a link leads out of the folder, the folder holds a pipe, a socket or a device, or a file
    ///   cannot be read. Or a file, all files together, or the number of entries exceeds the limits: the lengths are
    ///   compared before a file is read.
    ///
    /// # Cost
    ///
    /// Reads and hashes every file of the folder.
    pub fn trust_record(&self) -> Result<TrustRecord, Error> {
        let (SkillContent::Folder(skill), Some(root)) = (self.content, self.root_folder()) else {
            let message = format_args!("skill '{self}' is not in a folder");
            return Err(Error::new(ErrorKind::NotFound, message));
        };
        match &skill.memory {
            Some(files) => Ok(record_files(files, skill, root)),
            None => record(&self.open_folder(skill)?, skill, root),
        }
    }

    /// Returns the record of the version that a person trusted. If the skill has changed since, also returns the changes, as
    /// far as loading compares. Returns `None` if no person has trusted the skill.
    pub fn trusted_record(&self) -> Option<(&'c TrustRecord, Option<&'c Changes>)> {
        match self.layer().trust.verdict(self.index)? {
            Verdict::Untrusted => None,
            Verdict::Trusted(record) => Some((record, None)),
            Verdict::Changed(record, changes) => Some((record, Some(changes))),
        }
    }
}
