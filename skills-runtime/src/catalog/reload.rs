//! Reads the changed files, and reports the differences.

use crate::bundle::{Baked, Bundle};
use crate::catalog::Catalog;
use crate::catalog::builder::CatalogBuilder;
use crate::catalog::index::Hasher;
use crate::source::folder::FolderSkill;
use crate::source::{Changes, Content, Source};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::sync::Arc;

impl Catalog {
    /// Makes a new catalog from the files that are now on disk, with the same decisions and facts. This catalog does not
    /// change.
    ///
    /// # Cost
    ///
    /// Reads every folder, and each `SKILL.md` whose path, length, time or inode changed. If the catalog
    /// was not made [`reloadable`](crate::CatalogBuilder::reloadable), the first reload reads every
    /// `SKILL.md`.
    #[must_use]
    pub fn reload(&self) -> Self {
        self.reload_as(self.loader().clone())
    }

    pub(crate) fn reload_as(&self, mut builder: CatalogBuilder) -> Self {
        builder.options.stamps = true;
        builder.read(self.sources())
    }

    /// Compares this catalog with an earlier one, by the qualified ids of skills. A skill is changed if its `SKILL.md`,
    /// its `arguments.schema.json` or its trust differs. The other files of a skill of a folder are read when the model
    /// asks for them, and change nothing here. A bundled skill that is read from its folder (feature `hot`) changes with
    /// any of its files.
    pub fn changes_since(&self, before: &Self) -> Changes {
        let mut changes = Changes::default();
        let (old, now) = (skills(before), skills(self));
        let known: HashMap<_, _, Hasher> = old.iter().map(|(id, skill)| (id, skill)).collect();
        for (id, skill) in &now {
            match known.get(id) {
                None => changes.added.push(id.qualified()),
                Some(old) if old.is_changed(skill) => changes.changed.push(id.qualified()),
                Some(_) => {}
            }
        }
        let kept: HashMap<_, _, Hasher> = now.iter().map(|(id, skill)| (id, skill)).collect();
        for (id, _) in old.iter().filter(|(id, _)| !kept.contains_key(id)) {
            changes.removed.push(id.qualified());
        }
        for source in self.sources() {
            let before = before.sources().iter().find(|it| it.name == source.name);
            if let (Some(before), Some(now)) = (before.and_then(Source::bundle), source.bundle()) {
                changes.compare_bundles(&source.name, before, now);
            }
        }
        for ids in [
            &mut changes.added,
            &mut changes.changed,
            &mut changes.removed,
        ] {
            ids.sort();
            ids.dedup();
        }
        changes
    }
}

impl Changes {
    /// Compares two versions of a bundle: a builder can bring another.
    fn compare_bundles(&mut self, source: &str, before: &'static Bundle, now: &'static Bundle) {
        if std::ptr::eq(before, now) {
            return;
        }
        let id = |skill: Baked| format!("{source}:{}", skill.name());
        for skill in now.baked() {
            match before.by_name(skill.name()) {
                None => self.added.push(id(skill)),
                Some(old) if old.digest() != skill.digest() => self.changed.push(id(skill)),
                Some(_) => {}
            }
        }
        let gone = before
            .baked()
            .filter(|skill| now.by_name(skill.name()).is_none());
        self.removed.extend(gone.map(id));
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
                source: &source.name,
                name: &skill.name,
                dir: skill.dir.as_os_str(),
            };
            let is_trusted = source.trust.of(index).is_trusted();
            skills.push((identity, Version { skill, is_trusted }));
        }
    }
    skills
}
