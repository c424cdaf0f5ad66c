//! Parses the text of a lock.

use crate::lock::{Lock, LockError, LockKind, Locked, Provenance, VERSION};
use skills_check::toml::{self, Spanned, Table, Value};
use skills_format::{Digest, PowerKind, Powers, SkillName, Span};
use std::collections::BTreeMap;

const FILE: &[&str] = &["version", "kind", "skill"];
const SKILL: &[&str] = &[
    "name",
    "digest",
    "size",
    "powers",
    "triggers",
    "source",
    "path",
    "requested",
    "commit",
];

impl Lock {
    /// Parses the text of a lock.
    ///
    /// # Errors
    ///
    /// [`LockError`] if git has left conflict markers, the text is not TOML, has an unknown version or field, repeats a skill, or has an invalid name
    /// or an invalid SHA-256.
    pub fn parse(text: &str) -> Result<Self, LockError> {
        if let Some(span) = conflict_mark(text) {
            let message = "git has left conflict markers here".to_owned();
            return Err(LockError {
                conflict: true,
                ..LockError::new(span, message)
            });
        }
        let table = toml::parse(text).map_err(|fault| not_a_lock(fault.span, &fault.message))?;
        let file = Fields {
            table: &table,
            span: Span::at(0),
        };
        let version = file.required("version", Fields::number)?;
        check_version(&version)?;
        // After the version: fields of a newer lock are unknown, and the error is the newer version.
        file.only(FILE)?;
        let kind = match file.text("kind")? {
            None => LockKind::Bundle,
            Some(kind) => match kind.value {
                "bundle" => LockKind::Bundle,
                "installed" => LockKind::Installed,
                _ => {
                    let message = "`kind` is `bundle` or `installed`".to_owned();
                    return Err(LockError::new(kind.span, message));
                }
            },
        };
        let mut skills = BTreeMap::new();
        for entry in file.tables("skill")? {
            entry.only(SKILL)?;
            let name = entry.required("name", Fields::text)?;
            // A name becomes the name of a folder, and a lock may be untrusted: `../a` would lead out of the folder.
            if let Err(error) = SkillName::new(name.value) {
                let message = format!("this is not the name of a skill: {error}");
                return Err(LockError::new(name.span, message));
            }
            let locked = Locked {
                digest: entry.digest("digest")?,
                size: entry.required("size", Fields::number)?.value,
                powers: entry.powers()?,
                triggers: match entry.table.get("triggers") {
                    Some(_) => Some(entry.digest("triggers")?),
                    None => None,
                },
                provenance: entry.provenance()?,
            };
            if skills.insert((*name.value).to_owned(), locked).is_some() {
                // A merge without markers can leave this too, and the same command mends it.
                let message = format!("`{}` is in the lock twice", name.value);
                return Err(LockError {
                    conflict: true,
                    ..LockError::new(name.span, message)
                });
            }
        }
        Ok(Self { kind, skills })
    }
}

fn not_a_lock(span: Span, why: &str) -> LockError {
    LockError::new(span, format!("this is not a lock: {why}"))
}

fn check_version(version: &Spanned<u64>) -> Result<(), LockError> {
    let number = version.value;
    if number == u64::from(VERSION) {
        return Ok(());
    }
    let newer = number > VERSION.into();
    let which = if newer { "a newer" } else { "an older" };
    let message = format!(
        "{which} version of `skills` wrote this lock: it has version {number}, not {VERSION}"
    );
    Err(LockError {
        newer,
        ..LockError::new(version.span, message)
    })
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

/// The fields of a table, and its place.
struct Fields<'t> {
    table: &'t Table,
    span: Span,
}

impl<'t> Fields<'t> {
    fn text(&self, key: &str) -> Result<Option<Spanned<&'t str>>, LockError> {
        self.value(key, "a text", |value| match value {
            Value::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }

    fn number(&self, key: &str) -> Result<Option<Spanned<u64>>, LockError> {
        self.value(key, "a whole number from 0", |value| match value {
            Value::Integer(number) => *number,
            _ => None,
        })
    }

    fn digest(&self, key: &str) -> Result<Digest, LockError> {
        let digest = self.required(key, Self::text)?;
        Digest::parse(digest.value)
            .ok_or_else(|| LockError::new(digest.span, "this is not a SHA-256".to_owned()))
    }

    /// Reads the powers. `powers = {}` is a skill without powers; without the key, nobody read them.
    fn powers(&self) -> Result<Option<Powers>, LockError> {
        let Some(value) = self.table.get("powers") else {
            return Ok(None);
        };
        let wrong = |span| not_a_lock(span, "`powers` holds lists of texts");
        let Value::Table(table) = &value.value else {
            return Err(wrong(value.span));
        };
        let mut powers = Powers::default();
        for (kind, list) in &table.entries {
            let known = PowerKind::parse(&kind.value);
            let known =
                known.ok_or_else(|| not_a_lock(kind.span, "this is not a kind of powers"))?;
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

    fn provenance(&self) -> Result<Option<Provenance>, LockError> {
        let text = |key| Ok(self.text(key)?.map(|text| (*text.value).to_owned()));
        let (path, requested, commit) = (text("path")?, text("requested")?, text("commit")?);
        Ok(text("source")?.map(|source| Provenance {
            source,
            path,
            requested,
            commit,
        }))
    }

    /// Reads the tables of `[[key]]`.
    fn tables(&self, key: &str) -> Result<Vec<Self>, LockError> {
        let tables = self.value(key, "a list of tables", |value| {
            let Value::List(tables) = value else {
                return None;
            };
            let tables = tables.iter().map(|table| match &table.value {
                Value::Table(inner) => Some(Self {
                    table: inner,
                    span: table.span,
                }),
                _ => None,
            });
            tables.collect::<Option<Vec<_>>>()
        })?;
        Ok(tables.map_or_else(Vec::new, |tables| tables.value))
    }

    /// Reads the value of a key. `expected` describes the values that `read` accepts.
    fn value<T>(
        &self,
        key: &str,
        expected: &str,
        read: impl FnOnce(&'t Value) -> Option<T>,
    ) -> Result<Option<Spanned<T>>, LockError> {
        let Some(value) = self.table.get(key) else {
            return Ok(None);
        };
        let span = value.span;
        match read(&value.value) {
            Some(value) => Ok(Some(Spanned { value, span })),
            None => Err(not_a_lock(span, &format!("`{key}` is not {expected}"))),
        }
    }

    fn required<T>(
        &self,
        key: &str,
        read: impl FnOnce(&Self, &str) -> Result<Option<T>, LockError>,
    ) -> Result<T, LockError> {
        read(self, key)?.ok_or_else(|| not_a_lock(self.span, &format!("`{key}` is missing")))
    }

    /// Rejects unknown keys.
    fn only(&self, known: &[&str]) -> Result<(), LockError> {
        let mut keys = self.table.entries.iter().map(|(key, _)| key);
        match keys.find(|key| !known.contains(&key.value.as_str())) {
            Some(key) => Err(not_a_lock(
                key.span,
                &format!("`{}` is not a field of a lock", key.value),
            )),
            None => Ok(()),
        }
    }
}
