//! `skills.lock`: the digests of the skills of a bundle as they were reviewed.

use crate::folder::{Folder, LOCK_FILE};
use crate::model::{BundleModel, SkillModel};
use serde::Deserialize;
use skills_format::disk;
use skills_format::{Diagnostic, Digest, RuleId, Severity, Span, join, rules};
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;
use toml::Spanned;

const RULE: RuleId = RuleId::LockStale;
const VERSION: u32 = 1;
const HELP: &str = "review the change, then run `skills lock`";

/// The content of `skills.lock`. `Display` writes the text of the file.
///
/// ```toml
/// version = 1
/// digest = "sha256:…"
///
/// [[skill]]
/// name = "code-review"
/// digest = "sha256:…"
/// size = 10243
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lock {
    /// The digest of the bundle.
    pub digest: Digest,
    /// The skills by name.
    pub skills: BTreeMap<String, Locked>,
}

/// One skill of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Locked {
    /// The digest of the skill.
    pub digest: Digest,
    /// Bytes of all its files.
    pub size: u64,
}

/// A difference between a lock and a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// The skill is not in the lock.
    Added(String),
    /// The skill is in the lock only.
    Removed(String),
    /// The files of the skill have changed.
    Changed(String),
    /// Every skill is the same, but at least one is in another folder.
    Moved,
}

/// Why a text is not a lock.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct LockError {
    /// The place in the text, in bytes.
    pub span: Span,
    /// What is wrong.
    pub message: String,
}

impl LockError {
    fn new(span: impl Into<Span>, message: String) -> Self {
        let span = span.into();
        Self { span, message }
    }
}

impl Lock {
    /// Makes the lock of a bundle as it is.
    pub fn of(model: &BundleModel<'_>) -> Self {
        let locked = |skill: &SkillModel<'_>| Locked {
            digest: skill.digest,
            size: skill.size(),
        };
        Self {
            digest: model.digest,
            skills: model
                .skills
                .iter()
                .map(|skill| (skill.skill.name.to_string(), locked(skill)))
                .collect(),
        }
    }

    /// Parses the text of a lock.
    ///
    /// # Errors
    ///
    /// [`LockError`] when the text is not TOML, has an unknown version or field, names a skill twice, or
    /// has a digest that is not a SHA-256.
    pub fn parse(text: &str) -> Result<Self, LockError> {
        let file: File = toml::from_str(text).map_err(|error| {
            let span = error.span().map_or(Span::at(0), Into::into);
            LockError::new(span, format!("this is not a lock: {}", error.message()))
        })?;
        let version = file.version.get_ref();
        if *version != VERSION {
            let message = format!("this program reads version {VERSION}, not {version}");
            return Err(LockError::new(file.version.span(), message));
        }
        let digest = |text: &Spanned<String>| {
            Digest::parse(text.get_ref())
                .ok_or_else(|| LockError::new(text.span(), "this is not a SHA-256".to_owned()))
        };
        let mut skills = BTreeMap::new();
        for entry in &file.skill {
            let name = entry.name.get_ref();
            let locked = Locked {
                digest: digest(&entry.digest)?,
                size: entry.size,
            };
            if skills.insert(name.clone(), locked).is_some() {
                let message = format!("`{name}` is in the lock twice");
                return Err(LockError::new(entry.name.span(), message));
            }
        }
        Ok(Self {
            digest: digest(&file.digest)?,
            skills,
        })
    }

    /// Lists the differences of `now`, in order of names. Empty when the locks are equal.
    pub fn changes(&self, now: &Self) -> Vec<Change> {
        let mut changes: BTreeMap<&String, Change> = BTreeMap::new();
        for (name, locked) in &self.skills {
            match now.skills.get(name) {
                None => changes.insert(name, Change::Removed(name.clone())),
                Some(skill) if skill != locked => {
                    changes.insert(name, Change::Changed(name.clone()))
                }
                Some(_) => None,
            };
        }
        for name in now
            .skills
            .keys()
            .filter(|name| !self.skills.contains_key(*name))
        {
            changes.insert(name, Change::Added(name.clone()));
        }
        if changes.is_empty() && self.digest != now.digest {
            return vec![Change::Moved];
        }
        changes.into_values().collect()
    }

    /// Writes the file into the folder of the skills. A new file is renamed over the old file. A link at
    /// either name is not followed.
    ///
    /// # Errors
    ///
    /// When the file cannot be written or renamed. The old file then stays.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let folder = disk::Folder::open(folder)?;
        folder.replace(LOCK_FILE.as_ref(), self.to_string().as_bytes(), None)
    }
}

