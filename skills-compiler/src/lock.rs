//! `skills.lock`: the digests of the skills of a bundle as they were reviewed.

use crate::folder::{Folder, LOCK_FILE};
use crate::model::{BundleModel, SkillModel};
use serde::Deserialize;
use skills_format::disk;
use skills_format::{Diagnostic, Digest, RuleId, Severity, SkillName, Span, join, rules};
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;
use toml::Spanned;

const RULE: RuleId = RuleId::LockStale;
/// The version that is written.
const VERSION: u32 = 2;
/// The versions that are read.
const READ: [u32; 2] = [1, VERSION];
const HELP: &str = "review the change, then run `skills lock`";

/// The content of `skills.lock`. `Display` writes the text of the file.
///
/// ```toml
/// version = 2
/// kind = "installed"
/// digest = "sha256:…"
///
/// [[skill]]
/// name = "code-review"
/// digest = "sha256:…"
/// size = 10243
/// source = "https://example.org/acme/skills.git"
/// path = "skills/code-review"
/// requested = "v2"
/// commit = "3f2a…"
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lock {
    /// Which skills the lock lists.
    pub kind: LockKind,
    /// The digest of the bundle. Of an installed lock it covers the entries.
    pub digest: Digest,
    /// The skills by name.
    pub skills: BTreeMap<String, Locked>,
}

/// Which skills of a folder its lock lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum LockKind {
    /// Every skill of the folder. `skills lock` writes this kind.
    #[default]
    Bundle,
    /// The skills that were installed or exported. Hand-made neighbours are not listed.
    Installed,
}

/// One skill of a lock.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Locked {
    /// The digest of the skill.
    pub digest: Digest,
    /// Bytes of all its files.
    pub size: u64,
    /// Where an installed or exported skill came from.
    pub provenance: Option<Provenance>,
}

/// Where a skill came from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Provenance {
    /// A git URL, an archive, a folder, or `program NAME VERSION`.
    pub source: String,
    /// The skill's folder inside the source; `None` when the source's root is the skill.
    pub path: Option<String>,
    /// The revision that was asked for.
    pub requested: Option<String>,
    /// The git commit that the revision was.
    pub commit: Option<String>,
}

impl Locked {
    /// The entry of a skill that no source is known of.
    pub fn new(digest: Digest, size: u64) -> Self {
        Self {
            digest,
            size,
            provenance: None,
        }
    }

    /// The same entry with a source.
    #[must_use]
    pub fn from(self, provenance: Provenance) -> Self {
        Self {
            provenance: Some(provenance),
            ..self
        }
    }

    /// Whether the files are the same, wherever they came from.
    pub fn is_same(&self, other: &Self) -> bool {
        (self.digest, self.size) == (other.digest, other.size)
    }
}

impl Provenance {
    /// A source, and nothing more of it.
    pub fn new(source: impl Into<String>) -> Self {
        Self {
            source: source.into(),
            ..Self::default()
        }
    }
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
    /// States the fact.
    pub message: String,
    /// Whether a newer version of this program wrote the lock.
    pub newer: bool,
}

impl LockError {
    fn new(span: impl Into<Span>, message: String) -> Self {
        let span = span.into();
        Self {
            span,
            message,
            newer: false,
        }
    }
}

impl Lock {
    /// Makes the lock of a bundle as it is.
    pub fn of(model: &BundleModel<'_>) -> Self {
        let locked = |skill: &SkillModel<'_>| Locked::new(skill.digest, skill.size());
        Self {
            kind: LockKind::Bundle,
            digest: model.digest,
            skills: model
                .skills
                .iter()
                .map(|skill| (skill.skill.name.to_string(), locked(skill)))
                .collect(),
        }
    }

    /// Makes the lock of installed skills.
    pub fn installed(skills: BTreeMap<String, Locked>) -> Self {
        let entries = skills
            .iter()
            .map(|(name, locked)| (name.as_str(), locked.size, locked.digest));
        Self {
            kind: LockKind::Installed,
            digest: Digest::of_files(entries),
            skills,
        }
    }

    /// Takes over the provenance of each skill that is in an older lock.
    #[must_use]
    pub fn with_provenance_of(mut self, old: &Self) -> Self {
        for (name, locked) in &mut self.skills {
            let known = old.skills.get(name);
            locked.provenance = known.and_then(|locked| locked.provenance.clone());
        }
        self
    }

