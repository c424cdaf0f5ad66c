//! Skills that are part of the program: found by a perfect hash, never parsed, never copied.

use include_dir::{Dir, DirEntry};
use skills_format::Fields;
use std::fmt;

/// The schema of the tables that `include_skills!` writes. A table of another one does not compile.
pub const SCHEMA: u32 = 1;

/// The skills of one folder, checked and baked at compile time by `include_skills!`.
///
/// A `static` of this type costs nothing at start: no parsing, no allocation, no file.
pub struct Bundle {
    parts: Parts,
}

/// What the generated code fills in.
#[doc(hidden)]
pub struct Parts {
    /// Names and aliases to indices into `skills`; an alias has [`ALIAS`] set.
    pub map: phf::Map<&'static str, u32>,
    /// Sorted by name.
    pub skills: &'static [SkillParts],
    /// SHA-256 of every file, skill by skill, the `SKILL.md` first, then the resources in the order of their paths.
    pub file_digests: &'static [[u8; 32]],
    pub digest: [u8; 32],
    /// `budget` of `skills.toml`, 0 when it is not given.
    pub budget: u32,
}

/// Marks an alias among the values of the map.
#[doc(hidden)]
pub const ALIAS: u32 = 1 << 31;

/// One skill, with four pointers: each pointer is a relocation that the loader has to make.
#[doc(hidden)]
pub struct SkillParts {
    /// The `SKILL.md` as it is.
    pub raw: &'static str,
    /// What is needed and does not stand in `raw` to the letter.
    pub text: &'static str,
    pub name: Slice,
    pub description: Slice,
    pub body: Slice,
    /// The front matter as JSON, without the description's text at `hole`.
    pub front_matter: Slice,
    /// Where in `front_matter` the description's JSON string goes; `u32::MAX`: it is whole.
    pub hole: u32,
    /// The folder relative to the bundle's.
    pub dir: Slice,
    /// Absent when nothing beyond name and description is said.
    pub fields: Option<&'static Fields>,
    pub resources: Dir<'static>,
    /// The skill's first entry in `file_digests`.
    pub first_digest: u32,
    pub digest: [u8; 32],
    /// Estimated tokens of the body.
    pub tokens: u32,
    pub sealed: bool,
}

/// A part of `raw`, or of `text`.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Slice {
    start: u32,
    /// The highest bit: in `text`.
    len: u32,
}

impl Slice {
    /// Bytes of `raw`.
    pub const fn raw(start: u32, len: u32) -> Self {
        Self { start, len }
    }

    /// Bytes of `text`.
    pub const fn text(start: u32, len: u32) -> Self {
        Self {
            start,
            len: len | ALIAS,
        }
    }
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
            index: index & !ALIAS,
        })
    }

    /// The skill of exactly this name.
    pub fn by_name(&'static self, name: &str) -> Option<SkillRef> {
        let index = *self.parts.map.get(name)?;
        (index & ALIAS == 0).then_some(SkillRef {
            bundle: self,
            index,
        })
    }

    /// The skill that has this alias.
    pub fn by_alias(&'static self, alias: &str) -> Option<SkillRef> {
        let index = *self.parts.map.get(alias)?;
        (index & ALIAS != 0).then_some(SkillRef {
            bundle: self,
            index: index & !ALIAS,
        })
    }

    /// Every skill, in order of names.
    pub fn iter(&'static self) -> impl ExactSizeIterator<Item = SkillRef> + Clone {
        (0..u32::try_from(self.len()).unwrap_or(u32::MAX)).map(move |index| SkillRef {
            bundle: self,
            index,
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
    pub const fn digest(&self) -> &[u8; 32] {
        &self.parts.digest
    }

    /// `budget` of `skills.toml`: the characters that the catalog text may have.
    pub const fn budget(&self) -> Option<u32> {
        if self.parts.budget == 0 {
            None
        } else {
            Some(self.parts.budget)
        }
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
        self.parts().fields.unwrap_or(&NONE)
    }

    /// The whole front matter as JSON, keys in the order written. Puts together one string.
    pub fn front_matter(self) -> String {
        let json = self.slice(self.parts().front_matter);
        let hole = usize::try_from(self.parts().hole).unwrap_or(usize::MAX);
        match (json.get(..hole), json.get(hole..)) {
            (Some(before), Some(after)) => {
                let mut text = String::with_capacity(json.len() + self.description().len() + 8);
                text.push_str(before);
                push_json_string(&mut text, self.description());
                text.push_str(after);
                text
            }
            _ => json.to_owned(),
        }
    }

    /// The skill's folder relative to the bundle's, with `/`.
    pub fn dir(self) -> &'static str {
        self.slice(self.parts().dir)
    }

    /// The files beside the `SKILL.md`.
    pub fn resources(self) -> &'static Dir<'static> {
        &self.parts().resources
    }

    /// Every file with its path, bytes and SHA-256, the `SKILL.md` first.
    pub fn files(self) -> impl Iterator<Item = BundledFile> {
        let first = usize::try_from(self.parts().first_digest).unwrap_or(usize::MAX);
        let mut files = vec![("SKILL.md", self.raw().as_bytes())];
        collect(self.resources(), &mut files);
        let digests = self
            .bundle
            .parts
            .file_digests
            .get(first..)
            .unwrap_or_default();
        files
            .into_iter()
            .zip(digests)
            .map(|((path, bytes), digest)| BundledFile {
                path,
                bytes,
                digest,
            })
    }

    /// SHA-256 over the paths, lengths and digests of its files.
    pub fn digest(self) -> &'static [u8; 32] {
        &self.parts().digest
    }

    /// Estimated tokens of the body.
    pub fn tokens(self) -> u32 {
        self.parts().tokens
    }

    /// Whether no folder's skill may shadow it.
    pub fn sealed(self) -> bool {
        self.parts().sealed
    }

    pub(crate) fn index(self) -> usize {
        usize::try_from(self.index).unwrap_or(usize::MAX)
    }

    fn parts(self) -> &'static SkillParts {
        &self.bundle.parts.skills[self.index()]
    }

    fn slice(self, Slice { start, len }: Slice) -> &'static str {
        let parts = self.parts();
        let (text, len) = if len & ALIAS == 0 {
            (parts.raw, len)
        } else {
            (parts.text, len & !ALIAS)
        };
        let start = usize::try_from(start).unwrap_or(usize::MAX);
        let end = start.saturating_add(usize::try_from(len).unwrap_or(usize::MAX));
        text.get(start..end).unwrap_or_default()
    }
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
    pub digest: &'static [u8; 32],
}

fn collect(dir: &'static Dir<'static>, files: &mut Vec<(&'static str, &'static [u8])>) {
    for entry in dir.entries() {
        match entry {
            DirEntry::Dir(dir) => collect(dir, files),
            DirEntry::File(file) => {
                files.push((file.path().to_str().unwrap_or_default(), file.contents()))
            }
        }
    }
}

/// Appends a JSON string, escaped as serde_json does.
fn push_json_string(json: &mut String, text: &str) {
    json.push('"');
    for c in text.chars() {
        match c {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            '\u{8}' => json.push_str("\\b"),
            '\u{c}' => json.push_str("\\f"),
            c if c < ' ' => json.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => json.push(c),
        }
    }
    json.push('"');
}
