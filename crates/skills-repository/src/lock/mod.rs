//! `skills.lock`: the reviewed digests of skills, their powers and their sources.
//!
//! A build reads the digests alone: [`skills_compiler::Digests`].

pub(crate) mod check;
#[cfg(test)]
mod tests;
mod text;

pub use check::{powers_widened, widened};

use skills_check::toml::{Table, Value};
use skills_compiler::{BundleModel, Digests, LockError, LockKind, SkillModel, lock_text};
use skills_format::{Diagnostic, Digest};
use skills_permit::{PowerKind, Powers};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The content of `skills.lock`. `Display` writes the text of the file: blocks in the order of names, and nothing that covers
/// several of them, so that git merges branches that change different skills.
///
/// ```toml
/// version = 4
/// kind = "installed"
///
/// [[skill]] # code-review
/// name = "code-review"
/// digest = "sha256:…" # code-review
/// commit = "3f2a…" # code-review
/// requested = "v2" # code-review
/// source = "https://example.org/acme/skills.git" # code-review
/// path = "skills/code-review" # code-review
/// size = 10243 # code-review
/// powers.commands = ["git diff", "git log"] # code-review
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lock {
    /// The kind of the lock.
    pub kind: LockKind,
    /// The skills by name.
    pub skills: BTreeMap<String, Locked>,
}

/// One skill of a lock.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Locked {
    /// The digest of the skill.
    pub digest: Digest,
    /// The size of all files in bytes.
    pub size: u64,
    /// The powers of the skill, without places. `None` if nobody read them: the skill can have some.
    pub powers: Option<Powers>,
    /// The digest of `triggers.yaml` in the folder of a bundle's skill. The file is no part of the skill, so the digest
    /// of the skill is without it; a review covers it.
    pub triggers: Option<Digest>,
    /// The source of an installed or exported skill.
    pub provenance: Option<Provenance>,
}

/// The source of a skill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Provenance {
    /// A git URL, an archive, a folder, or `program NAME VERSION`.
    pub source: String,
    /// The folder of the skill in the source; `None` if the root of the source is the skill.
    pub path: Option<String>,
    /// The requested revision.
    pub requested: Option<String>,
    /// The git commit that the revision resolved to.
    pub commit: Option<String>,
}

impl Locked {
    /// Creates the entry of a skill without a known source.
    pub fn new(digest: Digest, size: u64) -> Self {
        Self {
            digest,
            size,
            powers: None,
            triggers: None,
            provenance: None,
        }
    }

    /// Adds the source of the skill.
    #[must_use]
    pub fn from(self, provenance: Provenance) -> Self {
        Self {
            provenance: Some(provenance),
            ..self
        }
    }

    /// Adds what the skill may do.
    #[must_use]
    pub fn with_powers(self, powers: &Powers) -> Self {
        Self {
            powers: Some(powers.for_lock()),
            ..self
        }
    }

    /// Returns whether the files are equal, wherever they came from.
    pub fn is_same(&self, other: &Self) -> bool {
        (self.digest, self.size) == (other.digest, other.size)
    }
}

impl Provenance {
    /// Returns the source without secrets: a lock that was written manually or by another program can hold a token, as
    /// the user of a URL or after its `?`.
    pub fn shown_source(&self) -> Cow<'_, str> {
        let source = self.source.as_str();
        let Some((scheme, rest)) = source.split_once("://") else {
            return source.into();
        };
        if scheme == "file" {
            return source.into();
        }
        let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        let (user, host) = match authority.rsplit_once('@') {
            // The user of ssh, as in `git@`, is a public name.
            Some((user, _)) if scheme == "ssh" && !user.contains(':') => ("", authority),
            Some((_, host)) => ("…@", host),
            None => ("", authority),
        };
        let (path, query) = match path.split_once('?') {
            Some((path, _)) => (path, "?…"),
            None => (path, ""),
        };
        if user.is_empty() && query.is_empty() {
            return source.into();
        }
        format!("{scheme}://{user}{host}{path}{query}").into()
    }

    /// Creates a provenance of a source, without path and revision.
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
    /// The lock has the skill, and the folder does not.
    Removed(String),
    /// The files of the skill have changed.
    Changed(String),
    /// The files of the skill are unchanged, and its `triggers.yaml` is not.
    Triggers(String),
    /// The files of the skill are unchanged, and the lock holds other powers: another version of the program read the
    /// powers, or a person changed the lock.
    Powers(String),
}

