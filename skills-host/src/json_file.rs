//! A file of JSON that several programs, and a person, may write.
//!
//! A writer takes a lock and renames a new file over the old file. A reader sees the old or the new
//! file, also when the writer is killed. Unknown fields are kept. A damaged file is kept under another
//! name.

use crate::error::{Error, ErrorKind};
use serde_json::{Map, Value};
use skills_runtime::{Diagnostic, Severity};
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// The version of the format of both files.
const VERSION: u64 = 1;

/// The content of a file, and its diagnostics.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Stored<T> {
    /// The value; empty when the file is missing or damaged.
    pub value: T,
    /// What is wrong with the file.
    pub diagnostics: Vec<Diagnostic>,
}

/// A file with one JSON object.
#[derive(Clone, Debug)]
pub(crate) struct JsonFile {
    path: PathBuf,
    /// The largest file that is read.
    max: u64,
}

/// The content of the file.
enum Content {
    Missing,
    Object(Map<String, Value>),
    /// Anything else, and what is wrong with it.
    Damaged(String),
}

impl JsonFile {
    pub(crate) fn new(path: PathBuf, max: u64) -> Self {
        Self { path, max }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Reads without waiting for a writer. `parse` makes a value of the object, or returns what is
    /// wrong with it.
    pub(crate) fn read<T: Default>(
        &self,
        parse: impl FnOnce(&Map<String, Value>) -> Result<T, String>,
    ) -> Result<Stored<T>, Error> {
        let content = match self.content(&self.path)? {
            Content::Missing => Ok((T::default(), None)),
            Content::Damaged(why) => Err(why),
            Content::Object(object) => {
                parse(&object).map(|value| (value, is_newer(&object).then(|| self.newer())))
            }
        };
        Ok(match content {
            Ok((value, diagnostic)) => Stored {
                value,
                diagnostics: diagnostic.into_iter().collect(),
            },
            Err(why) => Stored {
                value: T::default(),
                diagnostics: vec![self.damaged(&why, "it is read as empty")],
            },
        })
    }

    /// Changes the file. `change` gets the object as it is now, or an empty object when the file is
    /// damaged.
    pub(crate) fn update<T>(
        &self,
        parse: impl FnOnce(&Map<String, Value>) -> Result<T, String>,
        change: impl FnOnce(Option<T>, &mut Map<String, Value>) -> Result<(), Error>,
    ) -> Result<Vec<Diagnostic>, Error> {
        // When the file is a link, its target is replaced, not the link.
        let path = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        check_writable(&path)?;
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)
            .map_err(|error| Error::io(folder, "cannot be created", error))?;
        let _lock = lock(&beside(&path, ".lock"))?;
        let mut diagnostics = Vec::new();
        let (mut object, value) = match self.content(&path)? {
            Content::Missing => (Map::new(), None),
            Content::Object(object) if is_newer(&object) => {
                return Err(Error::new(ErrorKind::Newer, self.newer_fact()));
            }
            Content::Object(object) => match parse(&object) {
                Ok(value) => (object, Some(value)),
                Err(why) => {
                    diagnostics.push(self.move_aside(&path, &why)?);
                    (Map::new(), None)
                }
            },
            Content::Damaged(why) => {
                diagnostics.push(self.move_aside(&path, &why)?);
                (Map::new(), None)
            }
        };
        change(value, &mut object)?;
        object.insert("version".to_owned(), VERSION.into());
        replace(&path, &Value::Object(object))?;
        Ok(diagnostics)
    }

