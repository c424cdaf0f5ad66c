//! Skills that are part of the program: found by a perfect hash, never parsed, never copied.

pub(crate) mod bake;
#[cfg(feature = "discover")]
pub(crate) mod extract;
pub(crate) mod manifest;
pub(crate) mod tables;

use crate::bundle::tables::{HIGH, Parts, SkillParts, Slice};
use include_dir::{Dir, DirEntry};
use skills_format::text::escape::push_json_text;
use skills_format::{Digest, Fields, insert_description};
use std::fmt;
use std::ops::Range;

/// The skills of one folder, checked and baked at compile time by `include_skills!`.
///
/// A `static` of this type costs nothing at start: no parsing, no allocation, no file.
pub struct Bundle {
    parts: Parts,
}

impl Bundle {
    #[doc(hidden)]
    pub const fn new(parts: Parts) -> Self {
        Self { parts }
    }

    /// The skill of this name or alias: one hash, one comparison, about 20 ns.
    pub fn get(&'static self, name: &str) -> Option<SkillRef> {
        self.parts.map.get(name).map(|index| SkillRef {
            bundle: self,
            index: index & !HIGH,
        })
    }

    /// The skill of exactly this name.
    pub fn by_name(&'static self, name: &str) -> Option<SkillRef> {
        let index = *self.parts.map.get(name)?;
        (index & HIGH == 0).then_some(SkillRef {
            bundle: self,
            index,
        })
    }

    /// The skill that has this alias.
    pub fn by_alias(&'static self, alias: &str) -> Option<SkillRef> {
        let index = *self.parts.map.get(alias)?;
        (index & HIGH != 0).then_some(SkillRef {
            bundle: self,
            index: index & !HIGH,
        })
    }

    /// Every skill, in order of names.
    pub fn iter(&'static self) -> impl ExactSizeIterator<Item = SkillRef> + Clone {
        (0..u32::try_from(self.len()).unwrap_or(u32::MAX)).map(move |index| SkillRef {
            bundle: self,
            index,
        })
    }

    /// The skill of an index, in order of names.
    pub(crate) fn at(&'static self, index: usize) -> Option<SkillRef> {
        let number = u32::try_from(index).ok()?;
        (index < self.len()).then_some(SkillRef {
            bundle: self,
            index: number,
        })
    }

    /// How many skills it holds.
    pub const fn len(&self) -> usize {
        self.parts.skills.len()
    }

    /// Whether it holds none.
    pub const fn is_empty(&self) -> bool {
        self.parts.skills.is_empty()
    }

    /// SHA-256 over the paths, lengths and digests of all files.
    pub const fn digest(&self) -> Digest {
        Digest(self.parts.digest)
    }

    /// `budget` of `skills.toml`: the characters that the catalog text may have.
    pub const fn budget(&self) -> Option<u32> {
        if self.parts.budget == 0 {
            None
        } else {
            Some(self.parts.budget)
        }
    }

    /// A bundle with no skill: what the macro expands to beside its errors.
    #[doc(hidden)]
    pub const fn empty() -> Self {
        Self::new(Parts {
            map: phf::Map::new(),
            skills: &[],
            text: "",
            entries: &[],
            fields: &[],
            digests: &[],
            digest: [0; 32],
            budget: 0,
        })
    }
}

impl fmt::Debug for Bundle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bundle")
            .field("skills", &self.len())
            .finish_non_exhaustive()
    }
}

/// A skill of a bundle: a pointer and an index, `Copy`.
#[derive(Clone, Copy)]
pub struct SkillRef {
    bundle: &'static Bundle,
    index: u32,
}

impl SkillRef {
    #[doc(hidden)]
    pub const fn new(bundle: &'static Bundle, index: u32) -> Self {
        Self { bundle, index }
    }

