//! The file `skills.json`: the skills that the user has disabled.

use crate::disabled::Disabled;
use crate::error::Error;
use crate::json_file::{Content, JsonFile, Stored};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// Maximum size of the file in bytes.
const MAX: u64 = 1024 * 1024;
/// The effect of an unreadable file, for messages.
const EFFECT: &str = "no skill of a folder starts";

/// The file of a [`Disabled`]: `{"version": 1, "disabled": ["aleph"]}`. Unknown fields are kept.
///
/// Reading takes no lock. Writing takes a lock and replaces the whole file, so that two programs do
/// not lose each other's changes.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// use skills_store::StateFile;
///
/// let file = StateFile::new(folder.path().join("skills.json"));
/// file.update(|state| state.ids.insert("aleph".into())).unwrap();
/// assert!(file.read().unwrap().value.ids.contains("aleph"));
/// ```
#[derive(Clone, Debug)]
pub struct StateFile(JsonFile);

impl StateFile {
    /// Returns the file of a path, which need not exist. Writes nothing.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(JsonFile::new(path.into(), MAX, EFFECT))
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Reads the disabled skills. A missing file disables nothing. A damaged file, or a file of a newer version,
    /// gives `Disabled::unknown` and a diagnostic: then no skill of a folder starts. Its readable ids are disabled
    /// too.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if the file cannot be read.
    pub fn read(&self) -> Result<Stored<Disabled>, Error> {
        Ok(match self.0.content(parse)? {
            Content::Missing => Stored::of(Disabled::default()),
            Content::Whole(disabled) => Stored::of(disabled),
            Content::Unreadable { fault, value } => {
                let value = Disabled {
                    unknown: Some(self.0.why(&fault)),
                    ..value.unwrap_or_default()
                };
                Stored {
                    value,
                    diagnostics: vec![self.0.diagnostic(&fault)],
                }
            }
        })
    }

    /// Changes the disabled skills, and returns the new state. [`Disabled::enable`] resolves a
    /// user's id:
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let file = skills_store::StateFile::new(folder.path().join("skills.json"));
    /// # let catalog = skills_runtime::Catalog::builder().load();
    /// let mut on = None;
    /// let state = file.update(|state| on = state.enable(&catalog, "aleph"))?;
    /// let catalog = catalog.with(|builder| state.set(builder));
    /// assert_eq!(on, None, "no skill has the id");
    /// # Ok::<(), skills_store::Error>(())
    /// ```
    ///
    /// If the update fails, `change` may not have run.
    ///
    /// # Errors
    ///
    /// No error changes the file:
    ///
    /// - [`ErrorKind::Damaged`](crate::ErrorKind::Damaged): the file is damaged.
    /// - [`ErrorKind::Newer`](crate::ErrorKind::Newer): a newer version wrote the file.
    /// - [`ErrorKind::Io`](crate::ErrorKind::Io): the file cannot be read, locked or written.
    ///
    /// # Cost
    ///
    /// Waits for the lock, and for the disk to store the file.
    pub fn update<R>(&self, change: impl FnOnce(&mut Disabled) -> R) -> Result<Disabled, Error> {
        let mut now = Disabled::default();
        self.0.update(parse, |state, object| {
            now = state.unwrap_or_default();
            change(&mut now);
            let disabled = now.ids.iter().map(|id| id.as_str().into()).collect();
            object.insert("disabled".to_owned(), Value::Array(disabled));
            Ok(())
        })?;
        Ok(now)
    }

    /// Fails if [`StateFile::update`] would reject the content of the file. A missing file passes.
    ///
    /// # Errors
    ///
    /// The errors of [`StateFile::update`].
    pub fn check(&self) -> Result<(), Error> {
        self.0.check(parse)
    }
}

fn parse(object: &Map<String, Value>) -> Result<Disabled, String> {
    let Some(disabled) = object.get("disabled") else {
        return Ok(Disabled::default());
    };
    let ids: Option<Vec<&str>> = disabled
        .as_array()
        .into_iter()
        .flatten()
        .map(Value::as_str)
        .collect();
    let ids = ids
        .filter(|_| disabled.is_array())
        .ok_or_else(|| "`disabled` is not a list of ids".to_owned())?;
    Ok(ids.into_iter().collect())
}
