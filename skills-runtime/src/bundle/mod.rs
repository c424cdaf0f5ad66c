//! Skills that are part of the program. A perfect hash finds a skill; nothing is parsed or copied.

pub(crate) mod baked;
pub(crate) mod extract;
pub(crate) mod folder;
pub(crate) mod tables;

use crate::bundle::tables::{HIGH, Parts};
use skills_format::Digest;
use std::fmt;

/// The skills of one folder, checked and baked at compile time by `include_skills!`.
///
/// # Cost
///
/// A `static` of this type costs nothing at start: it parses, allocates and reads nothing.
///
/// ```
/// use skills_runtime::{Bundle, include_skills};
///
/// static SKILLS: Bundle = include_skills!("tests/bundled");
///
/// let skill = SKILLS.get("code-review").expect("a skill of the folder");
/// assert_eq!(skill.description(), "Reviews a change. Use before a merge.");
/// assert_eq!(SKILLS.iter().count(), 2);
/// ```
pub struct Bundle {
    pub(crate) parts: Parts,
    /// The folder of the manifest, and the folder of the skills below it. Only `__hot` sets it.
    pub(crate) site: Option<(&'static str, &'static str)>,
}

impl Bundle {
    /// Returns the number of a name or an alias in the tables.
    #[inline]
    fn number(&self, name: &str) -> Option<u32> {
        self.parts.map.get(name).copied()
    }

    /// Finds the skill with this name or alias.
    #[inline]
    pub(crate) fn found(&'static self, name: &str) -> Option<Baked> {
        Some(Baked::new(self, self.number(name)? & !HIGH))
    }

    /// Finds the skill with this name. Aliases do not count.
    pub(crate) fn by_name(&'static self, name: &str) -> Option<Baked> {
        let number = self.number(name)?;
        (number & HIGH == 0).then_some(Baked::new(self, number))
    }

    /// Finds the skill with this alias. Names do not count.
    pub(crate) fn by_alias(&'static self, alias: &str) -> Option<Baked> {
        let number = self.number(alias)?;
        (number & HIGH != 0).then_some(Baked::new(self, number & !HIGH))
    }

    /// Returns the skill at an index, which is less than the length, in order of names.
    pub(crate) fn at(&'static self, index: usize) -> Baked {
        Baked::new(self, u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// Iterates over every skill, in order of names.
    pub(crate) fn baked(&'static self) -> impl Iterator<Item = Baked> + Clone {
        (0..self.len()).map(move |index| self.at(index))
    }

    /// Returns the number of skills.
    pub(crate) const fn len(&self) -> usize {
        self.parts.skills.len()
    }

    /// Returns the SHA-256 over the paths, lengths and digests of all files.
    pub(crate) const fn digest(&self) -> Digest {
        Digest(self.parts.digest)
    }
}

impl fmt::Debug for Bundle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bundle")
            .field("skills", &self.len())
            .field("site", &self.site)
            .finish_non_exhaustive()
    }
}

/// A skill in the tables of a bundle.
#[derive(Clone, Copy)]
pub(crate) struct Baked {
    bundle: &'static Bundle,
    /// Less than the bundle's length, because only the bundle and generated code make this value.
    pub(crate) number: u32,
}

impl Baked {
    pub(crate) const fn new(bundle: &'static Bundle, number: u32) -> Self {
        Self { bundle, number }
    }
}

impl PartialEq for Baked {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.bundle, other.bundle) && self.number == other.number
    }
}

impl fmt::Debug for Baked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Baked").field(&self.name()).finish()
    }
}
