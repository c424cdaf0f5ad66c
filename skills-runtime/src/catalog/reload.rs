//! Reads again what changed, and says what that was.

use crate::catalog::builder::Loaded;
use crate::catalog::{Catalog, Merged};
use crate::source::Content;
use crate::source::folder::FolderSkill;
use skills_format::Diagnostic;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// A catalog that was read again, and what is different.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reloaded {
    /// What a fresh load would give.
    pub catalog: Catalog,
    /// What a fresh load would tell.
    pub diagnostics: Vec<Diagnostic>,
    /// Qualified ids of skills that were not there before, sorted.
    pub added: Vec<String>,
    /// Those of skills whose files changed, or whose trust did, sorted.
    pub changed: Vec<String>,
    /// Those of skills that are gone, sorted.
    pub removed: Vec<String>,
}

impl Reloaded {
    /// Whether no skill is another than before.
    pub fn is_unchanged(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }
}

impl Catalog {
    /// Reads again what changed on disk: files with another path, length, time or inode. This
    /// catalog stays as it is; state and facts are taken over.
    ///
    /// Where the catalog was not made [`reloadable`](crate::CatalogBuilder::reloadable), this first
    /// reload reads every file; the ones after it only what changed.
    pub fn reload(&self) -> Reloaded {
        let builder = self.merged().builder.clone().reloadable();
        let (merged, diagnostics) = builder.read(self.sources());
        let (before, now) = (skills(self.merged()), skills(&merged));
        let mut difference = Difference::default();
        for (place, skill) in &now {
            match before.get(place) {
                None => difference.added.insert(place.id()),
                Some(old) if old.is_changed(skill) => difference.changed.insert(place.id()),
                Some(_) => continue,
            };
        }
        for place in before.keys().filter(|place| !now.contains_key(place)) {
            difference.removed.insert(place.id());
        }
        let Difference {
            added,
            changed,
            removed,
        } = difference;
        let catalog = Catalog::new(merged, self.state().clone(), self.facts().cloned());
        Reloaded {
            catalog,
            diagnostics,
            added: added.into_iter().collect(),
            changed: changed.into_iter().collect(),
            removed: removed.into_iter().collect(),
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

/// What makes a skill the same one before and after.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Place<'c> {
    source: &'c str,
    name: &'c str,
    dir: &'c Path,
}

struct Version<'c> {
    skill: &'c Arc<FolderSkill>,
    is_trusted: bool,
}

impl Place<'_> {
    fn id(&self) -> String {
        format!("{}:{}", self.source, self.name)
    }
}

impl Version<'_> {
    fn is_changed(&self, now: &Self) -> bool {
        let is_other_file = match (self.skill.seen, now.skill.seen) {
            (Some(before), Some(now)) => before.is_other(&now),
            _ => false,
        };
        self.is_trusted != now.is_trusted
            || !Arc::ptr_eq(self.skill, now.skill)
                && (is_other_file || !self.skill.says_the_same(now.skill))
    }
}

fn skills(merged: &Merged) -> BTreeMap<Place<'_>, Version<'_>> {
    let mut skills = BTreeMap::new();
    for source in &merged.sources {
        let Content::Folders(folders) = &source.content else {
            continue;
        };
        for skill in &folders.skills {
            let place = Place {
                source: source.name(),
                name: &skill.name,
                dir: &skill.dir,
            };
            let is_trusted = source.is_trusted();
            skills.insert(place, Version { skill, is_trusted });
        }
    }
    skills
}
