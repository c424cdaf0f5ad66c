//! The file `trust.json`: the skills that the user has trusted.

use crate::disk::{self, make_folder, replace_file};
use crate::error::{Error, ErrorKind};
use crate::json_file::{JsonFile, Record};
use serde::Deserialize as _;
use serde_json::{Map, Value, json};
use skills_format::Digest;
use skills_format::text::path::PathText as _;
use skills_runtime::source::TrustRecord;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The file of [`TrustRecord`]s, one for each skill, sorted by root and folder. A damaged file, or a file of a newer version,
/// has no records.
pub type TrustFile = JsonFile<Vec<TrustRecord>>;

impl TrustFile {
    /// Stores records, which replace older records of the same skills. Returns all records.
    ///
    /// # Errors
    ///
    /// The errors of [`update`](Self::update).
    pub fn trust(&self, records: Vec<TrustRecord>) -> Result<Vec<TrustRecord>, Error> {
        self.update(|all| {
            all.retain(|old| !records.iter().any(|new| new.place() == old.place()));
            all.extend(records);
            all.sort_by(|a, b| a.place().cmp(&b.place()));
        })
    }

    /// Removes the records of the skills of these records. Returns the other records.
    ///
    /// # Errors
    ///
    /// The errors of [`update`](Self::update).
    pub fn distrust(&self, records: &[&TrustRecord]) -> Result<Vec<TrustRecord>, Error> {
        self.update(|all| all.retain(|old| !records.iter().any(|it| it.place() == old.place())))
    }
}

impl Record for Vec<TrustRecord> {
    const MAX: u64 = 64 * 1024 * 1024;
    const EFFECT: &'static str = "no skill that needs trust starts";

    /// All records count, or none.
    fn read(members: &Map<String, Value>) -> Result<Self, String> {
        let Some(records) = members.get(SKILLS) else {
            return Ok(Self::new());
        };
        let mut records = Self::deserialize(records)
            .map_err(|_| format!("`{SKILLS}` is not a list of records"))?;
        records.sort_by(|a, b| a.place().cmp(&b.place()));
        Ok(records)
    }

    fn write(&self, members: &mut Map<String, Value>) -> Result<(), Error> {
        let records = serde_json::to_value(self)
            .map_err(|error| Error::new(ErrorKind::NotUtf8, error.to_string()))?;
        members.insert(SKILLS.to_owned(), records);
        Ok(())
    }
}

/// The member that holds the records.
const SKILLS: &str = "skills";

/// Maximum bytes of kept texts of one skill.
const MOST: usize = 1024 * 1024;
/// Maximum size of a file in bytes: JSON writes a byte as six bytes at most.
const MAX_FILE: u64 = 8 * 1024 * 1024;

/// A folder with the texts of trusted skills, each in a file named by the trust digest. If the folder is
/// lost, only the comparison of texts is lost.
#[derive(Clone, Debug)]
pub struct TrustedTexts(PathBuf);

impl TrustedTexts {
    /// Returns the folder of a path, which need not exist. Writes nothing.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self(folder.into())
    }

    /// Keeps the texts of a record's files, in order of paths, at most 1 MiB together. `read` reads a file of the
    /// skill. A text that differs from the record is left out.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn keep(
        &self,
        record: &TrustRecord,
        read: impl Fn(&str) -> Option<Vec<u8>>,
    ) -> Result<(), Error> {
        if !self.texts(record).is_empty() {
            return Ok(());
        }
        let mut texts = Map::new();
        let mut left = MOST;
        for (path, digest) in record.files() {
            if path.to_str().is_none() || digest.is_none() {
                continue;
            }
            let path = path.shown();
            if let Some(bytes) = read(&path)
                && bytes.len() <= left
                && digest == Some(Digest::of(&bytes))
                && let Ok(text) = String::from_utf8(bytes)
            {
                left = left.saturating_sub(text.len());
                texts.insert(path.into_owned(), text.into());
            }
        }
        self.write(record, &json!({ "texts": texts }))
    }

    fn write(&self, record: &TrustRecord, value: &Value) -> Result<(), Error> {
        make_folder(&self.0)?;
        replace_file(&self.path(record), value.to_string().as_bytes())
    }

    /// Returns the texts of a record, by path, without missing and damaged texts.
    pub fn texts(&self, record: &TrustRecord) -> BTreeMap<String, String> {
        self.read(record).unwrap_or_default()
    }

    fn read(&self, record: &TrustRecord) -> Option<BTreeMap<String, String>> {
        let path = self.path(record);
        let is_file = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_file());
        let bytes = is_file.then(|| disk::read(&path, MAX_FILE))?.ok()?;
        let value: Value = serde_json::from_slice(&bytes).ok()?;
        let texts = value.get("texts")?.as_object()?;
        let recorded: BTreeMap<&Path, Option<Digest>> = record.files().collect();
        let is_recorded = |path: &str, text: &str| {
            recorded.get(Path::new(path)) == Some(&Some(Digest::of(text.as_bytes())))
        };
        let texts = texts
            .iter()
            .filter_map(|(path, text)| Some((path.clone(), text.as_str()?.to_owned())));
        Some(
            texts
                .filter(|(path, text)| is_recorded(path, text))
                .collect(),
        )
    }

    /// Removes the texts of records that are no longer kept. A file that cannot be removed stays.
    pub fn forget(&self, gone: &[TrustRecord], kept: &[TrustRecord]) {
        let kept: Vec<PathBuf> = kept.iter().map(|record| self.path(record)).collect();
        for path in gone.iter().map(|record| self.path(record)) {
            if !kept.contains(&path) {
                let _ = fs::remove_file(path);
            }
        }
    }

    fn path(&self, record: &TrustRecord) -> PathBuf {
        let digest = record.digest().to_string();
        let name = digest.rsplit(':').next().unwrap_or_default();
        self.0.join(format!("{name}.json"))
    }
}