    fn content(&self, path: &Path) -> Result<Content, Error> {
        let failed = |error| Error::io(path, "cannot be read", error);
        match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Content::Missing),
            Err(error) => return Err(failed(error)),
            // Opening a pipe would wait for a writer.
            Ok(metadata) if !metadata.is_file() => {
                let error = io::Error::new(io::ErrorKind::InvalidInput, "it is not a file");
                return Err(failed(error));
            }
            Ok(_) => {}
        }
        let mut bytes = Vec::new();
        let file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Content::Missing),
            file => file.map_err(failed)?,
        };
        file.take(self.max + 1)
            .read_to_end(&mut bytes)
            .map_err(failed)?;
        if bytes.len() as u64 > self.max {
            let why = format!("it is larger than {} bytes", self.max);
            return Ok(Content::Damaged(why));
        }
        Ok(match serde_json::from_slice(&bytes) {
            Ok(Value::Object(object)) => Content::Object(object),
            Ok(_) => Content::Damaged("it is not a JSON object".to_owned()),
            Err(error) => Content::Damaged(format!("it is not JSON: {error}")),
        })
    }

    /// Renames a damaged file to an unused name.
    fn move_aside(&self, path: &Path, why: &str) -> Result<Diagnostic, Error> {
        let aside = (1_u32..100)
            .map(|n| match n {
                1 => beside(path, ".damaged"),
                n => beside(path, &format!(".damaged-{n}")),
            })
            .find(|aside| !aside.exists())
            .unwrap_or_else(|| beside(path, ".damaged"));
        fs::rename(path, &aside)
            .map_err(|error| Error::io(path, "is damaged, and cannot be moved aside", error))?;
        Ok(self.damaged(why, &format!("it was moved to {}", aside.display())))
    }

    fn damaged(&self, why: &str, done: &str) -> Diagnostic {
        let path = self.path.to_string_lossy();
        let message = format!("the file is damaged: {why}; {done}");
        Diagnostic::new("state-damaged", Severity::Error, path, message)
            .help("fix it by hand, or remove it")
    }

    fn newer(&self) -> Diagnostic {
        let message = format!(
            "{}; this version uses what it understands",
            self.newer_fact()
        );
        Diagnostic::new(
            "state-newer",
            Severity::Warning,
            self.path.to_string_lossy(),
            message,
        )
        .help("this version does not write it: use the newer version for changes")
    }

    fn newer_fact(&self) -> String {
        let path = self.path.display();
        format!("{path} was written by a newer version of this program")
    }
}

fn is_newer(object: &Map<String, Value>) -> bool {
    let version = object.get("version").and_then(Value::as_u64);
    version.is_some_and(|version| version > VERSION)
}

/// Refuses a file that its owner has made read-only: a rename over it would succeed.
fn check_writable(path: &Path) -> Result<(), Error> {
    if fs::metadata(path).is_ok_and(|file| file.permissions().readonly()) {
        let error = io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only");
        return Err(Error::io(path, "cannot be written", error));
    }
    Ok(())
}

/// Takes the lock. Waits until no other program has it.
fn lock(path: &Path) -> Result<File, Error> {
    let failed = |error| Error::io(path, "cannot be locked", error);
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .map_err(failed)?;
    file.lock().map_err(failed)?;
    Ok(file)
}

/// Writes a new file and renames it over the old file. The lock reserves the name of the new file; a
/// file that a killed program left there is overwritten.
fn replace(path: &Path, value: &Value) -> Result<(), Error> {
    let new = beside(path, ".new");
    let failed = |error| Error::io(path, "cannot be written", error);
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    let mut file = File::create(&new).map_err(failed)?;
    let written = file
        .write_all(text.as_bytes())
        .and_then(|()| file.write_all(b"\n"))
        .and_then(|()| match fs::metadata(path) {
            Ok(old) => file.set_permissions(old.permissions()),
            Err(_) => Ok(()),
        })
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&new, path));
    if written.is_err() {
        // The first error is returned.
        let _ = fs::remove_file(&new);
    }
    written.map_err(failed)
}

/// Makes a name in the same folder; hidden, unless it is for a damaged file.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let hidden = if ending.starts_with(".damaged") {
        ""
    } else {
        "."
    };
    path.with_file_name(format!("{hidden}{name}{ending}"))
}
