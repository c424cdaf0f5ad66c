//! A JSON file that several programs and the user may write.
//!
//! A writer takes a lock, and renames a new file over the old file. A reader sees the old or the new file, also when
//! the writer is killed. Unknown fields keep their values, and a number in them the digits that an `f64` has. A file that
//! this version cannot read is not written, and stays in its place until it is moved aside.

// Files of state are replaced like all files (`skills_format::disk::Folder::replace`). The lock has a fixed name, and
// is opened without following a link.

use crate::disk;
use crate::error::{Error, ErrorKind};
use crate::files::copy::replace_file;
use serde::Deserializer as _;
use serde::de::{self, MapAccess, Visitor};
use serde_json::{Map, Value};
use skills_format::text::path::PathText as _;
use skills_format::{Diagnostic, RuleId, Severity, prose};
use std::fmt;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// The version of the format.
const VERSION: u64 = 1;
/// 2^64: the first integer that `u64` cannot hold.
const BEYOND_U64: f64 = 18_446_744_073_709_551_616.0;

/// The content of a file, and its diagnostics.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Stored<T> {
    /// The value. Empty if the file is missing. If the file is damaged or of a newer version, the value that allows
    /// least.
    pub value: T,
    /// The problems of the file.
    pub diagnostics: Vec<Diagnostic>,
}

/// A file with one JSON object.
#[derive(Clone, Debug)]
pub struct JsonFile {
    path: PathBuf,
    /// Maximum size of the file in bytes.
    max: u64,
    /// The effect of an unreadable file, for messages.
    effect: &'static str,
}

/// The content of a file.
pub enum Content<T> {
    Missing,
    Whole(T),
    Unreadable {
        fault: Fault,
        /// The value, if it is readable despite the fault.
        value: Option<T>,
    },
}

/// The reason why a file cannot be used.
pub enum Fault {
    /// A newer version of this program wrote the file.
    Newer,
    /// A damaged file, with the reason.
    Damaged(String),
}

impl JsonFile {
    pub fn new(path: PathBuf, max: u64, effect: &'static str) -> Self {
        Self { path, max, effect }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the file without waiting for a writer. `parse` converts the object to a value, or returns the fault. An
    /// unreadable file gives the default value and a diagnostic.
    pub fn read<T: Default>(
        &self,
        parse: impl FnOnce(&Map<String, Value>) -> Result<T, String>,
    ) -> Result<Stored<T>, Error> {
        Ok(match self.content(parse)? {
            Content::Missing => Stored::of(T::default()),
            Content::Whole(value) => Stored::of(value),
            Content::Unreadable { fault, .. } => Stored {
                value: T::default(),
                diagnostics: vec![self.diagnostic(&fault)],
            },
        })
    }

    /// Reads the value. Only an error of the operating system is an error; a fault of the file is part of the
    /// content.
    pub fn content<T>(
        &self,
        parse: impl FnOnce(&Map<String, Value>) -> Result<T, String>,
    ) -> Result<Content<T>, Error> {
        Ok(match self.object(self.bytes(&self.path)?.as_deref()) {
            Content::Missing => Content::Missing,
            Content::Whole(object) => understood(&object, parse),
            Content::Unreadable { fault, .. } => Content::Unreadable { fault, value: None },
        })
    }

    /// Reads the value for a change. An unusable file is an error.
    pub fn whole<T: Default>(
        &self,
        parse: impl FnOnce(&Map<String, Value>) -> Result<T, String>,
    ) -> Result<T, Error> {
        match self.content(parse)? {
            Content::Missing => Ok(T::default()),
            Content::Whole(value) => Ok(value),
            Content::Unreadable { fault, .. } => Err(self.refusal(&fault)),
        }
    }

    /// Keeps writers out until the lock is dropped. The folder of the file is created if it is missing.
    ///
    /// # Errors
    ///
    /// If the folder cannot be created, or the lock cannot be taken.
    pub fn lock(&self) -> Result<disk::LockFile, Error> {
        let path = self.target();
        let folder = disk::folder(&path);
        fs::create_dir_all(folder)
            .map_err(|error| Error::io(folder, "cannot be created", error))?;
        disk::lock(&path)
    }

    /// Changes the file. `change` gets the value, and the present object. Fails if the file is unreadable.
    pub fn update<T>(
        &self,
        parse: impl FnOnce(&Map<String, Value>) -> Result<T, String>,
        change: impl FnOnce(Option<T>, &mut Map<String, Value>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let path = self.target();
        check_writable(&path)?;
        let _lock = self.lock()?;
        // Read only under the lock: a change between the read and the write would be lost.
        let before = self.bytes(&path)?;
        let (mut object, value) = match self.object(before.as_deref()) {
            Content::Missing => (Map::new(), None),
            Content::Whole(object) => match understood(&object, parse) {
                Content::Unreadable { fault, .. } => return Err(self.refusal(&fault)),
                Content::Whole(value) => (object, Some(value)),
                Content::Missing => (object, None),
            },
            Content::Unreadable { fault, .. } => return Err(self.refusal(&fault)),
        };
        change(value, &mut object)?;
        object.insert("version".to_owned(), VERSION.into());
        let text = format!("{:#}\n", Value::Object(object));
        // A larger file would be unreadable from then on.
        if text.len() as u64 > self.max {
            let what = format!("it would be larger than {} bytes", self.max);
            let error = io::Error::new(io::ErrorKind::FileTooLarge, what);
            return Err(Error::io(&path, "cannot be written", error));
        }
        replace_file(&path, text.as_bytes())
    }

    /// Fails if [`JsonFile::update`] would reject the content of the file.
    pub fn check<T: Default>(
        &self,
        parse: impl FnOnce(&Map<String, Value>) -> Result<T, String>,
    ) -> Result<(), Error> {
        self.whole(parse).map(drop)
    }

    pub fn diagnostic(&self, fault: &Fault) -> Diagnostic {
        let path = self.path.shown();
        let (rule, then) = match fault {
            Fault::Newer => (RuleId::StateNewer, "update this program; until then"),
            Fault::Damaged(_) => (
                RuleId::StateDamaged,
                "until it is corrected or moved aside,",
            ),
        };
        let message = format!("{}; {then} {}", fault.words(), self.effect);
        Diagnostic::new(rule, Severity::Error, path, message).help(fault.step())
    }

    /// Returns the fault with the path and the next step, for a notice in a conversation.
    pub fn why(&self, fault: &Fault) -> String {
        let (path, words, step) = (self.path.shown(), fault.words(), fault.step());
        format!("{path}: {words}; {step}")
    }

    fn refusal(&self, fault: &Fault) -> Error {
        let kind = match fault {
            Fault::Newer => ErrorKind::Newer,
            Fault::Damaged(_) => ErrorKind::Damaged,
        };
        let words = fault.words();
        Error::new(kind, prose!("{}: {words}", &self.path)).help(fault.step())
    }

    /// Returns the path to write. If the file is a link, its target is replaced, not the link.
    fn target(&self) -> PathBuf {
        skills_format::disk::resolved(&self.path)
    }

    /// Reads at most one byte more than the maximum size, which shows that a file is too large. `None` if the file is
    /// missing.
    fn bytes(&self, path: &Path) -> Result<Option<Vec<u8>>, Error> {
        let failed = |error| Error::io(path, "cannot be read", error);
        let mut bytes = Vec::new();
        let file = match disk::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(failed)?,
        };
        file.take(self.max + 1)
            .read_to_end(&mut bytes)
            .map_err(failed)?;
        Ok(Some(bytes))
    }

    fn object(&self, bytes: Option<&[u8]>) -> Content<Map<String, Value>> {
        let Some(bytes) = bytes else {
            return Content::Missing;
        };
        if bytes.len() as u64 > self.max {
            return Content::damaged(format!("it is larger than {} bytes", self.max));
        }
        members(bytes).map_or_else(Content::damaged, Content::Whole)
    }
}

impl<T> Stored<T> {
    pub fn of(value: T) -> Self {
        Self {
            value,
            diagnostics: Vec::new(),
        }
    }
}

impl<T> Content<T> {
    fn damaged(why: String) -> Self {
        let fault = Fault::Damaged(why);
        Self::Unreadable { fault, value: None }
    }
}

impl Fault {
    fn words(&self) -> String {
        match self {
            Self::Newer => "a newer version of this program wrote the file".to_owned(),
            Self::Damaged(why) => format!("the file is damaged: {why}"),
        }
    }

