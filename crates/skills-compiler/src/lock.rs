//! The part of `skills.lock` that a build compares: the digests of reviewed skills. `skills_repository::Lock` holds the rest.

use crate::folder::{Folder, LOCK_FILE};
use crate::model::BundleModel;
use skills_check::Level;
use skills_check::render::quoted;
use skills_check::toml::{self, Spanned, Table, Value};
use skills_format::{Diagnostic, Digest, RuleId, SKILL_FILE, SkillName, Span, TRIGGERS_FILE, join};
use std::collections::BTreeMap;
use std::fmt;

/// The version of the format.
pub const LOCK_VERSION: u32 = 4;

const RULE: RuleId = RuleId::LockStale;

/// The digests of a lock.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Digests {
    /// The kind of the lock.
    pub kind: LockKind,
    /// The skills by name.
    pub skills: BTreeMap<String, SkillDigests>,
}

/// The kind of a lock: which skills of its folder it lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LockKind {
    /// Every skill of the folder, written by `skills lock`.
    #[default]
    Bundle,
    /// The installed or exported skills. Other skills of the folder are not listed.
    Installed,
}

/// The digests of one skill.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkillDigests {
    /// The digest of the skill.
    pub digest: Digest,
    /// The size of all files in bytes.
    pub size: u64,
    /// The digest of `triggers.yaml` in the folder of a bundle's skill. The file is no part of the skill, so the digest
    /// of the skill is without it; a review covers it.
    pub triggers: Option<Digest>,
    /// The whole entry: its powers and its source are not compared.
    pub entry: Table,
}

/// The reason why a text is not a valid lock.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LockError {
    /// The place in the text, in bytes.
    pub span: Span,
    /// The message, which states the fact.
    pub message: String,
    /// True if a newer version of this program wrote the lock.
    pub newer: bool,
    /// True if git has left conflict markers in the lock.
    pub conflict: bool,
}

impl std::error::Error for LockError {}

impl fmt::Display for LockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl LockError {
    fn new(span: Span, message: impl Into<String>) -> Self {
        Self {
            span,
            message: message.into(),
            newer: false,
            conflict: false,
        }
    }

    /// Creates the error that a text is not a lock.
    pub fn not_a_lock(span: Span, why: &str) -> Self {
        Self::new(span, format!("this is not a lock: {why}"))
    }

    fn conflict(span: Span, message: impl Into<String>) -> Self {
        Self {
            conflict: true,
            ..Self::new(span, message)
        }
    }
}

impl Digests {
    /// Parses the text of a lock.
    ///
    /// # Errors
    ///
    /// [`LockError`] if git has left conflict markers, the text is not TOML, has an unknown version or field, repeats a skill, or has an invalid name
    /// or an invalid SHA-256.
    pub fn parse(text: &str) -> Result<Self, LockError> {
        if let Some(at) = conflict_mark(text) {
            return Err(LockError::conflict(
                at,
                "git has left conflict markers here",
            ));
        }
        let file =
            toml::parse(text).map_err(|fault| LockError::not_a_lock(fault.span, &fault.message))?;
        let whole = Span::at(0);
        let version = number(&file, "version", whole)?;
        if version.value != u64::from(LOCK_VERSION) {
            let newer = version.value > LOCK_VERSION.into();
            let which = if newer { "a newer" } else { "an older" };
            let message = format!(
                "{which} version of `skills` wrote this lock: it has version {}, not {LOCK_VERSION}",
                version.value
            );
            return Err(LockError {
                newer,
                ..LockError::new(version.span, message)
            });
        }
        // After the version: fields of a newer lock are unknown, and the error is the newer version.
        only(&file, &["version", "kind", "skill"])?;
        let kind = match lock_text(&file, "kind")? {
            None => LockKind::Bundle,
            Some(kind) => match kind.value {
                "bundle" => LockKind::Bundle,
                "installed" => LockKind::Installed,
                _ => {
                    let message = "`kind` is `bundle` or `installed`";
                    return Err(LockError::new(kind.span, message));
                }
            },
        };
        let mut skills = BTreeMap::new();
        let entries = file
            .get("skill")
            .map_or(Ok(&[][..]), |list| match &list.value {
                Value::List(entries) => Ok(&entries[..]),
                _ => Err(not_tables(list.span)),
            })?;
        for entry in entries {
            let Value::Table(table) = &entry.value else {
                return Err(not_tables(entry.span));
            };
            only(
                table,
                &[
                    "name",
                    "digest",
                    "size",
                    "powers",
                    "triggers",
                    "source",
                    "path",
                    "requested",
                    "commit",
                ],
            )?;
            let name = required(lock_text(table, "name")?, "name", entry.span)?;
            // A name becomes the name of a folder, and a lock may be untrusted: `../a` would lead out of the folder.
            if let Err(error) = SkillName::new(name.value) {
                let message = format!("this is not the name of a skill: {error}");
                return Err(LockError::new(name.span, message));
            }
            let skill = SkillDigests {
                digest: required(digest(table, "digest")?, "digest", entry.span)?,
                size: number(table, "size", entry.span)?.value,
                triggers: digest(table, "triggers")?,
                entry: table.clone(),
            };
            if skills.insert(name.value.to_owned(), skill).is_some() {
                // A merge without markers can leave this too, and the same command fixes it.
                let message = format!("`{}` is in the lock twice", name.value);
                return Err(LockError::conflict(name.span, message));
            }
        }
        Ok(Self { kind, skills })
    }
}