    /// Parses the text of a lock, of version 1 or 2.
    ///
    /// # Errors
    ///
    /// [`LockError`] when the text is not TOML, has an unknown version or field, names a skill twice,
    /// has a name that a skill cannot have, or a digest that is not a SHA-256.
    pub fn parse(text: &str) -> Result<Self, LockError> {
        let read = |error: toml::de::Error| {
            let span = error.span().map_or(Span::at(0), Into::into);
            LockError::new(span, format!("this is not a lock: {}", error.message()))
        };
        check_version(&toml::from_str::<Versioned>(text).map_err(read)?.version)?;
        let file: File = toml::from_str(text).map_err(read)?;
        let digest = |text: &Spanned<String>| {
            Digest::parse(text.get_ref())
                .ok_or_else(|| LockError::new(text.span(), "this is not a SHA-256".to_owned()))
        };
        let kind = match file.kind.as_ref().map(|kind| kind.get_ref().as_str()) {
            None | Some("bundle") => LockKind::Bundle,
            Some("installed") => LockKind::Installed,
            Some(_) => {
                let span = file.kind.map_or(0..0, |kind| kind.span());
                let message = "`kind` is `bundle` or `installed`".to_owned();
                return Err(LockError::new(span, message));
            }
        };
        let mut skills = BTreeMap::new();
        for entry in &file.skill {
            let name = entry.name.get_ref();
            // The name is that of a folder, and a lock may come from anywhere.
            if let Err(error) = SkillName::new(name) {
                let message = format!("this is not the name of a skill: {error}");
                return Err(LockError::new(entry.name.span(), message));
            }
            let locked = Locked {
                digest: digest(&entry.digest)?,
                size: entry.size,
                provenance: entry.provenance(),
            };
            if skills.insert(name.clone(), locked).is_some() {
                let message = format!("`{name}` is in the lock twice");
                return Err(LockError::new(entry.name.span(), message));
            }
        }
        Ok(Self {
            kind,
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
                Some(skill) if !skill.is_same(locked) => {
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
        let (what, kind) = match self.kind {
            LockKind::Bundle => (
                "The skills as they were reviewed. `skills lock` writes this file",
                "bundle",
            ),
            LockKind::Installed => (
                "The skills that were installed. `skills install` writes this file",
                "installed",
            ),
        };
        writeln!(f, "# {what}; comments are not kept.")?;
        writeln!(f, "version = {VERSION}\nkind = \"{kind}\"")?;
        writeln!(f, "digest = \"{}\"", self.digest)?;
        for (name, locked) in &self.skills {
            let Locked { digest, size, .. } = locked;
            writeln!(
                f,
                "\n[[skill]]\nname = \"{name}\"\ndigest = \"{digest}\"\nsize = {size}"
            )?;
            if let Some(provenance) = &locked.provenance {
                provenance.fmt(f)?;
            }
        }
        Ok(())
    }
}

impl Provenance {
    /// Writes the lines of an entry.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = [
            ("source", Some(&self.source)),
            ("path", self.path.as_ref()),
            ("requested", self.requested.as_ref()),
            ("commit", self.commit.as_ref()),
        ];
        for (key, value) in fields {
            if let Some(value) = value {
                writeln!(f, "{key} = {}", toml::Value::from(value.as_str()))?;
            }
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

/// What every version has.
#[derive(Deserialize)]
struct Versioned {
    version: Spanned<u32>,
}

fn check_version(version: &Spanned<u32>) -> Result<(), LockError> {
    let number = *version.get_ref();
    if READ.contains(&number) {
        return Ok(());
    }
    let message = if number > VERSION {
        format!(
            "a newer version of `skills` wrote this lock: it has version {number}, and versions 1 and 2 are read here"
        )
    } else {
        format!("versions 1 and 2 are read here, not {number}")
    };
    Err(LockError {
        newer: number > VERSION,
        ..LockError::new(version.span(), message)
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "version")]
    _version: u32,
    kind: Option<Spanned<String>>,
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
    source: Option<String>,
    path: Option<String>,
    requested: Option<String>,
    commit: Option<String>,
}

impl Entry {
    fn provenance(&self) -> Option<Provenance> {
        Some(Provenance {
            source: self.source.clone()?,
            path: self.path.clone(),
            requested: self.requested.clone(),
            commit: self.commit.clone(),
        })
    }
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
        Err(LockError { span, message, .. }) => {
            return vec![reported(&path, message).at(text.as_bytes(), span)];
        }
    };
    if lock.kind == LockKind::Installed {
        let message = format!("the build is locked, and `{LOCK_FILE}` lists installed skills only");
        return vec![reported(&path, message)];
    }
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
        let locked = |bytes: &[u8]| Locked::new(Digest::of(bytes), bytes.len() as u64);
        Lock {
            kind: LockKind::Bundle,
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
            at("version = 99\ndigest = ''\nunknown = 1"),
            "99: a newer version of `skills` wrote this lock: it has version 99, and versions 1 and 2 are read here"
        );
        assert_eq!(
            at("version = 0"),
            "0: versions 1 and 2 are read here, not 0"
        );
        assert_eq!(
            at("version = 1\ndigest = 'x'"),
            "'x': this is not a SHA-256"
        );
        assert!(at("<<<<<<< HEAD\n").contains("this is not a lock"));
        let digest = Digest::of(b"");
        let named = |name: &str| {
            at(&format!(
                "version = 2\ndigest = '{digest}'\n[[skill]]\nname = '{name}'\ndigest = '{digest}'\nsize = 1"
            ))
        };
        assert_eq!(named("a"), "");
        assert!(named("../a").contains("not the name of a skill"));
    }

    #[test]
    fn version_1_is_read() {
        let text = format!("version = 1\ndigest = \"{}\"\n", Digest::of(b""));
        let lock = Lock::parse(&text).expect("a lock");
        assert_eq!(lock.kind, LockKind::Bundle);
        assert!(lock.to_string().contains("version = 2\n"));
    }

    #[test]
    fn provenance_is_written_and_read() {
        let mut provenance = Provenance::new("https://example.org/a \"b\" \\ c.git");
        provenance.requested = Some("v'2".to_owned());
        let locked = Locked::new(Digest::of(b"1"), 1).from(provenance);
        let lock = Lock::installed([("a".to_owned(), locked)].into());
        assert_eq!(Lock::parse(&lock.to_string()), Ok(lock));
    }
}
