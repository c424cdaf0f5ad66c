//! Bundles that are read from their folder while the program runs. Only debug builds have this chapter.

use crate::bundle::folder::{Dir, DirEntry, File};
use crate::bundle::tables::{self, HIGH, Parts, SkillParts};
use crate::bundle::version::{Site, Version};
use crate::bundle::{Bundle, SkillRef};
use skills_arguments::Schema;
use skills_format::{Digest, Fields, Skill, command_base, estimate_tokens, join};
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

/// A skill that was read from the folder.
pub(crate) struct ReadSkill<'t> {
    /// The folder of the skill, relative to the folder of the bundle.
    pub(crate) dir: &'t str,
    pub(crate) skill: Skill,
    pub(crate) schema: Option<Schema>,
    /// The path of each file, relative to `dir`, and its bytes, in order of the paths.
    pub(crate) files: Vec<(&'t str, &'t [u8])>,
}

/// The contents of files and the bundles that were read, for as long as the program runs: a [`SkillRef`] is valid
/// for ever. Equal contents, and equal versions of a bundle, are kept once.
static KEPT: Mutex<Kept> = Mutex::new(Kept {
    files: BTreeMap::new(),
    bundles: BTreeMap::new(),
});

struct Kept {
    files: BTreeMap<[u8; 32], &'static [u8]>,
    /// By folder and digest.
    bundles: BTreeMap<(PathBuf, [u8; 32]), &'static Bundle>,
}

/// Makes a bundle of skills that is valid for ever. `skills` are in order of names. No skill of it is sealed: sealed skills
/// keep names from a person's own skills, which only the program that was built may do.
pub(crate) fn keep(
    baked: &'static Bundle,
    folder: &Path,
    skills: &[ReadSkill<'_>],
) -> &'static Bundle {
    // After a panic the maps are whole: an item is inserted when it is complete.
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let mut files: Vec<(String, u64, Digest)> = Vec::new();
    for skill in skills {
        let digested = skill
            .files
            .iter()
            .map(|(path, bytes)| (join(skill.dir, path), length(bytes), Digest::of(bytes)));
        files.extend(digested);
    }
    files.sort_by(|(a, ..), (b, ..)| a.as_bytes().cmp(b.as_bytes()));
    let digest = Digest::of_files(
        files
            .iter()
            .map(|(path, length, digest)| (path.as_str(), *length, *digest)),
    );
    let key = (folder.to_owned(), digest.0);
    if let Some(bundle) = kept.bundles.get(&key) {
        return bundle;
    }
    let bundle = Building::default().bundle(baked, &key, skills, &mut kept.files);
    kept.bundles.insert(key, bundle);
    bundle
}

fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

fn number(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(HIGH - 1).min(HIGH - 1)
}

/// The tables of a bundle that is being made.
#[derive(Default)]
struct Building {
    text: String,
    entries: Vec<DirEntry<'static>>,
    fields: Vec<Fields>,
    schemas: Vec<Schema>,
    digests: Vec<u8>,
}

impl Building {
    fn bundle(
        mut self,
        baked: &'static Bundle,
        (folder, digest): &(PathBuf, [u8; 32]),
        skills: &[ReadSkill<'_>],
        kept: &mut BTreeMap<[u8; 32], &'static [u8]>,
    ) -> &'static Bundle {
        let mut keys: BTreeMap<&str, u32> = BTreeMap::new();
        for (index, skill) in skills.iter().enumerate() {
            keys.entry(skill.skill.name.as_str())
                .or_insert(number(index));
        }
        // After all names: a name overrides an alias.
        for (index, skill) in skills.iter().enumerate() {
            for alias in skill.skill.fields.aliases.iter() {
                keys.entry(alias).or_insert(number(index) | HIGH);
            }
        }
        let keys: Vec<_> = keys
            .iter()
            .map(|(key, number)| (&*String::leak((*key).to_owned()), *number))
            .collect();
        let rows: Vec<SkillParts> = skills.iter().map(|skill| self.skill(skill, kept)).collect();
        let sealed = baked
            .iter()
            .filter(|skill| skill.sealed())
            .map(SkillRef::name)
            .collect();
        let parts = Parts {
            map: phf::Map::new(),
            skills: Vec::leak(rows),
            text: String::leak(self.text),
            entries: Vec::leak(self.entries),
            fields: Vec::leak(self.fields),
            schemas: Vec::leak(self.schemas),
            digests: Vec::leak(self.digests),
            digest: *digest,
            budget: baked.parts.budget,
        };
        Box::leak(Box::new(Bundle {
            parts,
            version: Version::Read {
                folder: Box::leak(folder.as_path().into()),
                keys: Vec::leak(keys),
                sealed: Vec::leak(sealed),
            },
        }))
    }