/// Returns the first line of a conflict that git has left.
fn conflict_mark(text: &str) -> Option<Span> {
    let mut start = 0;
    text.split_inclusive('\n').find_map(|line| {
        let span = Span::new(start, start + line.trim_end().len());
        start += line.len();
        line.starts_with("<<<<<<< ").then_some(span)
    })
}

/// Reads a text of a lock's table.
///
/// # Errors
///
/// The value is not a string.
pub fn lock_text<'t>(table: &'t Table, key: &str) -> Result<Option<Spanned<&'t str>>, LockError> {
    let Some(Spanned { value, span }) = table.get(key) else {
        return Ok(None);
    };
    match value {
        Value::Text(text) => Ok(Some(Spanned {
            value: text.as_str(),
            span: *span,
        })),
        _ => Err(LockError::not_a_lock(
            *span,
            &format!("`{key}` is not a string"),
        )),
    }
}

fn number(table: &Table, key: &str, owner: Span) -> Result<Spanned<u64>, LockError> {
    match required(table.get(key), key, owner)? {
        Spanned {
            value: Value::Integer(Some(value)),
            span,
        } => Ok(Spanned {
            value: *value,
            span: *span,
        }),
        other => {
            let why = format!("`{key}` is not a whole number from 0");
            Err(LockError::not_a_lock(other.span, &why))
        }
    }
}

fn digest(table: &Table, key: &str) -> Result<Option<Digest>, LockError> {
    let Some(text) = lock_text(table, key)? else {
        return Ok(None);
    };
    let wrong = || LockError::new(text.span, "this is not a SHA-256");
    Digest::parse(text.value).ok_or_else(wrong).map(Some)
}

fn not_tables(span: Span) -> LockError {
    LockError::not_a_lock(span, "`skill` is not a list of tables")
}

fn required<T>(value: Option<T>, key: &str, owner: Span) -> Result<T, LockError> {
    value.ok_or_else(|| LockError::not_a_lock(owner, &format!("`{key}` is missing")))
}

/// Rejects unknown keys: what a newer program adds to a lock is never ignored.
fn only(table: &Table, known: &[&str]) -> Result<(), LockError> {
    match table
        .entries
        .iter()
        .find(|(key, _)| !known.contains(&key.value.as_str()))
    {
        None => Ok(()),
        Some((key, _)) => {
            let why = format!("`{}` is not a field of a lock", key.value);
            Err(LockError::not_a_lock(key.span, &why))
        }
    }
}

