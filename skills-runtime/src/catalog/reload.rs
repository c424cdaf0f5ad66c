//! Reads the changed files, and reports the differences.

use crate::bundle::{Bundle, SkillRef};
use crate::catalog::Catalog;
use crate::catalog::builder::CatalogBuilder;
use crate::catalog::index::Hasher;
use crate::catalog::load::Loaded;
use crate::catalog::needed;
use crate::source::folder::FolderSkill;
use crate::source::trust::record::TrustRecord;
use crate::source::{Content, Source};
use skills_format::Diagnostic;
use std::collections::HashMap;
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

    fn reloaded(&self, mut loader: CatalogBuilder) -> Reloaded {
        loader.options.stamps = true;
        let (merged, mut diagnostics) = loader.read(self.sources());
        let (state, facts) = (self.state().clone(), self.facts().cloned());
        let catalog = Self::new(loader, merged, state, facts);
        diagnostics.extend(needed::missing(&catalog));
        self.compared(&catalog, diagnostics)
    }

    /// Compares this catalog with the catalog that replaces it.
    fn compared(&self, catalog: &Self, diagnostics: Vec<Diagnostic>) -> Reloaded {
        let mut reloaded = Reloaded {
            catalog: catalog.clone(),
            diagnostics,
            added: Vec::new(),
            changed: Vec::new(),
            removed: Vec::new(),
        };
        let (before, now) = (skills(self), skills(catalog));
        let known: HashMap<_, _, Hasher> = before.iter().map(|(id, skill)| (id, skill)).collect();
        for (id, skill) in &now {
            match known.get(id) {
                None => reloaded.added.push(id.qualified()),
                Some(old) if old.is_changed(skill) => reloaded.changed.push(id.qualified()),
                Some(_) => {}
            }
        }
        let kept: HashMap<_, _, Hasher> = now.iter().map(|(id, skill)| (id, skill)).collect();
        for (id, _) in before.iter().filter(|(id, _)| !kept.contains_key(id)) {
            reloaded.removed.push(id.qualified());
        }
        for source in catalog.sources() {
            let before = self.sources().iter().find(|it| it.name == source.name);
            if let (Some(before), Some(now)) = (before.and_then(Source::bundle), source.bundle()) {
                reloaded.compare_bundles(source.name(), before, now);
            }
        }
        for ids in [
            &mut reloaded.added,
            &mut reloaded.changed,
            &mut reloaded.removed,
        ] {
            ids.sort();
            ids.dedup();
        }
        reloaded
    }
}

impl Reloaded {
    /// Compares two versions of a bundle: a builder can bring another.
    fn compare_bundles(&mut self, source: &str, before: &'static Bundle, now: &'static Bundle) {
        if std::ptr::eq(before, now) {
            return;
        }
        let id = |skill: SkillRef| format!("{source}:{}", skill.name());
        for skill in now {
            match before.by_name(skill.name()) {
                None => self.added.push(id(skill)),
                Some(old) if old.digest() != skill.digest() => self.changed.push(id(skill)),
                Some(_) => {}
            }
        }
        let gone = before
            .iter()
            .filter(|skill| now.by_name(skill.name()).is_none());
        self.removed.extend(gone.map(id));
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
    fn qualified(&self) -> String {
        format!("{}:{}", self.source, self.name)
    }
}

impl Version<'_> {
    fn is_changed(&self, now: &Self) -> bool {
        self.is_trusted != now.is_trusted
            || !Arc::ptr_eq(self.skill, now.skill) && self.skill.has_changed(now.skill)
    }
}

fn skills(catalog: &Catalog) -> Vec<(Identity<'_>, Version<'_>)> {
    let mut skills = Vec::new();
    for source in catalog.sources() {
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
