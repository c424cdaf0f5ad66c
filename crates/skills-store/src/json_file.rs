//! A JSON file that several programs and the user may write.
//!
//! A writer takes a lock, and renames a new file over the old file. A reader sees the old or the new file, also when
//! the writer is killed. Unknown fields keep their values, and a number in them the digits that an `f64` has. A file that
//! this version cannot read is not written, and stays in its place until it is moved aside.

// Files of state are replaced like all files (`skills_format::disk::Folder::replace`). The lock has a fixed name, and
// is opened without following a link.

use crate::disk;
use crate::error::{Error, ErrorKind};
use serde::Deserializer as _;
use serde::de::{self, MapAccess, Visitor};
use serde_json::{Map, Value};
use skills_format::text::path::PathText as _;
use skills_format::{Diagnostic, RuleId, Severity, prose};
use std::fmt;
use std::fs;
use std::io::{self, Read as _};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// The version of the format.
const VERSION: u64 = 1;
/// 2^64: the first integer that `u64` cannot hold.
const BEYOND_U64: f64 = 18_446_744_073_709_551_616.0;

/// The content of a file, and its diagnostics.
#[derive(Clone, Debug)]
pub struct Stored<T> {
    /// The value. Empty if the file is missing. If the file is damaged or of a newer version, the value that allows
    /// least.
    pub value: T,
    /// The problems of the file.
    pub diagnostics: Vec<Diagnostic>,
}

/// What a [`JsonFile`] holds.
pub trait Record: Default {
    /// Maximum size of the file in bytes.
    const MAX: u64;
    /// The effect of an unreadable file, for messages.
    const EFFECT: &'static str;

    /// Reads the members of the file, or returns their fault.
    fn read(members: &Map<String, Value>) -> Result<Self, String>;

    /// Changes the members of the file. Those that this version does not know stay.
    fn write(&self, members: &mut Map<String, Value>) -> Result<(), Error>;

    /// Returns what counts of a file that cannot be used. `read` is what can be read of it.
    fn faulty(_read: Option<Self>, _why: String) -> Self {
        Self::default()
    }
}

/// A file with one JSON object. Unknown members are kept.
///
/// Reading takes no lock. Writing takes a lock and replaces the whole file, so that two programs do not lose each other's
/// changes.
#[derive(Clone, Debug)]
pub struct JsonFile<T> {
    path: PathBuf,
    record: PhantomData<fn() -> T>,
}

/// Why a file cannot be used.
struct Fault {
    rule: RuleId,
    kind: ErrorKind,
    words: String,
    step: &'static str,
    /// What stands before the effect in a diagnostic.
    then: &'static str,
}