/// Reports every difference from the lock if the folder is locked, else the skills that the folder has lost. `exists` tells
/// whether a skill has this name, usable or not.
pub(crate) fn check(
    folder: &Folder,
    model: &BundleModel<'_>,
    exists: &dyn Fn(&str) -> bool,
) -> Vec<Diagnostic> {
    let Some(severity) = folder.config.severity(&(RULE, Level::Deny)) else {
        return Vec::new();
    };
    let path = join(&folder.path, LOCK_FILE);
    // The folder as seen from where cargo or the program `skills` runs.
    let seen = quoted(&join(&folder.before, &folder.path)).into_owned();
    let review = format!(
        "review the change (`skills lock --check {seen}` lists gained powers), then run `skills lock {seen}`"
    );
    let report = |path: &str, message: String, help: String| {
        Diagnostic::new(RULE, severity, path, message).help(help)
    };
    let Some(text) = &folder.lock_text else {
        if !folder.config.locked {
            return Vec::new();
        }
        let message = format!("`locked = true` in skills.toml, and there is no `{LOCK_FILE}`");
        // There is nothing to compare with yet.
        let help = format!("review the skills, then run `skills lock {seen}`");
        return vec![report(&path, message, help)];
    };
    let lock = match Digests::parse(text) {
        Ok(lock) => lock,
        // A lock that cannot be read names no skill that is missing.
        Err(error) => {
            let (message, help) = if error.conflict {
                let message = format!("`{LOCK_FILE}` has conflict markers of git");
                (
                    message,
                    format!("merge the skills, then run `skills lock {seen}`"),
                )
            } else {
                (error.message, review)
            };
            return vec![report(&path, message, help).at(text.as_bytes(), error.span)];
        }
    };
    if !folder.config.locked {
        // `cargo publish` builds what it packed, and an `exclude` or a nested manifest can keep a skill out of it.
        let lost = lock.skills.keys().filter(|name| !exists(name));
        let help = format!(
            "restore it, or look whether `exclude`, `include` or a Cargo.toml in its folder keeps it out of the package; \
             if it was removed, run `skills lock {seen}`"
        );
        let report = |name| {
            let message = format!("`{name}` is in `{LOCK_FILE}`, and the folder does not have it");
            report(&path, message, help.clone())
        };
        return lost.map(report).collect();
    }
    if lock.kind == LockKind::Installed {
        let message = format!(
            "`locked = true` in skills.toml, and `{LOCK_FILE}` is the lock of `skills install`"
        );
        return vec![report(&path, message, review)];
    }
    let since = format!("since `{LOCK_FILE}` was written");
    // Sorted by name.
    let skills = &model.skills;
    let is_bundled = |name: &str| {
        skills
            .binary_search_by(|it| it.skill.name.as_str().cmp(name))
            .is_ok()
    };
    // A skill that cannot be read has an error of its own, and was not removed.
    let removed = lock.skills.keys();
    let removed = removed.filter(|name| !is_bundled(name) && !exists(name));
    let removed = removed.map(|name| {
        let message = format!("`{name}` was removed {since}");
        report(&path, message, review.clone())
    });
    let mut found: Vec<Diagnostic> = removed.collect();
    for skill in skills {
        let name = &skill.skill.name;
        let place = |file: &str| join(&folder.path, &join(skill.dir, file));
        let (file, message) = match lock.skills.get(name.as_str()) {
            None => (SKILL_FILE, format!("`{name}` was added {since}")),
            Some(locked) if (locked.digest, locked.size) == (skill.digest, skill.size()) => {
                if locked.triggers == skill.triggers {
                    continue;
                }
                // A `triggers.yaml` that was removed is no place to show.
                let file = skill.triggers.map_or(SKILL_FILE, |_| TRIGGERS_FILE);
                let message = format!("the `triggers.yaml` of `{name}` was changed {since}");
                (file, message)
            }
            Some(locked) if skill.has_other_line_ends(locked.digest) => {
                let message = format!(
                    "`{name}` differs from `{LOCK_FILE}` in line ends alone: this checkout has other line ends"
                );
                let help = format!(
                    "write `{}/** -text` into `.gitattributes` beside Cargo.toml, commit it, and check the skills out again",
                    folder.path
                );
                found.push(report(&place(SKILL_FILE), message, help));
                continue;
            }
            Some(_) => (SKILL_FILE, format!("`{name}` was changed {since}")),
        };
        found.push(report(&place(file), message, review.clone()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_have_their_place() {
        let at = |text: &str| match Digests::parse(text) {
            Ok(_) => String::new(),
            Err(reported) => format!("{}: {}", reported.span.of(text), reported.message),
        };
        assert_eq!(
            at("version = 99\ndigest = ''\nunknown = 1"),
            "99: a newer version of `skills` wrote this lock: it has version 99, not 4"
        );
        let is_newer = |text: &str| Digests::parse(text).expect_err(text).newer;
        assert!(is_newer("version = 99") && !is_newer("version = 0"));
        assert_eq!(
            at("version = 3"),
            "3: an older version of `skills` wrote this lock: it has version 3, not 4"
        );
        assert!(at("<<<<<<< HEAD\n").contains("conflict markers"));
        for (text, told) in [
            ("", ": this is not a lock: `version` is missing"),
            (
                "version = -1",
                "-1: this is not a lock: `version` is not a whole number from 0",
            ),
            (
                "version = 4\ndigests = ''",
                "digests: this is not a lock: `digests` is not a field of a lock",
            ),
            (
                "version = 4\n[[skill]]\nname = 'a'\ndigest = 'x'",
                "'x': this is not a SHA-256",
            ),
            (
                "version = 4\nkind = 1\n",
                "1: this is not a lock: `kind` is not a string",
            ),
            (
                "version = 4\nkind = 'x'\n",
                "'x': `kind` is `bundle` or `installed`",
            ),
        ] {
            assert_eq!(at(text), told, "{text}");
        }
        let digest = Digest::of(b"");
        let named = |name: &str| {
            at(&format!(
                "version = 4\n[[skill]]\nname = '{name}'\ndigest = '{digest}'\nsize = 1"
            ))
        };
        assert_eq!(named("a"), "");
        // What a newer program adds to an entry is never ignored, whatever the version says.
        let more = at("version = 4\n[[skill]]\nname = 'a'\nwitness = 'x'");
        assert_eq!(
            more,
            "witness: this is not a lock: `witness` is not a field of a lock"
        );
        let lock = "version = 4\n";
        let skills = "`skill` is not a list of tables";
        assert!(at(&format!("{lock}skill = [1]")).ends_with(skills));
        assert!(at(&format!("{lock}[skill]\nname = 'a'")).ends_with(skills));
        let nameless = at(&format!("{lock}\n[[skill]]\nsize = 1"));
        assert_eq!(nameless, "[[skill]]: this is not a lock: `name` is missing");
        assert!(named("../a").contains("not the name of a skill"));
    }
}
