//! The file `trust.json`: the skills that the user has trusted.

mod texts;

pub use texts::TrustedTexts;

use crate::error::Error;
use crate::json_file::{JsonFile, Stored};
use serde::Deserialize as _;
use serde_json::{Map, Value};
use skills_runtime::source::TrustRecord;
use std::path::{Path, PathBuf};

/// Maximum size of the file in bytes.
const MAX: u64 = 64 * 1024 * 1024;
/// The effect of an unreadable file, for messages.
const EFFECT: &str = "no skill that needs trust starts";

/// The file of [`TrustRecord`]s, one for each skill. Read and written like [`StateFile`](crate::StateFile).
#[derive(Clone, Debug)]
pub struct TrustFile(JsonFile);

impl TrustFile {
    /// Returns the file of a path, which need not exist. Writes nothing.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(JsonFile::new(path.into(), MAX, EFFECT))
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Reads every record, sorted by root and folder. A missing file has no records. A damaged file, or a file of a
    /// newer version, gives no records and a diagnostic.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if the file cannot be read.
    pub fn read(&self) -> Result<Stored<Vec<TrustRecord>>, Error> {
        self.0.read(parse)
    }

    /// Stores records, which replace older records of the same skills.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if the file cannot be read, locked or written;
    /// [`ErrorKind::Damaged`](crate::ErrorKind::Damaged) if it is damaged;
    /// [`ErrorKind::Newer`](crate::ErrorKind::Newer) if a newer version wrote it.
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
    /// The errors of [`TrustFile::trust`].
    ///
    /// # Cost
    ///
    /// The cost of [`TrustFile::trust`].
    pub fn distrust(
        &self,
        skills: &[(PathBuf, PathBuf)],
    ) -> Result<Stored<Vec<TrustRecord>>, Error> {
        let is_one = |record: &TrustRecord| skills.iter().any(|(r, f)| is_of(record, (r, f)));
        self.update(|all| all.retain(|record| !is_one(record)))
    }

    /// Fails if [`TrustFile::trust`] would reject the content of the file. A missing file passes.
    ///
    /// # Errors
    ///
    /// The errors of [`TrustFile::trust`].
    pub fn check(&self) -> Result<(), Error> {
        self.0.check(parse)
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
            let records = serde_json::to_value(&now);
            let records = records.map_err(|error| Error::io(self.path(), "write", error.into()))?;
            object.insert(SKILLS.to_owned(), records);
            Ok(())
        })?;
        Ok(Stored::of(now))
    }
}

fn is_of(record: &TrustRecord, (root, folder): (&Path, &Path)) -> bool {
    record.root == root && record.folder == folder
}

/// The member that holds the records.
const SKILLS: &str = "skills";

/// Reads the records of a file. All of them count, or none.
fn parse(object: &Map<String, Value>) -> Result<Vec<TrustRecord>, String> {
    let Some(records) = object.get(SKILLS) else {
        return Ok(Vec::new());
    };
    Vec::deserialize(records).map_err(|_| format!("`{SKILLS}` is not a list of records"))
}
