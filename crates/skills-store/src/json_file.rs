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

/// Why a file cannot be used.
pub struct Fault {
    rule: RuleId,
    kind: ErrorKind,
    words: String,
    step: &'static str,
    /// What stands before the effect in a diagnostic.
    then: &'static str,
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
        let (value, fault) = self.content(parse)?;
        Ok(Stored {
            value: value.filter(|_| fault.is_none()).unwrap_or_default(),
            diagnostics: fault.iter().map(|it| self.diagnostic(it)).collect(),
        })
    }

    /// Reads the value. Only an error of the operating system is an error; a fault of the file is part of the
    /// content.
    pub fn content<T>(
        &self,
        parse: impl FnOnce(&Map<String, Value>) -> Result<T, String>,
    ) -> Result<(Option<T>, Option<Fault>), Error> {
        let (_, value, fault) = self.load(&self.path, parse)?;
        Ok((value, fault))
    }

    /// Reads the value for a change. An unusable file is an error.
    pub fn whole<T: Default>(
        &self,
        parse: impl FnOnce(&Map<String, Value>) -> Result<T, String>,
    ) -> Result<T, Error> {
        match self.content(parse)? {
            (_, Some(fault)) => Err(self.refusal(&fault)),
            (value, None) => Ok(value.unwrap_or_default()),
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
        let (mut object, value, fault) = self.load(&path, parse)?;
        if let Some(fault) = fault {
            return Err(self.refusal(&fault));
        }
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
        let message = format!("{}; {} {}", fault.words, fault.then, self.effect);
        Diagnostic::new(fault.rule, Severity::Error, path, message).help(fault.step)
    }

    /// Returns the fault with the path and the next step, for a notice in a conversation.
    pub fn why(&self, fault: &Fault) -> String {
        let (path, words, step) = (self.path.shown(), &fault.words, fault.step);
        format!("{path}: {words}; {step}")
    }

    fn refusal(&self, fault: &Fault) -> Error {
        let words = &fault.words;
        Error::new(fault.kind, prose!("{}: {words}", &self.path)).help(fault.step)
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

    /// Returns the members of the file, what `parse` reads of them, and why they cannot be used. A file of a newer version
    /// can be read in part.
    fn load<T>(
        &self,
        path: &Path,
        parse: impl FnOnce(&Map<String, Value>) -> Result<T, String>,
    ) -> Result<Loaded<T>, Error> {
        let Some(bytes) = self.bytes(path)? else {
            return Ok((Map::new(), None, None));
        };
        let object = if bytes.len() as u64 > self.max {
            Err(format!("it is larger than {} bytes", self.max))
        } else {
            members(&bytes)
        };
        let object = match object {
            Ok(object) => object,
            Err(why) => return Ok((Map::new(), None, Some(Fault::damaged(&why)))),
        };
        let (value, fault) = match (version_fault(&object), parse(&object)) {
            (None, Err(why)) => (None, Some(Fault::damaged(&why))),
            (fault, value) => (value.ok(), fault),
        };
        Ok((object, value, fault))
    }
}

/// The members of a file, what was read of them, and why they cannot be used.
type Loaded<T> = (Map<String, Value>, Option<T>, Option<Fault>);

impl<T> Stored<T> {
    pub fn of(value: T) -> Self {
        Self {
            value,
            diagnostics: Vec::new(),
        }
    }
}

impl Fault {
    fn damaged(why: &str) -> Self {
        Self {
            rule: RuleId::StateDamaged,
            kind: ErrorKind::Damaged,
            words: format!("the file is damaged: {why}"),
            step: "correct the file, or move it away",
            then: "until it is corrected or moved aside,",
        }
    }

    fn newer() -> Self {
        Self {
            rule: RuleId::StateNewer,
            kind: ErrorKind::Newer,
            words: "a newer version of this program wrote the file".to_owned(),
            step: "update this program",
            then: "update this program; until then",
        }
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
        Fault::newer()
    } else {
        Fault::damaged("`version` is not a positive integer")
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
