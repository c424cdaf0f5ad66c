//! What a call of `skills trust` works with, and the skills that it names.

use crate::catalog::find;
use crate::catalog::skill::asks_for_trust;
use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::one_line;
use serde::Serialize;
use skills_format::Digest;
use skills_format::disk::resolved;
use skills_runtime::source::{Changes, TrustRecord};
use skills_runtime::{Catalog, Skill};
use skills_session::resolve::named;
use skills_store::{TrustFile, TrustedTexts};
use std::path::{Path, PathBuf, is_separator};

/// What a call of `skills trust` works with.
pub(super) struct TrustCall<'a> {
    pub(super) catalog: &'a Catalog,
    /// The catalog without trust: its skills can be read.
    pub(super) plain: &'a Catalog,
    pub(super) file: TrustFile,
    /// The contents of trusted files, for a later comparison. `None` without a folder for data.
    pub(super) texts: Option<TrustedTexts>,
    pub(super) records: Vec<TrustRecord>,
}

/// What a person decided about a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum SkillTrust {
    /// A person trusted the skill, and it has not changed since.
    Trusted,
    /// No person has trusted the skill.
    Untrusted,
    /// The skill has changed since a person trusted it.
    Changed,
}

/// A skill that is to be trusted.
pub(super) struct PlannedTrust<'c> {
    pub(super) id: String,
    pub(super) entry: Skill<'c>,
    pub(super) record: TrustRecord,
    /// `None` if the skill was never trusted.
    pub(super) changes: Option<Changes>,
    pub(super) is_named_by_digest: bool,
}

impl PlannedTrust<'_> {
    pub(super) fn trust(&self) -> SkillTrust {
        match &self.changes {
            None => SkillTrust::Untrusted,
            Some(changes) if *changes == Changes::default() => SkillTrust::Trusted,
            Some(_) => SkillTrust::Changed,
        }
    }

    pub(super) fn is_trusted(&self) -> bool {
        self.trust() == SkillTrust::Trusted
    }
}

impl TrustCall<'_> {
    /// Returns the readable form of a skill in a folder.
    pub(super) fn plain<'s>(&'s self, entry: &Skill<'_>) -> Option<Skill<'s>> {
        let folder = entry.folder()?;
        self.plain
            .iter()
            .find(|other| other.folder() == Some(folder))
    }

    pub(super) fn record_of(&self, entry: &Skill<'_>) -> Option<&TrustRecord> {
        let (root, folder) = place(entry)?;
        self.records
            .iter()
            .find(|record| record.place() == (&*root, &*folder))
    }

    /// Finds a skill by its name, an alias, `SOURCE:NAME`, or a path in its folder.
    pub(super) fn skill(&self, id: &str, env: &Environment) -> Result<Skill<'_>, Failure> {
        match find::find(self.catalog, id) {
            Ok(entry) => self.not_a_namesake(entry, id),
            Err(failure) => {
                let Some(folder) = find::folder(id, env).map(|folder| resolved(&folder)) else {
                    return Err(failure);
                };
                let is_there = |at: &Path| resolved(at) == folder;
                let mut all = self.catalog.iter();
                all.find(|entry| entry.folder().is_some_and(is_there))
                    .ok_or(failure)
            }
        }
    }

    /// Refuses the name of a skill that is always trusted if another skill of this name is not trusted: the person means
    /// that one.
    fn not_a_namesake<'c>(&self, entry: Skill<'c>, id: &str) -> Result<Skill<'c>, Failure> {
        let mut named = named(self.catalog, id).into_iter();
        let other = named.find(|other| !other.is_trusted());
        match other.filter(|_| !asks_for_trust(&entry)) {
            Some(other) => Err(Failure::not_so(
                format_args!(
                    "'{id}' is a skill of source '{}', which is trusted",
                    entry.source()
                ),
                format!("another skill of this name is not trusted: {other}"),
            )),
            None => Ok(entry),
        }
    }

    /// Finds the skill of `ID` or `ID@DIGEST`.
    pub(super) fn wanted(
        &self,
        text: &str,
        env: &Environment,
    ) -> Result<(Skill<'_>, Option<Digest>), Failure> {
        let (id, digest) = match text.rsplit_once('@') {
            Some((id, digest)) if !digest.contains(is_separator) => (id, Some(digest)),
            _ => (text, None),
        };
        let digest = digest.map(|digest| {
            Digest::parse(digest).ok_or_else(|| {
                Failure::failed(
                    format!("'{}' is not a trust digest", one_line(digest)),
                    "`show ID` prints the whole: `sha256:` and 64 digits; after a path with `@` write `/`",
                )
            })
        });
        let digest = digest.transpose()?;
        Ok((self.skill(id, env)?, digest))
    }
}

/// Returns the root and the folder below it that a record of the skill has.
pub(super) fn place(entry: &Skill<'_>) -> Option<(PathBuf, PathBuf)> {
    let (folder, below) = (entry.folder()?, entry.dir().into_owned());
    let root = folder
        .ancestors()
        .nth(Path::new(&below).components().count())?;
    Some((resolved(root), folder.strip_prefix(root).ok()?.to_owned()))
}

pub(super) fn folder_of(record: &TrustRecord) -> PathBuf {
    let (root, folder) = record.place();
    if folder.as_os_str().is_empty() {
        root.to_owned()
    } else {
        root.join(folder)
    }
}
