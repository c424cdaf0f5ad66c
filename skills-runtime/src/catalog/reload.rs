//! Reads the files that changed, and reports which skills are different.

use crate::catalog::Catalog;
use crate::catalog::builder::CatalogBuilder;
use crate::catalog::load::Loaded;
use crate::catalog::merge::Merged;
use crate::source::folder::FolderSkill;
use crate::source::trust::record::TrustRecord;
use crate::source::{Content, Source};
use skills_format::Diagnostic;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// A reloaded catalog, and the differences to the catalog before.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reloaded {
    /// The catalog, as a new load would give it.
    pub catalog: Catalog,
    /// The diagnostics, as a new load would give them: complete, not only the new ones. Show those that are
    /// new. Diagnostics of [`Severity::Info`](crate::Severity::Info) need not be shown.
    pub diagnostics: Vec<Diagnostic>,
    /// The qualified ids of new skills, sorted.
    pub added: Vec<String>,
    /// The qualified ids of skills whose `SKILL.md` or whose trust changed, sorted.
    pub changed: Vec<String>,
    /// The qualified ids of skills that are gone, sorted.
    pub removed: Vec<String>,
}

impl Reloaded {
    /// Returns whether no skill was added, changed or removed.
    pub fn is_unchanged(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }
}

impl Catalog {
    /// Makes a new catalog from the files on disk now. This catalog does not change. State and facts are
    /// taken over.
    ///
    /// # Cost
    ///
    /// Reads each `SKILL.md` whose path, length, time or inode changed, and every folder. When the
    /// catalog was not made [`reloadable`](crate::CatalogBuilder::reloadable), the first reload reads
    /// every `SKILL.md`.
    pub fn reload(&self) -> Reloaded {
        self.reloaded(self.loader().clone())
    }

    /// Reloads, and trusts what a person has just trusted, until the program ends. The host stores the
    /// record too, and hands it to [`CatalogBuilder::trusted`](crate::CatalogBuilder::trusted) when it
    /// starts again.
    ///
    /// # Cost
    ///
    /// As [`Catalog::reload`].
    pub fn trusting(&self, record: TrustRecord) -> Reloaded {
        self.reloaded(self.loader().clone().trusted([record]))
    }

    fn reloaded(&self, loader: CatalogBuilder) -> Reloaded {
        self.read_again(loader, self.sources())
    }

    /// Reloads. Files of a source in `before` are read again only when they changed.
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
        self.compared(catalog, diagnostics)
    }

    /// Compares a catalog that takes the place of this catalog.
    pub(crate) fn compared(&self, catalog: Self, diagnostics: Vec<Diagnostic>) -> Reloaded {
        let (before, now) = (skills(self.merged()), skills(catalog.merged()));
        let mut difference = Difference::default();
        for (identity, skill) in &now {
            match before.get(identity) {
                None => difference.added.insert(identity.id()),
                Some(old) if old.is_changed(skill) => difference.changed.insert(identity.id()),
                Some(_) => continue,
            };
        }
        for identity in before.keys().filter(|identity| !now.contains_key(identity)) {
            difference.removed.insert(identity.id());
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

/// What identifies a skill before and after.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Identity<'c> {
    source: &'c str,
    name: &'c str,
    dir: &'c Path,
}

/// What a skill was before, or is after.
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

fn skills(merged: &Merged) -> BTreeMap<Identity<'_>, Version<'_>> {
    let mut skills = BTreeMap::new();
    for source in &merged.sources {
        let Content::Folders(folders) = &source.content else {
            continue;
        };
        for (index, skill) in folders.skills.iter().enumerate() {
            let identity = Identity {
                source: source.name(),
                name: &skill.name,
                dir: &skill.dir,
            };
            let is_trusted = source.trust.of(index).is_trusted();
            skills.insert(identity, Version { skill, is_trusted });
        }
    }
    skills
}