impl<T: Record> JsonFile<T> {
    /// Returns the file of a path, which need not exist. Writes nothing.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            record: PhantomData,
        }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the file without waiting for a writer. A missing file is empty. A damaged file, or a file of a newer version,
    /// gives the value that allows least, and a diagnostic.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`] if the file cannot be read.
    pub fn read(&self) -> Result<Stored<T>, Error> {
        let (_, value, fault) = Self::load(&self.path)?;
        Ok(match fault {
            None => Stored {
                value: value.unwrap_or_default(),
                diagnostics: Vec::new(),
            },
            Some(fault) => Stored {
                value: T::faulty(value, self.why(&fault)),
                diagnostics: vec![self.diagnostic(&fault)],
            },
        })
    }

    /// Reads the value for a change.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Damaged`] and [`ErrorKind::Newer`] of an unusable file, and the errors of [`read`](Self::read).
    pub fn whole(&self) -> Result<T, Error> {
        match Self::load(&self.path)? {
            (_, _, Some(fault)) => Err(self.refusal(&fault)),
            (_, value, None) => Ok(value.unwrap_or_default()),
        }
    }

    /// Fails if [`update`](Self::update) would reject the content of the file. A missing file passes.
    ///
    /// # Errors
    ///
    /// The errors of [`whole`](Self::whole).
    pub fn check(&self) -> Result<(), Error> {
        self.whole().map(drop)
    }

    /// Changes the value, and returns the new one. If the update fails, `change` may not have run.
    ///
    /// # Errors
    ///
    /// No error changes the file:
    ///
    /// - [`ErrorKind::Damaged`]: the file is damaged.
    /// - [`ErrorKind::Newer`]: a newer version wrote the file.
    /// - [`ErrorKind::Io`]: the file cannot be read, locked or written.
    ///
    /// # Cost
    ///
    /// Waits for the lock, and for the disk to store the file.
    pub fn update<R>(&self, change: impl FnOnce(&mut T) -> R) -> Result<T, Error> {
        let (_, now) = self.try_update(|value| Ok(change(value)))?;
        Ok(now)
    }

    /// Changes the value. Returns what `change` returns, and the new value.
    ///
    /// # Errors
    ///
    /// Those of [`update`](Self::update) and of `change`.
    pub fn try_update<R>(
        &self,
        change: impl FnOnce(&mut T) -> Result<R, Error>,
    ) -> Result<(R, T), Error> {
        // A link to the file is not replaced, but its target.
        let path = skills_format::disk::resolved(&self.path);
        check_writable(&path)?;
        disk::make_folder(disk::folder(&path))?;
        let _lock = disk::lock(&path)?;
        // Read only under the lock: a change between the read and the write would be lost.
        let (mut members, value, fault) = Self::load(&path)?;
        if let Some(fault) = fault {
            return Err(self.refusal(&fault));
        }
        let mut value = value.unwrap_or_default();
        let changed = change(&mut value)?;
        value.write(&mut members)?;
        members.insert("version".to_owned(), VERSION.into());
        let text = format!("{:#}\n", Value::Object(members));
        // A larger file would be unreadable from then on.
        if text.len() as u64 > T::MAX {
            let what = format!("it would be larger than {} bytes", T::MAX);
            let error = io::Error::new(io::ErrorKind::FileTooLarge, what);
            return Err(Error::io(&path, "cannot be written", error));
        }
        disk::replace_file(&path, text.as_bytes())?;
        Ok((changed, value))
    }

    fn diagnostic(&self, fault: &Fault) -> Diagnostic {
        let path = self.path.shown();
        let message = format!("{}; {} {}", fault.words, fault.then, T::EFFECT);
        Diagnostic::new(fault.rule, Severity::Error, path, message).help(fault.step)
    }

    /// Returns the fault with the path and the next step, for a notice in a conversation.
    fn why(&self, fault: &Fault) -> String {
        let (path, words, step) = (self.path.shown(), &fault.words, fault.step);
        format!("{path}: {words}; {step}")
    }

    fn refusal(&self, fault: &Fault) -> Error {
        let words = &fault.words;
        Error::new(fault.kind, prose!("{}: {words}", &self.path)).help(fault.step)
    }

    /// Reads at most one byte more than the maximum size, which shows that a file is too large. `None` if the file is
    /// missing.
    fn bytes(path: &Path) -> Result<Option<Vec<u8>>, Error> {
        let failed = |error| Error::io(path, "cannot be read", error);
        let mut bytes = Vec::new();
        let file = match disk::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(failed)?,
        };
        file.take(T::MAX + 1)
            .read_to_end(&mut bytes)
            .map_err(failed)?;
        Ok(Some(bytes))
    }

    /// Returns the members of the file, what is read of them, and why they cannot be used. A file of a newer version can
    /// be read in part.
    fn load(path: &Path) -> Result<Loaded<T>, Error> {
        let Some(bytes) = Self::bytes(path)? else {
            return Ok((Map::new(), None, None));
        };
        let members = if bytes.len() as u64 > T::MAX {
            Err(format!("it is larger than {} bytes", T::MAX))
        } else {
            members(&bytes)
        };
        let members = match members {
            Ok(members) => members,
            Err(why) => return Ok((Map::new(), None, Some(Fault::damaged(&why)))),
        };
        let (value, fault) = match (version_fault(&members), T::read(&members)) {
            (None, Err(why)) => (None, Some(Fault::damaged(&why))),
            (fault, value) => (value.ok(), fault),
        };
        Ok((members, value, fault))
    }
}

/// The members of a file, what was read of them, and why they cannot be used.
type Loaded<T> = (Map<String, Value>, Option<T>, Option<Fault>);

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