    /// What it answers to.
    pub fn name(self) -> &'static str {
        self.slice(self.parts().name)
    }

    /// What it does and when to use it.
    pub fn description(self) -> &'static str {
        self.slice(self.parts().description)
    }

    /// The instructions, with LF line ends.
    pub fn body(self) -> &'static str {
        self.slice(self.parts().body)
    }

    /// The `SKILL.md` byte for byte.
    pub fn raw(self) -> &'static str {
        self.parts().raw
    }

    /// What the front matter says beyond name and description, typed.
    pub fn fields(self) -> &'static Fields {
        static NONE: Fields = Fields::NONE;
        let number = index(self.parts().fields).checked_sub(1);
        let fields = number.and_then(|number| self.bundle.parts.fields.get(number));
        fields.unwrap_or(&NONE)
    }

    /// The whole front matter as JSON, keys in the order written. Puts together one string.
    pub fn front_matter(self) -> String {
        let SkillParts {
            front_matter, hole, ..
        } = self.parts();
        let json = self.slice(*front_matter);
        if !json.is_empty() {
            return insert_description(json, Some(index(*hole)), self.description()).into_owned();
        }
        let mut text = String::with_capacity(self.name().len() + self.description().len() + 48);
        text.push_str("{\"name\":\"");
        push_json_text(&mut text, self.name());
        text.push_str("\",\"description\":\"");
        push_json_text(&mut text, self.description());
        text.push_str("\"}");
        text
    }

    /// The base of its slash command's name. Unique only after the merge of all sources.
    pub fn command(self) -> &'static str {
        self.slice(self.parts().command)
    }

    /// The skill's folder relative to the bundle's, with `/`.
    pub fn dir(self) -> &'static str {
        self.slice(self.parts().dir)
    }

    /// The files beside the `SKILL.md`, with paths relative to the skill's folder.
    pub fn resources(self) -> Dir<'static> {
        let [start, len] = self.parts().entries;
        let entries = self.bundle.parts.entries.get(range(start, len));
        Dir::new("", entries.unwrap_or_default())
    }

    /// Every file with its path, bytes and SHA-256: the `SKILL.md`, then the others in the order of
    /// their paths.
    pub fn files(self) -> impl Iterator<Item = BundledFile> {
        let mut files = vec![("SKILL.md", self.raw().as_bytes())];
        collect(self.resources().entries(), &mut files);
        let digests = self.digests().iter().skip(1);
        files
            .into_iter()
            .zip(digests)
            .map(|((path, bytes), digest)| BundledFile {
                path,
                bytes,
                digest: Digest(*digest),
            })
    }

    /// SHA-256 over the paths, lengths and digests of its files.
    pub fn digest(self) -> Digest {
        Digest(*self.digests().first().unwrap_or(&[0; 32]))
    }

    /// Estimated tokens of the body.
    pub fn tokens(self) -> u32 {
        self.parts().tokens & !HIGH
    }

    /// Whether no folder's skill may shadow it.
    pub fn sealed(self) -> bool {
        self.parts().tokens & HIGH != 0
    }

    pub(crate) fn index(self) -> usize {
        usize::try_from(self.index).unwrap_or(usize::MAX)
    }

    fn parts(self) -> &'static SkillParts {
        &self.bundle.parts.skills[self.index()]
    }

    fn slice(self, Slice { start, len }: Slice) -> &'static str {
        let text = if len & HIGH == 0 {
            self.parts().raw
        } else {
            self.bundle.parts.text
        };
        text.get(range(start, len & !HIGH)).unwrap_or_default()
    }

    /// Those of the skill and of its files, and all that follow.
    fn digests(self) -> &'static [[u8; 32]] {
        let (digests, _) = self.bundle.parts.digests.as_chunks();
        digests
            .get(index(self.parts().digests)..)
            .unwrap_or_default()
    }
}

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn range(start: u32, len: u32) -> Range<usize> {
    index(start)..index(start).saturating_add(index(len))
}

impl PartialEq for SkillRef {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.bundle, other.bundle) && self.index == other.index
    }
}

impl Eq for SkillRef {}

impl fmt::Debug for SkillRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SkillRef").field(&self.name()).finish()
    }
}

/// A file of a bundled skill.
#[derive(Clone, Copy, Debug)]
pub struct BundledFile {
    /// Relative to the skill's folder, with `/`.
    pub path: &'static str,
    /// Its content.
    pub bytes: &'static [u8],
    /// SHA-256 of its content.
    pub digest: Digest,
}

fn collect(entries: &'static [DirEntry<'static>], files: &mut Vec<(&'static str, &'static [u8])>) {
    for entry in entries {
        match entry {
            DirEntry::Dir(dir) => collect(dir.entries(), files),
            DirEntry::File(file) => {
                files.push((file.path().to_str().unwrap_or_default(), file.contents()));
            }
        }
    }
}
