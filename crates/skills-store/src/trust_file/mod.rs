//! `trust.json`: the skills that a person has trusted.

mod json;
mod path_text;
mod texts;

pub use texts::TrustedTexts;

use crate::error::Error;
use crate::json_file::{JsonFile, Stored};
use crate::trust_file::json::{parse, to_json};
use serde_json::Value;
use skills_runtime::source::TrustRecord;
use std::path::{Path, PathBuf};

/// The largest file that is read, in bytes.
const MAX: u64 = 64 * 1024 * 1024;
/// What follows from a file that cannot be read.
const EFFECT: &str = "no skill that needs trust starts";

/// The file of [`TrustRecord`] records, one for each skill. It is read and written as
/// [`StateFile`](crate::StateFile) is. Records of whole folders, which older versions wrote, are read as
/// records of the skills in them.
#[derive(Clone, Debug)]
pub struct TrustFile(JsonFile);

impl TrustFile {
    /// Names the file. It need not exist.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(JsonFile::new(path.into(), MAX, EFFECT))
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Reads every record, in order of roots and folders. A missing file has no records. A
    /// damaged file, and the file of a newer version, has no records and a diagnostic.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) when the file cannot be read.
    pub fn read(&self) -> Result<Stored<Vec<TrustRecord>>, Error> {
        self.0.read(parse)
    }

    /// Stores records. They replace older records of the same skills.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) when the file cannot be read, locked or written;
    /// [`ErrorKind::Damaged`](crate::ErrorKind::Damaged) when it is damaged;
    /// [`ErrorKind::Newer`](crate::ErrorKind::Newer) when a newer version wrote it.
    ///
    /// # Cost
    ///
    /// Waits for the lock, and for the disk to store the file.
    pub fn trust(&self, records: Vec<TrustRecord>) -> Result<Stored<Vec<TrustRecord>>, Error> {
        self.update(|all| {
            all.retain(|old| {
                !records
                    .iter()
                    .any(|new| is_of(old, (&new.root, &new.folder)))
            });
            all.extend(records);
        })
    }

    /// Removes the records of skills, each given by its root and its folder.
    ///
    /// # Errors
    ///
    /// As [`TrustFile::trust`].
    ///
    /// # Cost
    ///
    /// As [`TrustFile::trust`].
    pub fn distrust(
        &self,
        skills: &[(PathBuf, PathBuf)],
    ) -> Result<Stored<Vec<TrustRecord>>, Error> {
        let is_one = |record: &TrustRecord| skills.iter().any(|(r, f)| is_of(record, (r, f)));
        self.update(|all| all.retain(|record| !is_one(record)))
    }

    /// Fails when [`TrustFile::trust`] would refuse what is in the file. A missing file passes.
    ///
    /// # Errors
    ///
    /// As [`TrustFile::trust`].
    pub fn check(&self) -> Result<(), Error> {
        self.0.check(parse)
    }

    /// Moves a file that is damaged or of a newer version aside, as [`StateFile`](crate::StateFile) does.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) when the file cannot be read, locked or moved.
    pub fn reset(&self) -> Result<Option<PathBuf>, Error> {
        self.0.reset(parse)
    }

    fn update(
        &self,
        change: impl FnOnce(&mut Vec<TrustRecord>),
    ) -> Result<Stored<Vec<TrustRecord>>, Error> {
        let mut now = Vec::new();
        self.0.update(parse, |records, object| {
            now = records.unwrap_or_default();
            change(&mut now);
            now.sort_by(|a, b| (&a.root, &a.folder).cmp(&(&b.root, &b.folder)));
            let records = now.iter().map(to_json).collect();
            object.insert(json::SKILLS.to_owned(), Value::Array(records));
            // Their skills have records of their own now.
            object.remove(json::FOLDERS);
            Ok(())
        })?;
        Ok(Stored::of(now))
    }
}

fn is_of(record: &TrustRecord, (root, folder): (&Path, &Path)) -> bool {
    record.root == root && record.folder == folder
}