    fn step(&self) -> &'static str {
        match self {
            Self::Newer => "update this program",
            Self::Damaged(_) => "correct the file, or move it away",
        }
    }
}

/// Converts an object to a value, if its version is supported.
fn understood<T>(
    object: &Map<String, Value>,
    parse: impl FnOnce(&Map<String, Value>) -> Result<T, String>,
) -> Content<T> {
    match (version_fault(object), parse(object)) {
        (None, Ok(value)) => Content::Whole(value),
        (None, Err(why)) => Content::damaged(why),
        (Some(fault), value) => Content::Unreadable {
            fault,
            value: value.ok(),
        },
    }
}

/// Returns the fault of the version. A file without a version has version 1.
fn version_fault(object: &Map<String, Value>) -> Option<Fault> {
    let version = object.get("version")?;
    let is_newer = match version.as_u64() {
        Some(VERSION) => return None,
        Some(version) => version > VERSION,
        None => version
            .as_f64()
            .is_some_and(|version| version >= BEYOND_U64),
    };
    Some(if is_newer {
        Fault::Newer
    } else {
        Fault::Damaged("`version` is not a positive integer".to_owned())
    })
}

/// Rejects a file that its owner has made read-only: a rename over it would succeed.
fn check_writable(path: &Path) -> Result<(), Error> {
    if fs::metadata(path).is_ok_and(|file| file.permissions().readonly()) {
        let error = io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only");
        return Err(Error::io(path, "cannot be written", error));
    }
    Ok(())
}

/// Parses an object, or returns the reason why the bytes are invalid. A repeated member is an error: one of the
/// values would be lost silently.
fn members(bytes: &[u8]) -> Result<Map<String, Value>, String> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let object = json
        .deserialize_any(Members)
        .and_then(|object| json.end().map(|()| object));
    object.map_err(|error| match error.to_string() {
        what if !error.is_data() => format!("it is not JSON: {what}"),
        what if what.starts_with("invalid type") => "it is not a JSON object".to_owned(),
        what => what,
    })
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Map<String, Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut members = Map::new();
        while let Some((name, value)) = access.next_entry::<String, Value>()? {
            let twice = format!("`{name}` is in it twice");
            if members.insert(name, value).is_some() {
                return Err(de::Error::custom(twice));
            }
        }
        Ok(members)
    }
}