impl Lock {
    /// Creates the lock of a bundle.
    pub fn of(model: &BundleModel<'_>) -> Self {
        let locked = |skill: &SkillModel<'_>| Locked {
            triggers: skill.triggers,
            ..Locked::new(skill.digest, skill.size())
        };
        let mut skills = BTreeMap::new();
        for skill in &model.skills {
            skills.insert(skill.skill.name.to_string(), locked(skill));
        }
        Self {
            kind: LockKind::Bundle,
            skills,
        }
    }

    /// Adds what each skill of a bundle may do.
    ///
    /// # Cost
    ///
    /// Reads the text of every file.
    #[must_use]
    pub fn with_powers_of(mut self, model: &BundleModel<'_>) -> Self {
        for skill in &model.skills {
            if let Some(locked) = self.skills.get_mut(skill.skill.name.as_str()) {
                locked.powers = Some(powers_of(skill).for_lock());
            }
        }
        self
    }

    /// Creates the lock of installed skills.
    pub fn installed(skills: BTreeMap<String, Locked>) -> Self {
        Self {
            kind: LockKind::Installed,
            skills,
        }
    }

    /// Copies the provenance of each skill from an older lock.
    #[must_use]
    pub fn with_provenance_of(mut self, old: &Self) -> Self {
        for (name, locked) in &mut self.skills {
            let known = old.skills.get(name);
            locked.provenance = known.and_then(|locked| locked.provenance.clone());
        }
        self
    }

    /// Reads a lock in which git has left conflict markers: its kind, and every entry of either side. git compares lines, so a side
    /// can hold an entry twice, or parts of two entries: what does not parse by itself is left out, and the files of a skill decide.
    ///
    /// # Errors
    ///
    /// As [`Lock::parse`], for what stands above the entries.
    pub fn parse_sides(text: &str) -> Result<(LockKind, Vec<(String, Locked)>), LockError> {
        const ENTRY: &str = "[[skill]]";
        let mut sides = [String::new(), String::new()];
        // The sides to which the lines belong: both, ours, that of the common ancestor, theirs.
        let mut of: &[usize] = &[0, 1];
        for line in text.split_inclusive('\n') {
            match line.get(..7) {
                Some("<<<<<<<") => of = &[0],
                Some("|||||||") => of = &[],
                Some("=======") => of = &[1],
                Some(">>>>>>>") => of = &[0, 1],
                _ => of.iter().for_each(|side| sides[*side].push_str(line)),
            }
        }
        let mut parts = sides[0].split(ENTRY);
        let head = parts.next().unwrap_or_default().to_owned();
        let kind = Self::parse(&head)?.kind;
        let blocks = sides.iter().flat_map(|side| side.split(ENTRY).skip(1));
        let locks = blocks.filter_map(|block| Self::parse(&format!("{head}{ENTRY}{block}")).ok());
        Ok((kind, locks.flat_map(|lock| lock.skills).collect()))
    }

    /// Lists the differences from this lock to `now`, in order of names. Empty if the locks are equal.
    pub fn changes(&self, now: &Self) -> Vec<Change> {
        let names: BTreeSet<&String> = self.skills.keys().chain(now.skills.keys()).collect();
        let mut changes = Vec::new();
        for name in names {
            let change = match (self.skills.get(name), now.skills.get(name)) {
                (None, _) => Change::Added,
                (_, None) => Change::Removed,
                (Some(old), Some(new)) if !new.is_same(old) => Change::Changed,
                (Some(old), Some(new)) if new.triggers != old.triggers => Change::Triggers,
                // Without powers on one side there is nothing to compare.
                (Some(old), Some(new))
                    if new.powers.is_some() && old.powers.is_some() && new.powers != old.powers =>
                {
                    Change::Powers
                }
                _ => continue,
            };
            changes.push(change(name.clone()));
        }
        changes
    }

    /// Describes a change, and says so if the skill gained no power. `widened` holds the findings of the powers that this
    /// lock does not.
    pub fn describe(&self, change: &Change, widened: &[Diagnostic]) -> String {
        let Change::Changed(name) = change else {
            return change.to_string();
        };
        let locked = self.skills.get(name);
        let is_held = locked.is_some_and(|locked| locked.powers.is_some());
        let named = format!("`{name}` ");
        let is_wider = |found: &Diagnostic| found.message.to_string().starts_with(&named);
        if is_held && !widened.iter().any(is_wider) {
            format!("{change}; it names no new command, host, package, file or variable")
        } else {
            change.to_string()
        }
    }

    /// Parses the text of a lock.
    ///
    /// # Errors
    ///
    /// As [`Digests::parse`], and if an entry has invalid powers or an invalid source.
    pub fn parse(text: &str) -> Result<Self, LockError> {
        let digests = Digests::parse(text)?;
        let mut skills = BTreeMap::new();
        for (name, skill) in digests.skills {
            let locked = Locked {
                digest: skill.digest,
                size: skill.size,
                powers: powers(&skill.entry)?,
                triggers: skill.triggers,
                provenance: provenance(&skill.entry)?,
            };
            skills.insert(name, locked);
        }
        Ok(Self {
            kind: digests.kind,
            skills,
        })
    }
}

