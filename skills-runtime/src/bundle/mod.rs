//! Skills that are part of the program. A perfect hash finds a skill; nothing is parsed or copied.

pub(crate) mod extract;
pub(crate) mod folder;
pub(crate) mod skill;
pub(crate) mod tables;

pub use skill::BundledFile;
pub use skills_format::{Digest, Fields, Text, ToolRule};

#[doc(hidden)]
pub use skills_format::{Requires, Spelling};

use crate::bundle::tables::{HIGH, Parts};
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
/// assert_eq!(SKILLS.len(), 2);
/// ```
pub struct Bundle {
    parts: Parts,
    /// The folder of the manifest, and the folder of the skills below it. Only `__hot` sets it.
    pub(crate) site: Option<(&'static str, &'static str)>,
}

impl Bundle {
    #[doc(hidden)]
    pub const fn new(parts: Parts) -> Self {
        Self { parts, site: None }
    }

    /// Notes the folder that the bundle is compiled from.
    #[doc(hidden)]
    #[must_use]
    pub const fn __of(mut self, manifest: &'static str, path: &'static str) -> Self {
        self.site = Some((manifest, path));
        self
    }

    /// Returns the number of a name or an alias in the tables.
    fn number(&self, name: &str) -> Option<u32> {
        self.parts.map.get(name).copied()
    }

    /// Finds the skill with this name or alias. Compares bytes.
    ///
    /// # Cost
    ///
    /// One hash and one comparison, about 20 ns. Allocates nothing.
    pub fn get(&'static self, name: &str) -> Option<SkillRef> {
        let index = self.number(name)?;
        Some(SkillRef::new(self, index & !HIGH))
    }

    /// Finds the skill with this name. Aliases do not count.
    // Hidden: only the packages of this repository use it.
    #[doc(hidden)]
    pub fn by_name(&'static self, name: &str) -> Option<SkillRef> {
        let index = self.number(name)?;
        (index & HIGH == 0).then_some(SkillRef::new(self, index))
    }

    /// Finds the skill with this alias. Names do not count.
    // Hidden: only the packages of this repository use it.
    #[doc(hidden)]
    pub fn by_alias(&'static self, alias: &str) -> Option<SkillRef> {
        let index = self.number(alias)?;
        (index & HIGH != 0).then_some(SkillRef::new(self, index & !HIGH))
    }

    /// Iterates over every skill, in order of names.
    pub fn iter(&'static self) -> Skills {
        Skills {
            bundle: self,
            left: 0..self.len(),
        }
    }

    /// Returns the skill at an index, in order of names.
    pub(crate) fn at(&'static self, index: usize) -> Option<SkillRef> {
        let number = u32::try_from(index).ok()?;
        (index < self.len()).then_some(SkillRef::new(self, number))
    }

    /// Returns the number of skills.
    pub const fn len(&self) -> usize {
        self.parts.skills.len()
    }

    /// Returns whether the bundle has no skill.
    pub const fn is_empty(&self) -> bool {
        self.parts.skills.is_empty()
    }

    /// Returns the SHA-256 over the paths, lengths and digests of all files.
    pub const fn digest(&self) -> Digest {
        Digest(self.parts.digest)
    }

    /// Returns the `budget` of `skills.toml`: the maximum number of characters of the catalog text.
    pub const fn budget(&self) -> Option<u32> {
        if self.parts.budget == 0 {
            None
        } else {
            Some(self.parts.budget)
        }
    }

    /// Returns a bundle without skills. The macro expands to this call beside its compile errors, so
    /// that rustc reports no further error about a missing value.
    #[doc(hidden)]
    pub const fn empty() -> Self {
        Self::new(Parts {
            map: phf::Map::new(),
            skills: &[],
            text: "",
            entries: &[],
            fields: &[],
            schemas: &[],
            digests: &[],
            digest: [0; 32],
            budget: 0,
        })
    }
}

/// The skills of a bundle: the iterator of `&Bundle`, in order of names.
#[derive(Clone, Debug)]
pub struct Skills {
    bundle: &'static Bundle,
    left: std::ops::Range<usize>,
}

impl Iterator for Skills {
    type Item = SkillRef;

    fn next(&mut self) -> Option<SkillRef> {
        self.bundle.at(self.left.next()?)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl ExactSizeIterator for Skills {}

impl IntoIterator for &'static Bundle {
    type Item = SkillRef;
    type IntoIter = Skills;

    fn into_iter(self) -> Skills {
        self.iter()
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

/// A skill of a bundle: a pointer and an index, `Copy`.
///
/// ```
/// use skills_runtime::{Bundle, SkillRef, include_skills};
///
/// static SKILLS: Bundle = include_skills!("tests/bundled");
///
/// let names: Vec<&str> = SKILLS.iter().map(SkillRef::name).collect();
/// assert_eq!(names, ["code-review", "deploy-safely"]);
/// for file in SKILLS.by_name("code-review").expect("a skill").files() {
///     println!("{} has {} bytes", file.path, file.bytes.len());
/// }
/// ```
#[derive(Clone, Copy)]
pub struct SkillRef {
    pub(crate) bundle: &'static Bundle,
    /// Less than the bundle's length, because only the bundle and generated code make this value.
    pub(crate) index: u32,
}

impl SkillRef {
    #[doc(hidden)]
    pub const fn new(bundle: &'static Bundle, index: u32) -> Self {
        Self { bundle, index }
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
