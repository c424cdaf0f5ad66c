//! The text of a lock, read.

use crate::lock::{Lock, LockError, LockKind, Locked, Provenance, VERSION};
use serde::Deserialize;
use skills_format::{Digest, SkillName, Span};
use std::collections::BTreeMap;
use toml::Spanned;

/// The versions that are read.
const READ: [u32; 2] = [1, VERSION];

impl Lock {
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
