//! `trust.json`: the folders that a person has trusted.

use crate::error::{Error, ErrorKind};
use crate::json_file::{JsonFile, Stored};
use serde_json::{Map, Value, json};
use skills_runtime::bundle::Digest;
use skills_runtime::source::{TrustRecord, TrustedFile};
use std::path::{Path, PathBuf};

/// The largest file that is read, in bytes.
const MAX: u64 = 64 * 1024 * 1024;
/// What follows from a file that cannot be read.
const EFFECT: &str = "no skill that needs trust starts";

/// The file of [`TrustRecord`] records, one for each folder. It is read and written as
/// [`StateFile`](crate::StateFile) is.
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

    /// Reads every record, in order of folders. A missing file has no records. A damaged file, and
    /// the file of a newer version, has no records and a diagnostic.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`] when the file cannot be read.
    pub fn read(&self) -> Result<Stored<Vec<TrustRecord>>, Error> {
        self.0.read(parse)
    }

    /// Stores records. They replace older records of the same folders.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`] when the file cannot be read, locked or written; [`ErrorKind::Damaged`] when
    /// it is damaged; [`ErrorKind::Newer`] when a newer version wrote it; [`ErrorKind::NotUtf8`] when the
    /// path of a folder is not UTF-8.
    ///
    /// # Cost
    ///
    /// Waits for the lock, and for the disk to store the file.
    pub fn trust(&self, records: Vec<TrustRecord>) -> Result<Stored<Vec<TrustRecord>>, Error> {
        self.update(|all| {
            all.retain(|old| records.iter().all(|new| new.root != old.root));
            all.extend(records);
        })
    }

    /// Removes the records of folders.
    ///
    /// # Errors
    ///
    /// As [`TrustFile::trust`].
    ///
    /// # Cost
    ///
    /// As [`TrustFile::trust`].
    pub fn distrust(&self, roots: &[PathBuf]) -> Result<Stored<Vec<TrustRecord>>, Error> {
        self.update(|all| all.retain(|record| !roots.contains(&record.root)))
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
    /// [`ErrorKind::Io`] when the file cannot be read, locked or moved.
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
            now.sort_by(|a, b| a.root.cmp(&b.root));
            let records = now.iter().map(to_json).collect::<Result<_, _>>()?;
            object.insert("trusted".to_owned(), Value::Array(records));
            Ok(())
        })?;
        Ok(Stored::of(now))
    }
}

fn to_json(record: &TrustRecord) -> Result<Value, Error> {
    let Some(root) = record.root.to_str() else {
        let message = format_args!(
            "the path {} is not UTF-8, and cannot be recorded",
            record.root.display()
        );
        return Err(Error::new(ErrorKind::NotUtf8, message));
    };
    let files = record.files.iter().map(|file| {
        json!({
            "path": file.path,
            "len": file.len,
            "modified": file.modified,
            "digest": file.digest.to_string(),
        })
    });
    Ok(json!({
        "root": root,
        "digest": record.digest().to_string(),
        "files": files.collect::<Vec<_>>(),
    }))
}

fn parse(object: &Map<String, Value>) -> Result<Vec<TrustRecord>, String> {
    let Some(records) = object.get("trusted") else {
        return Ok(Vec::new());
    };
    let records = records
        .as_array()
        .map(|all| all.iter().map(record).collect());
    records
        .flatten()
        .ok_or_else(|| "`trusted` is not a list of records".to_owned())
}

fn record(value: &Value) -> Option<TrustRecord> {
    let files = value.get("files")?.as_array()?.iter().map(file);
    let mut files = files.collect::<Option<Vec<_>>>()?;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let record = TrustRecord {
        root: value.get("root")?.as_str()?.into(),
        files,
    };
    let digest = Digest::parse(value.get("digest")?.as_str()?)?;
    (record.digest() == digest).then_some(record)
}

fn file(value: &Value) -> Option<TrustedFile> {
    Some(TrustedFile {
        path: value.get("path")?.as_str()?.to_owned(),
        len: value.get("len")?.as_u64()?,
        modified: value.get("modified")?.as_i64()?,
        digest: Digest::parse(value.get("digest")?.as_str()?)?,
    })
}