impl fmt::Display for Lock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "# The skills as they were reviewed. `skills lock` writes this file."
        )?;
        writeln!(f, "version = {VERSION}\ndigest = \"{}\"", self.digest)?;
        for (name, Locked { digest, size }) in &self.skills {
            writeln!(
                f,
                "\n[[skill]]\nname = \"{name}\"\ndigest = \"{digest}\"\nsize = {size}"
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Added(name) => write!(f, "`{name}` was added"),
            Self::Removed(name) => write!(f, "`{name}` was removed"),
            Self::Changed(name) => write!(f, "`{name}` was changed"),
            Self::Moved => write!(f, "skills are in other folders"),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: Spanned<u32>,
    digest: Spanned<String>,
    #[serde(default)]
    skill: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: Spanned<String>,
    digest: Spanned<String>,
    size: u64,
}

/// Reports every difference from the lock when the folder is locked.
pub(crate) fn check(folder: &Folder, model: &BundleModel<'_>) -> Vec<Diagnostic> {
    let severity = match rules::find(RULE.as_str()) {
        Some(rule) => folder.config.severity(rule),
        None => Some(Severity::Error),
    };
    let (true, Some(severity)) = (folder.config.locked, severity) else {
        return Vec::new();
    };
    let path = join(&folder.path, LOCK_FILE);
    let reported = |path: &str, message: String| {
        Diagnostic::new(RULE.as_str(), severity, path, message).help(HELP)
    };
    let Some(text) = &folder.lock_text else {
        return vec![reported(
            &path,
            format!("the build is locked, and `{LOCK_FILE}` does not exist"),
        )];
    };
    let lock = match Lock::parse(text) {
        Ok(lock) => lock,
        Err(LockError { span, message }) => {
            return vec![reported(&path, message).at(text.as_bytes(), span)];
        }
    };
    let place = |name: &str| {
        let skill = model
            .skills
            .iter()
            .find(|skill| skill.skill.name.as_str() == name);
        let file = skill.map(|skill| join(skill.dir, "SKILL.md"));
        file.map_or_else(|| path.clone(), |file| join(&folder.path, &file))
    };
    lock.changes(&Lock::of(model))
        .iter()
        .map(|change| {
            let path = match change {
                Change::Added(name) | Change::Changed(name) => place(name),
                Change::Removed(_) | Change::Moved => path.clone(),
            };
            reported(&path, format!("{change} since `{LOCK_FILE}` was written"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock(skills: &[(&str, &[u8])]) -> Lock {
        let locked = |bytes: &[u8]| Locked {
            digest: Digest::of(bytes),
            size: bytes.len() as u64,
        };
        Lock {
            digest: Digest::of(format!("{skills:?}").as_bytes()),
            skills: skills
                .iter()
                .map(|(name, bytes)| ((*name).to_owned(), locked(bytes)))
                .collect(),
        }
    }

    #[test]
    fn written_and_read() {
        let lock = lock(&[("a", b"1"), ("übersicht", b"2")]);
        assert_eq!(Lock::parse(&lock.to_string()), Ok(lock));
    }

    #[test]
    fn each_change_is_named() {
        let old = lock(&[("a", b"1"), ("b", b"1"), ("d", b"1")]);
        let new = lock(&[("a", b"1"), ("b", b"2"), ("c", b"1")]);
        let changes: Vec<String> = old.changes(&new).iter().map(ToString::to_string).collect();
        assert_eq!(
            changes,
            ["`b` was changed", "`c` was added", "`d` was removed"]
        );
        assert_eq!(old.changes(&old), []);
        let moved = Lock {
            digest: Digest::of(b""),
            ..old.clone()
        };
        assert_eq!(old.changes(&moved), [Change::Moved]);
    }

    #[test]
    fn faults_have_their_place() {
        let at = |text: &str| match Lock::parse(text) {
            Ok(_) => String::new(),
            Err(reported) => format!("{}: {}", reported.span.of(text), reported.message),
        };
        assert_eq!(
            at("version = 2\ndigest = ''"),
            "2: this program reads version 1, not 2"
        );
        assert_eq!(
            at("version = 1\ndigest = 'x'"),
            "'x': this is not a SHA-256"
        );
        assert!(at("<<<<<<< HEAD\n").contains("this is not a lock"));
    }
}
