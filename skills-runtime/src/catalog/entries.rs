//! Iterates over every skill of a catalog or a bundle.

use crate::bundle::Bundle;
use crate::catalog::Catalog;
use crate::catalog::skill::Skill;

impl Bundle {
    /// Finds the skill with this name or alias. Compares bytes.
    ///
    /// # Cost
    ///
    /// One hash and one comparison, about 20 ns. Allocates nothing.
    #[inline]
    pub fn get(&'static self, name: &str) -> Option<Skill<'static>> {
        let found = self.found(name)?;
        Some(Skill::of_bundle(self, found.number))
    }

    /// Iterates over every skill, in order of names.
    pub fn iter(&'static self) -> impl Iterator<Item = Skill<'static>> + Clone {
        self.baked()
            .map(move |skill| Skill::of_bundle(self, skill.number))
    }
}

impl IntoIterator for &'static Bundle {
    type Item = Skill<'static>;
    type IntoIter = std::vec::IntoIter<Skill<'static>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter().collect::<Vec<_>>().into_iter()
    }
}

impl Catalog {
    /// Iterates over every skill, by rank, then source, then name. Shadowed, disabled and untrusted
    /// skills are included.
    pub fn iter(&self) -> impl Iterator<Item = Skill<'_>> + Clone {
        (0..self.sources().len()).flat_map(|source| self.skills_of(source))
    }

    /// Iterates over the skills of one source, in order of names.
    pub(crate) fn skills_of(&self, source: usize) -> impl Iterator<Item = Skill<'_>> + Clone {
        let from = &self.sources()[source];
        (0..from.len()).map(move |index| Skill {
            catalog: Some(self),
            source,
            index,
            content: from.skill(index),
        })
    }
}

impl<'c> IntoIterator for &'c Catalog {
    type Item = Skill<'c>;
    type IntoIter = std::vec::IntoIter<Skill<'c>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter().collect::<Vec<_>>().into_iter()
    }
}
