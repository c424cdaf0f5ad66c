//! `skills.json`: the skills that a person has disabled.

use crate::error::Error;
use crate::json_file::{JsonFile, Stored};
use serde_json::{Map, Value};
use skills_runtime::catalog::State;
use std::path::{Path, PathBuf};

/// The largest file that is read, in bytes.
const MAX: u64 = 1024 * 1024;

/// The file of a [`State`]: `{"version": 1, "disabled": ["aleph"]}`. Other fields are kept.
///
/// Reading takes no lock. Writing takes a lock and replaces the whole file, so that two programs do
/// not lose each other's changes.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// use skills_host::StateFile;
///
/// let file = StateFile::new(folder.path().join("skills.json"));
/// file.update(|state| state.disable("aleph")).unwrap();
/// assert!(!file.read().unwrap().value.is_enabled("user", "aleph"));
/// ```
#[derive(Clone, Debug)]
pub struct StateFile(JsonFile);

impl StateFile {
    /// Names the file. It need not exist.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(JsonFile::new(path.into(), MAX))
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Reads which skills are disabled. A missing file disables nothing. A damaged file disables nothing
    /// and has a diagnostic.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) when the file cannot be read.
    pub fn read(&self) -> Result<Stored<State>, Error> {
        self.0.read(parse)
    }

    /// Changes which skills are disabled, and returns the new state. A damaged file is renamed, with a
    /// diagnostic.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) when the file cannot be read, locked or written;
    /// [`ErrorKind::Newer`](crate::ErrorKind::Newer) when a newer version wrote it.
    ///
    /// # Cost
    ///
    /// Waits for the lock, and for the disk to store the file.
    pub fn update(&self, change: impl FnOnce(&mut State)) -> Result<Stored<State>, Error> {
        let mut now = State::default();
        let diagnostics = self.0.update(parse, |state, object| {
            now = state.unwrap_or_default();
            change(&mut now);
            let disabled = now.disabled().map(Into::into).collect();
            object.insert("disabled".to_owned(), Value::Array(disabled));
            Ok(())
        })?;
        Ok(Stored {
            value: now,
            diagnostics,
        })
    }
}

fn parse(object: &Map<String, Value>) -> Result<State, String> {
    let Some(disabled) = object.get("disabled") else {
        return Ok(State::default());
    };
    let ids = disabled.as_array().into_iter().flatten().map(Value::as_str);
    let ids: Option<Vec<&str>> = ids.collect();
    let ids = ids.filter(|_| disabled.is_array());
    let ids = ids.ok_or_else(|| "`disabled` is not a list of ids".to_owned())?;
    Ok(ids.into_iter().collect())
}
