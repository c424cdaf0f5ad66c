//! Looks for the change of a killed process in a folder of skills. Changes nothing.

use crate::files::data::DataFolder;
use crate::files::journal::{JOURNAL, Journal};
use crate::files::target::open_target;
use crate::files::work::{LOCK, WORK_FOLDER};
use skills_store::files::guard::Guard;
use skills_store::{Error, ErrorKind};

/// The change that a folder of skills is in the middle of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Interruption {
    /// There is no change.
    None,
    /// Another process changes the folder now.
    Running,
    /// A process was killed. The next change of the folder finishes its change first.
    Killed,
}

/// Returns whether another process changes a folder of skills now. Waits for nothing, and writes nothing.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn is_held(target: &std::path::Path) -> Result<bool, Error> {
    let skills = match open_target(target) {
        // Nothing is changed there.
        Err(error) if error.kind() == ErrorKind::Refused => return Ok(false),
        skills => skills?,
    };
    let Some(skills) = skills else {
        return Ok(false);
    };
    let work = match skills.child(WORK_FOLDER) {
        Err(error) if error.is_not_found() => return Ok(false),
        work => work?,
    };
    // First whether the file exists: to try the lock would create it.
    Ok(work.is_there(LOCK)? && matches!(Guard::try_once_in(&skills, WORK_FOLDER, LOCK), Ok(None)))
}

impl Interruption {
    /// Looks at a folder of skills, which need not exist.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]: another person or another machine began the change. [`ErrorKind::Damaged`]: the record of
    /// the change cannot be read. [`ErrorKind::Io`]: the folder cannot be read.
    pub fn of(target: &std::path::Path, data: &DataFolder) -> Result<Self, Error> {
        let skills = match open_target(target) {
            Err(error) if error.kind() == ErrorKind::Refused => return Ok(Self::None),
            skills => skills?,
        };
        let Some(skills) = skills else {
            return Ok(Self::None);
        };
        let work = match skills.child(WORK_FOLDER) {
            Err(error) if error.is_not_found() => return Ok(Self::None),
            work => work?,
        };
        if !work.is_there(JOURNAL)? {
            return Ok(Self::None);
        }
        if is_held(target)? {
            return Ok(Self::Running);
        }
        match Journal::read(&work, &data.witnesses(skills.path()))? {
            Some(_) => Ok(Self::Killed),
            // The process has ended in the meantime.
            None => Ok(Self::None),
        }
    }
}
