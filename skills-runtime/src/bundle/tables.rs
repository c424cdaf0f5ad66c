//! The tables that `include_skills!` writes: what a bundle is made of.

use include_dir::DirEntry;
use skills_format::Fields;

/// The schema of the tables that `include_skills!` writes. A table of another one does not compile.
pub const SCHEMA: u32 = 1;

/// What the generated code fills in.
///
/// Every pointer of a static is a relocation that the loader makes at start, so the skills share
/// these tables and refer to them by number.
#[doc(hidden)]
pub struct Parts {
    /// Names and aliases to indices into `skills`; an alias has [`HIGH`] set.
    pub map: phf::Map<&'static str, u32>,
    /// Sorted by name.
    pub skills: &'static [SkillParts],
    /// What is needed and does not stand in a `SKILL.md` to the letter.
    pub text: &'static str,
    /// What lies directly in the skills' folders, skill by skill.
    pub entries: &'static [DirEntry<'static>],
    /// The distinct fields of skills that say more than name and description.
    pub fields: &'static [Fields],
    /// SHA-256, 32 bytes each: of a skill, of its `SKILL.md`, of its resources in the order of
    /// their paths; then those of the next skill.
    pub digests: &'static [u8],
    pub digest: [u8; 32],
    /// `budget` of `skills.toml`, 0 when it is not given.
    pub budget: u32,
}

/// The highest bit: marks an alias among the values of the map, and slices of the bundle's text.
pub(crate) const HIGH: u32 = 1 << 31;

/// One skill, with one pointer.
#[doc(hidden)]
pub struct SkillParts {
    /// The `SKILL.md` as it is.
    pub raw: &'static str,
    pub name: Slice,
    pub description: Slice,
    pub body: Slice,
    /// The front matter as JSON, without the description's text at `hole`. Empty when it holds name
    /// and description, in this order, and no more.
    pub front_matter: Slice,
    /// Where in `front_matter` the description goes, escaped; `u32::MAX`: it is whole.
    pub hole: u32,
    /// The base of its slash command's name.
    pub command: Slice,
    /// The folder relative to the bundle's.
    pub dir: Slice,
    /// The first of its `entries`, and how many they are.
    pub entries: [u32; 2],
    /// Its `fields`, counted from 1; 0 when nothing beyond name and description is said.
    pub fields: u32,
    /// The place of its digest among `digests`; those of its files follow.
    pub digests: u32,
    /// Estimated tokens of the body. The highest bit: it is sealed.
    pub tokens: u32,
}

/// A part of a skill's `raw`, or of the bundle's `text`.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Slice {
    pub(crate) start: u32,
    /// The highest bit: in `text`.
    pub(crate) len: u32,
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
            len: len | HIGH,
        }
    }
}
