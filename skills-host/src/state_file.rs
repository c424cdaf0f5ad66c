//! `skills.json`: what a person has switched off.

use crate::error::Error;
use crate::json_file::{JsonFile, Stored};
use serde_json::{Map, Value};
use skills_runtime::catalog::State;
use std::path::{Path, PathBuf};

/// The largest file that is read.
const MAX: u64 = 1024 * 1024;

/// The file of a [`State`]: `{"version": 1, "disabled": ["aleph"]}`. Other fields are kept.
///
/// Reading takes no lock. Writing takes one, so that of two programs neither loses what the other
/// writes, and replaces the file as a whole.
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
    /// The file at a path, whether it is there or not.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(JsonFile::new(path.into(), MAX))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// What is switched off. A file that is missing switches nothing off; so does one that is
    /// damaged, which is told.
    pub fn read(&self) -> Result<Stored<State>, Error> {
        self.0.read(parse)
    }

    /// Changes what is switched off, and gives what it is now. A damaged file is moved aside, and
    /// told.
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
    let ids = ids.ok_or_else(|| "`disabled` is no list of ids".to_owned())?;
    Ok(ids.into_iter().collect())
}
