//! Reads the changed files, and reports the differences.

use crate::bundle::{Baked, Bundle};
use crate::catalog::Catalog;
use crate::catalog::builder::CatalogBuilder;
use crate::source::folder::FolderSkill;
use crate::source::{Changes, Content, Source};
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
        let (old, now) = (versions(before), versions(self));
        for (key, skill) in &now {
            match old.binary_search_by(|(old, _)| old.cmp(key)) {
                Err(_) => changes.added.push(qualified(key)),
                Ok(at) if is_changed(old[at].1, *skill) => changes.changed.push(qualified(key)),
                Ok(_) => {}
            }
        }
        for (key, _) in &old {
            if now.binary_search_by(|(now, _)| now.cmp(key)).is_err() {
                changes.removed.push(qualified(key));
            }
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
            ids.sort_unstable();
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

/// The identity of a skill across a reload: source, name and folder. A source can have a name twice. The folder is its
/// written path: comparing a `Path` looks at each of its parts.
type Key<'c> = (&'c str, &'c str, &'c OsStr);

/// A skill before or after a reload, and whether it is trusted.
type Version<'c> = (&'c Arc<FolderSkill>, bool);

fn qualified((source, name, _): &Key<'_>) -> String {
    format!("{source}:{name}")
}

fn is_changed((old, was_trusted): Version<'_>, (now, is_trusted): Version<'_>) -> bool {
    was_trusted != is_trusted || !Arc::ptr_eq(old, now) && old.has_changed(now)
}

/// Returns the skills of folders, sorted by their keys.
fn versions(catalog: &Catalog) -> Vec<(Key<'_>, Version<'_>)> {
    let mut versions = Vec::new();
    for source in catalog.sources() {
        if let Content::Folders(folders) = &source.content {
            for (index, skill) in folders.skills.iter().enumerate() {
                let key = (&*source.name, &*skill.name, skill.dir.as_os_str());
                versions.push((key, (skill, source.trust.of(index).is_trusted())));
            }
        }
    }
    versions.sort_unstable_by_key(|(key, _)| *key);
    versions
}
