//! Reads the changed files, and reports the differences.

use crate::bundle::{Bundle, SkillRef};
use crate::catalog::Catalog;
use crate::catalog::builder::CatalogBuilder;
use crate::catalog::index::Hasher;
use crate::catalog::load::Loaded;
use crate::catalog::merge::Merged;
use crate::catalog::{held, needed};
use crate::source::folder::FolderSkill;
use crate::source::trust::record::TrustRecord;
use crate::source::{Content, Source};
use skills_format::Diagnostic;
#[cfg(feature = "watch")]
use skills_format::text::order::sort_by_text;
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::sync::Arc;

/// A reloaded catalog, and its differences from the catalog before.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reloaded {
    /// The catalog that a new load would return.
    pub catalog: Catalog,
    /// The diagnostics that a new load would return: the full list each time. Show only the new
    /// diagnostics. Diagnostics of [`Severity::Info`](crate::Severity::Info) need not be shown.
    pub diagnostics: Vec<Diagnostic>,
    /// The qualified ids of new skills, sorted.
    pub added: Vec<String>,
    /// The qualified ids of skills whose `SKILL.md`, `arguments.schema.json` or trust changed, sorted. The other files of
    /// a skill of a folder are read when the model asks for them, and change nothing here. A bundled skill that is read
    /// from its folder (feature `hot`) changes with any of its files.
    pub changed: Vec<String>,
    /// The qualified ids of removed skills, sorted.
    pub removed: Vec<String>,
}

impl Reloaded {
    /// Returns whether no skill was added, changed or removed.
    pub fn is_unchanged(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }
}

impl Catalog {
    /// Makes a new catalog from the files that are now on disk. This catalog does not change. The new
    /// catalog has the same state and facts.
    ///
    /// # Cost
    ///
    /// Reads every folder, and each `SKILL.md` whose path, length, time or inode changed. If the catalog
    /// was not made [`reloadable`](crate::CatalogBuilder::reloadable), the first reload reads every
    /// `SKILL.md`.
    pub fn reload(&self) -> Reloaded {
        self.reloaded(self.loader().clone())
    }

    /// Reloads, and trusts a skill that a person has just trusted, until the program ends. The host
    /// stores the record too, and passes it to
    /// [`CatalogBuilder::trusted`](crate::CatalogBuilder::trusted) at its next start.
    ///
    /// # Cost
    ///
    /// The cost of [`Catalog::reload`].
    pub fn trusting(&self, record: TrustRecord) -> Reloaded {
        self.reloaded(self.loader().clone().trusted([record]))
    }

    /// Reloads, and trusts the skill of a record no longer.
    ///
    /// # Cost
    ///
    /// The cost of [`Catalog::reload`].
    pub fn no_longer_trusting(&self, record: &TrustRecord) -> Reloaded {
        self.reloaded(self.loader().clone().without_trust_in(record))
    }

    /// Reloads with the sources, the disabled skills and the trusted skills of a builder.
    pub fn reload_as(&self, builder: CatalogBuilder) -> Reloaded {
        let state = builder.state.clone();
        let read = self.reloaded(builder);
        Reloaded {
            catalog: read.catalog.with_state(state),
            ..read
        }
    }

    fn reloaded(&self, loader: CatalogBuilder) -> Reloaded {
        self.read_again(loader, self.sources())
    }

    /// Reloads. Files of a source in `before` are read again only if they changed.
    pub(crate) fn read_again(&self, loader: CatalogBuilder, before: &[Source]) -> Reloaded {
        let loader = loader.reloadable();
        let (merged, mut diagnostics) = loader.read(before);
        let (scheduled, of_scheduled) = loader.read_scheduled();
        diagnostics.extend(of_scheduled);
        let catalog = Catalog::new(
            loader,
            merged,
            self.state().clone(),
            self.facts().cloned(),
            scheduled,
        );
        diagnostics.extend(needed::missing(&catalog));
        diagnostics.extend(held::beyond(&catalog));
        self.compared(catalog, diagnostics)
    }