/// Reads the powers. `powers = {}` is a skill without powers; without the key, nobody read them.
fn powers(entry: &Table) -> Result<Option<Powers>, LockError> {
    let Some(value) = entry.get("powers") else {
        return Ok(None);
    };
    let wrong = |span| LockError::not_a_lock(span, "`powers` holds lists of strings");
    let Value::Table(table) = &value.value else {
        return Err(wrong(value.span));
    };
    let mut powers = Powers::default();
    for (kind, list) in &table.entries {
        let known = PowerKind::parse(&kind.value)
            .ok_or_else(|| LockError::not_a_lock(kind.span, "this is not a kind of powers"))?;
        let Value::List(texts) = &list.value else {
            return Err(wrong(list.span));
        };
        for text in texts {
            let Value::Text(power) = &text.value else {
                return Err(wrong(text.span));
            };
            powers.insert(known, power);
        }
    }
    Ok(Some(powers))
}

fn provenance(entry: &Table) -> Result<Option<Provenance>, LockError> {
    let text = |key| Ok(lock_text(entry, key)?.map(|text| text.value.to_owned()));
    let (path, requested, commit) = (text("path")?, text("requested")?, text("commit")?);
    Ok(text("source")?.map(|source| Provenance {
        source,
        path,
        requested,
        commit,
    }))
}

/// Reads what a skill of a bundle may do.
fn powers_of(skill: &SkillModel<'_>) -> Powers {
    skills_lint::powers(skill.files.iter().map(|file| skills_lint::PowerFile {
        path: file.path,
        bytes: Some(file.bytes),
        is_executable: false,
    }))
}

/// Formats the provenance on one line, without secrets.
impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown_source())?;
        if let Some(path) = &self.path {
            write!(f, "//{path}")?;
        }
        let commit = self.commit.as_deref();
        let commit = commit.map(|commit| commit.get(..12).unwrap_or(commit));
        match (&self.requested, commit) {
            (Some(revision), Some(commit)) => write!(f, " at {revision} ({commit})"),
            (None, Some(commit)) => write!(f, " at {commit}"),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Added(name) => write!(f, "`{name}` was added"),
            Self::Removed(name) => write!(f, "`{name}` was removed"),
            Self::Changed(name) => write!(f, "`{name}` was changed"),
            Self::Triggers(name) => write!(f, "the `triggers.yaml` of `{name}` was changed"),
            Self::Powers(name) => {
                write!(
                    f,
                    "the lock and the files of `{name}` disagree about its powers"
                )
            }
        }
    }
}
