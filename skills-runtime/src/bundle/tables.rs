//! The contract with generated code: the tables that `include_skills!` writes, and the functions that
//! the generated code calls at compile time.

#![expect(
    clippy::missing_panics_doc,
    reason = "a panic of these functions is a compile error"
)]

use crate::bundle::folder::{Dir, DirEntry, File};
#[cfg(feature = "arguments")]
use skills_arguments::Schema;
use skills_format::Fields;

/// The version of the tables' layout. Tables with a different layout do not compile. Equal to `LAYOUT` in `emit.rs` of
/// skills-compiler: raise both.
pub const LAYOUT: u32 = 6;

/// The tables of a bundle, filled in by generated code.
///
/// Each pointer in a static is a relocation that the loader processes at start. Therefore all skills
/// share these tables and refer to them by number.
pub struct Parts {
    /// The indices into `skills` by name and alias; the index of an alias has `HIGH` set.
    pub map: phf::Map<&'static str, u32>,
    /// Sorted by name.
    pub skills: &'static [SkillParts],
    /// Text that does not occur verbatim in a `SKILL.md`.
    pub text: &'static str,
    /// The top entries of the skills' folders, skill by skill.
    pub entries: &'static [DirEntry<'static>],
    /// The distinct fields of skills that are sealed, or whose front matter contains more than name and description.
    pub fields: &'static [Fields],
    /// The typed arguments of the skills that have some.
    pub schemas: &'static [Schema],
    /// The SHA-256 of each skill, 32 bytes.
    pub digests: &'static [u8],
    /// The digest of the bundle.
    pub digest: [u8; 32],
}

/// The typed arguments of a skill: none without the feature `arguments`.
#[cfg(not(feature = "arguments"))]
pub enum Schema {}

/// The highest bit. It marks an alias among the values of the map, and a slice of the bundle's text.
pub(crate) const HIGH: u32 = 1 << 31;

/// One skill, with one pointer.
pub struct SkillParts {
    /// The `SKILL.md` as it is.
    pub raw: &'static str,
    /// The name.
    pub name: Slice,
    /// The description.
    pub description: Slice,
    /// The instructions.
    pub body: Slice,
    /// The front matter as JSON, without the description's text at `hole`. Empty if the front matter holds exactly a
    /// name and a description, in this order.
    pub front_matter: Slice,
    /// The offset of the escaped description in `front_matter`. `u32::MAX`: no text is left out.
    pub hole: u32,
    /// The skill's folder, relative to the bundle's.
    pub dir: Slice,
    /// The index of the skill's first entry in `entries`, and the number of entries.
    pub entries: [u32; 2],
    /// The number of the skill's fields in `fields`, counted from 1. 0: the front matter holds only name
    /// and description.
    pub fields: u32,
    /// The number of the skill's typed arguments in `schemas`, counted from 1. 0: the skill has no schema.
    pub schema: u32,
}

/// A part of a skill's `raw`, or of the bundle's `text`.
#[derive(Clone, Copy)]
pub struct Slice {
    pub(crate) start: u32,
    /// The length. The highest bit marks a slice of `text`.
    pub(crate) len: u32,
}

/// Makes the parts of a skill from its places, each a start and a length as in a `Slice`, and its numbers.
pub const fn skill(raw: &'static str, places: [[u32; 2]; 5], numbers: [u32; 5]) -> SkillParts {
    const fn slice([start, len]: [u32; 2]) -> Slice {
        Slice { start, len }
    }
    let [name, description, body, front_matter, dir] = places;
    let [hole, start, len, fields, schema] = numbers;
    SkillParts {
        raw,
        name: slice(name),
        description: slice(description),
        body: slice(body),
        front_matter: slice(front_matter),
        hole,
        dir: slice(dir),
        entries: [start, len],
        fields,
        schema,
    }
}

/// Rejects tables with a different layout.
pub const fn layout(written: u32) {
    assert!(
        written == LAYOUT,
        "skills-runtime and the skills-macros or skills-compiler that wrote this are of different versions"
    );
}

/// Makes the entry of a file. Rejects a file whose length has changed since the check.
pub const fn file(path: &'static str, contents: &'static [u8], len: usize) -> DirEntry<'static> {
    assert!(
        contents.len() == len,
        "a file of the skills changed while it was compiled: build again"
    );
    DirEntry::File(File::new(path, contents))
}

/// Makes the entry of a folder with `len` of the `entries`, from `start`.
pub const fn dir(
    path: &'static str,
    entries: &'static [DirEntry<'static>],
    start: usize,
    len: usize,
) -> DirEntry<'static> {
    let (_, rest) = entries.split_at(start);
    let (entries, _) = rest.split_at(len);
    DirEntry::Dir(Dir::new(path, entries))
}

/// Rejects a `SKILL.md` whose length has changed since the check.
pub const fn unchanged(skills: &[SkillParts], lengths: &[usize]) {
    assert!(skills.len() == lengths.len());
    let mut i = 0;
    while i < skills.len() {
        assert!(
            skills[i].raw.len() == lengths[i],
            "a SKILL.md changed while it was compiled: build again"
        );
        i += 1;
    }
}