    /// Compares this catalog with the catalog that replaces it.
    pub(crate) fn compared(&self, catalog: Self, diagnostics: Vec<Diagnostic>) -> Reloaded {
        let (before, now) = (skills(self.merged()), skills(catalog.merged()));
        let (known, kept) = (by_identity(&before), by_identity(&now));
        let mut difference = Difference::default();
        for (identity, skill) in &now {
            match known.get(identity) {
                None => difference.added.insert(identity.id()),
                Some(old) if old.is_changed(skill) => difference.changed.insert(identity.id()),
                Some(_) => continue,
            };
        }
        for (identity, _) in before.iter().filter(|(it, _)| !kept.contains_key(it)) {
            difference.removed.insert(identity.id());
        }
        for source in catalog.sources() {
            let before = self.sources().iter().find(|it| it.name == source.name);
            if let (Some(before), Some(now)) = (before.and_then(Source::bundle), source.bundle()) {
                difference.add_bundle(source.name(), before, now);
            }
        }
        let Difference {
            added,
            changed,
            removed,
        } = difference;
        Reloaded {
            diagnostics,
            added: added.into_iter().collect(),
            changed: changed.into_iter().collect(),
            removed: removed.into_iter().collect(),
            catalog,
        }
    }
}

#[cfg(feature = "watch")]
impl Catalog {
    /// Returns whether each skill of a folder has the stamps of its files: a change of the text alone is then seen.
    pub(crate) fn has_stamps(&self) -> bool {
        skills(self.merged())
            .iter()
            .all(|(_, version)| version.skill.seen.is_some())
    }
}

#[cfg(feature = "watch")]
impl Reloaded {
    /// Adds the changed skills of another comparison with the same catalog.
    pub(crate) fn add_changed(&mut self, other: Self) {
        let new = |id: &String| !self.added.contains(id) && !self.changed.contains(id);
        let more: Vec<String> = other.changed.into_iter().filter(new).collect();
        self.changed.extend(more);
        sort_by_text(&mut self.changed, |id| id.as_bytes());
    }
}

impl From<Reloaded> for Loaded {
    fn from(reloaded: Reloaded) -> Self {
        Self {
            catalog: reloaded.catalog,
            diagnostics: reloaded.diagnostics,
        }
    }
}

#[derive(Default)]
struct Difference {
    added: BTreeSet<String>,
    changed: BTreeSet<String>,
    removed: BTreeSet<String>,
}

impl Difference {
    /// Compares two versions of a bundle. Only a bundle that is read from its folder (`hot`) has several.
    fn add_bundle(&mut self, source: &str, before: &'static Bundle, now: &'static Bundle) {
        if std::ptr::eq(before, now) {
            return;
        }
        let id = |skill: SkillRef| format!("{source}:{}", skill.name());
        for skill in now {
            match before.by_name(skill.name()) {
                None => self.added.insert(id(skill)),
                Some(old) if old.digest() != skill.digest() => self.changed.insert(id(skill)),
                Some(_) => continue,
            };
        }
        let gone = before
            .iter()
            .filter(|skill| now.by_name(skill.name()).is_none());
        for skill in gone {
            self.removed.insert(id(skill));
        }
    }
}

/// The identity of a skill across a reload. The folder is part of it, because a source can have a name
/// twice.
#[derive(PartialEq, Eq, Hash)]
struct Identity<'c> {
    source: &'c str,
    name: &'c str,
    /// The written path: the hash of a `Path` looks at each of its parts.
    dir: &'c OsStr,
}

/// A skill before or after a reload.
struct Version<'c> {
    skill: &'c Arc<FolderSkill>,
    is_trusted: bool,
}

impl Identity<'_> {
    fn id(&self) -> String {
        format!("{}:{}", self.source, self.name)
    }
}

impl Version<'_> {
    fn is_changed(&self, now: &Self) -> bool {
        let has_new_stamp = match (self.skill.seen, now.skill.seen) {
            (Some(before), Some(now)) => before.has_changed(&now),
            _ => false,
        };
        self.is_trusted != now.is_trusted
            || !Arc::ptr_eq(self.skill, now.skill)
                && (has_new_stamp || !self.skill.says_the_same(now.skill))
    }
}

fn skills(merged: &Merged) -> Vec<(Identity<'_>, Version<'_>)> {
    let mut skills = Vec::new();
    for source in &merged.sources {
        let Content::Folders(folders) = &source.content else {
            continue;
        };
        for (index, skill) in folders.skills.iter().enumerate() {
            let identity = Identity {
                source: source.name(),
                name: &skill.name,
                dir: skill.dir.as_os_str(),
            };
            let is_trusted = source.trust.of(index).is_trusted();
            skills.push((identity, Version { skill, is_trusted }));
        }
    }
    skills
}

fn by_identity<'s, 'c>(
    skills: &'s [(Identity<'c>, Version<'c>)],
) -> HashMap<&'s Identity<'c>, &'s Version<'c>, Hasher> {
    let pairs = skills.iter().map(|(identity, version)| (identity, version));
    pairs.collect()
}
