//! Bundles that are read from their folder while the program runs. Only debug builds have this chapter.

use crate::bundle::Bundle;
use crate::bundle::folder::{Dir, DirEntry, File};
use crate::bundle::tables::{self, Parts, SkillParts};
use crate::bundle::version::{Site, Version};
use skills_compiler::BundleModel;
use skills_compiler::tables::{Entry, HIGH, Row, Tables, TooLarge};
use skills_format::{Digest, Fields, Schema, join};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

impl Bundle {
    /// Notes the folder of the bundle.
    #[doc(hidden)]
    #[must_use]
    pub const fn __noted(mut self, site: Site) -> Self {
        self.version = Version::Baked(Some(site));
        self
    }

    /// Returns the noted folder of a baked bundle.
    pub(crate) fn site(&self) -> Option<Site> {
        match self.version {
            Version::Baked(site) => site,
            Version::Read { .. } => None,
        }
    }
}

/// The contents of files and the bundles that were read, for as long as the program runs: a [`SkillRef`] is valid
/// for ever. Equal contents, and equal versions of a bundle, are kept once.
///
/// [`SkillRef`]: crate::bundle::SkillRef
static KEPT: Mutex<Kept> = Mutex::new(Kept {
    files: BTreeMap::new(),
    bundles: BTreeMap::new(),
});

struct Kept {
    files: BTreeMap<[u8; 32], &'static [u8]>,
    bundles: BTreeMap<Key, &'static Bundle>,
}

/// The folder of a bundle, its digest, its budget, and the names of the skills that a build seals.
type Key = (PathBuf, [u8; 32], u32, Vec<String>);

/// Makes a bundle of checked skills that is valid for ever. No skill of it is sealed.
pub(crate) fn keep(folder: &Path, model: &BundleModel<'_>) -> Result<&'static Bundle, TooLarge> {
    // After a panic the maps are whole: an item is inserted when it is complete.
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let budget = model.budget.unwrap_or_default();
    let budget = u32::try_from(budget).unwrap_or(u32::MAX);
    let sealed = model.skills.iter().filter(|skill| skill.sealed);
    let sealed: Vec<String> = sealed.map(|skill| skill.skill.name.to_string()).collect();
    let version = (folder.to_owned(), model.digest.0, budget, sealed);
    if let Some(bundle) = kept.bundles.get(&version) {
        return Ok(bundle);
    }
    let tables = Tables::new(model)?;
    let bundle = bundle(&version, model, &tables, &mut kept);
    kept.bundles.insert(version, bundle);
    Ok(bundle)
}

fn bundle(
    (folder, digest, budget, sealed): &Key,
    model: &BundleModel<'_>,
    tables: &Tables<'_>,
    kept: &mut Kept,
) -> &'static Bundle {
    let mut files: BTreeMap<String, &'static [u8]> = BTreeMap::new();
    for skill in &model.skills {
        for file in &skill.files {
            let bytes = kept.content(file.digest, file.bytes);
            files.insert(join(skill.dir, file.path), bytes);
        }
    }
    // A folder is a slice of the next level, so the deepest level is made first.
    let mut entries: &'static [DirEntry<'static>] = &[];
    for level in tables.levels.iter().rev() {
        let next = entries;
        let level = level.iter().map(|entry| self::entry(entry, next, &files));
        entries = Vec::leak(level.collect());
    }
    let skills = tables.skills.iter().map(|row| self::skill(row, &files));
    let fields: Vec<Fields> = tables.fields.iter().copied().cloned().collect();
    let schemas: Vec<Schema> = tables.schemas.iter().copied().cloned().collect();
    let sealed = sealed.iter().map(|name| &*String::leak(name.clone()));
    let keys = tables.keys.iter();
    let keys = keys.map(|(key, number)| (&*String::leak(key.to_owned()), *number));
    let parts = Parts {
        map: phf::Map::new(),
        skills: Vec::leak(skills.collect()),
        text: String::leak(tables.text.clone()),
        entries,
        fields: Vec::leak(fields),
        schemas: Vec::leak(schemas),
        digests: Vec::leak(tables.digests.clone()),
        digest: *digest,
        budget: *budget,
    };
    Box::leak(Box::new(Bundle {
        parts,
        version: Version::Read {
            folder: Box::leak(folder.as_path().into()),
            keys: Vec::leak(keys.collect()),
            sealed: Vec::leak(sealed.collect()),
        },
    }))
}

impl Kept {
    fn content(&mut self, digest: Digest, bytes: &[u8]) -> &'static [u8] {
        let kept = self.files.entry(digest.0);
        kept.or_insert_with(|| Vec::leak(bytes.to_owned()))
    }
}

fn entry(
    entry: &Entry<'_>,
    next: &'static [DirEntry<'static>],
    files: &BTreeMap<String, &'static [u8]>,
) -> DirEntry<'static> {
    match *entry {
        Entry::File { dir, path, .. } => {
            let bytes = files.get(&join(dir, path)).copied();
            let path = String::leak(path.to_owned());
            DirEntry::File(File::new(path, bytes.unwrap_or_default()))
        }
        Entry::Dir { path, start, len } => {
            let entries = next.get(start..start + len).unwrap_or_default();
            DirEntry::Dir(Dir::new(String::leak(path.to_owned()), entries))
        }
    }
}

fn skill(row: &Row<'_>, files: &BTreeMap<String, &'static [u8]>) -> SkillParts {
    let raw = files.get(&join(row.dir, "SKILL.md")).copied();
    let raw = raw.and_then(|raw| std::str::from_utf8(raw).ok());
    SkillParts {
        // Sealed skills keep names from a person's own skills: only the program that was built may do so.
        tokens: row.tokens & !HIGH,
        ..tables::skill(raw.unwrap_or_default(), row.places(), row.numbers())
    }
}