    fn skill(
        &mut self,
        read: &ReadSkill<'_>,
        kept: &mut BTreeMap<[u8; 32], &'static [u8]>,
    ) -> SkillParts {
        let ReadSkill {
            dir,
            skill,
            schema,
            files,
        } = read;
        let all = files
            .iter()
            .map(|(path, bytes)| (*path, length(bytes), Digest::of(bytes)));
        let all: Vec<_> = all.collect();
        let first = number(self.digests.len() / 32);
        self.digests.extend(Digest::of_files(all.iter().copied()).0);
        let is_entry = |path: &str| path == "SKILL.md";
        // The `SKILL.md` first, then the other files.
        let entry = all.iter().filter(|(path, ..)| is_entry(path));
        let others = all.iter().filter(|(path, ..)| !is_entry(path));
        self.digests
            .extend(entry.chain(others).flat_map(|(.., digest)| digest.0));
        let content = |kept: &mut BTreeMap<[u8; 32], &'static [u8]>, bytes: &[u8]| {
            *kept
                .entry(Digest::of(bytes).0)
                .or_insert_with(|| Vec::leak(bytes.to_owned()))
        };
        let mut raw = "";
        let mut others: Vec<(&'static str, &'static [u8])> = Vec::new();
        for (path, bytes) in files {
            let bytes = content(kept, bytes);
            if is_entry(path) {
                // A skill that was read is UTF-8.
                raw = std::str::from_utf8(bytes).unwrap_or("");
            } else {
                others.push((String::leak((*path).to_owned()), bytes));
            }
        }
        let start = self.entries.len();
        let top = entries(&others, 0);
        self.entries.extend(top);
        let (front_matter, hole) = skill.front_matter.cut_texts();
        let (values, values_hole) = skill.front_matter.cut_values();
        let fields = if skill.fields == Fields::NONE {
            0
        } else {
            self.fields.push(skill.fields.clone());
            number(self.fields.len())
        };
        self.schemas.extend(schema.clone());
        let places = [
            self.push(skill.name.as_str()),
            self.push(&skill.description),
            self.push(&skill.body),
            self.push(&front_matter),
            self.push(&values),
            self.push(&command_base(skill.name.as_str())),
            self.push(dir),
        ];
        let numbers = [
            hole.map_or(u32::MAX, number),
            values_hole.map_or(u32::MAX, number),
            number(start),
            number(self.entries.len() - start),
            fields,
            if schema.is_some() {
                number(self.schemas.len())
            } else {
                0
            },
            first,
            number(estimate_tokens(&skill.body)),
        ];
        tables::skill(raw, places, numbers)
    }

    fn push(&mut self, text: &str) -> [u32; 2] {
        let place = [number(self.text.len()), number(text.len()) | HIGH];
        self.text.push_str(text);
        place
    }
}

/// Makes the entries of a folder whose path has `prefix` bytes. The files are in order of their paths.
fn entries(files: &[(&'static str, &'static [u8])], prefix: usize) -> Vec<DirEntry<'static>> {
    let folder = |path: &'static str| {
        let slash = path.get(prefix..)?.find('/')?;
        path.get(..prefix + slash)
    };
    let mut all = Vec::new();
    for part in files.chunk_by(|(a, _), (b, _)| folder(a).is_some() && folder(a) == folder(b)) {
        let Some((path, bytes)) = part.first() else {
            continue;
        };
        all.push(match folder(path) {
            Some(folder) => {
                let inner = entries(part, folder.len() + 1);
                DirEntry::Dir(Dir::new(folder, Vec::leak(inner)))
            }
            None => DirEntry::File(File::new(path, bytes)),
        });
    }
    all
}
