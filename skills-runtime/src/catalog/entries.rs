//! Iterates over every skill of a catalog or a bundle.

use crate::bundle::Bundle;
use crate::catalog::Catalog;
use crate::catalog::index::Spot;
use crate::catalog::skill::Skill;

/// The skills of a catalog, in the order of [`Catalog::iter`], or of a bundle, in order of names.
#[derive(Clone, Debug)]
pub struct Skills<'c> {
    left: Left<'c>,
}

#[derive(Clone, Debug)]
enum Left<'c> {
    Catalog(&'c Catalog, Spot),
    Bundle(&'static Bundle, u32),
}

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
    pub fn iter(&'static self) -> Skills<'static> {
        Skills {
            left: Left::Bundle(self, 0),
        }
    }
}

impl IntoIterator for &'static Bundle {
    type Item = Skill<'static>;
    type IntoIter = Skills<'static>;

    fn into_iter(self) -> Skills<'static> {
        self.iter()
    }
}

impl Catalog {
    /// Iterates over every skill, by rank, then source, then name. Shadowed, disabled and untrusted
    /// skills are included.
    pub fn iter(&self) -> Skills<'_> {
        let first = Spot {
            source: 0,
            skill: 0,
        };
        Skills {
            left: Left::Catalog(self, first),
        }
    }
}

impl<'c> IntoIterator for &'c Catalog {
    type Item = Skill<'c>;
    type IntoIter = Skills<'c>;

    fn into_iter(self) -> Skills<'c> {
        self.iter()
    }
}

impl<'c> Iterator for Skills<'c> {
    type Item = Skill<'c>;

    fn next(&mut self) -> Option<Skill<'c>> {
        match &mut self.left {
            Left::Catalog(catalog, next) => {
                while catalog.sources().len() > next.source {
                    if let Some(skill) = Skill::of(catalog, *next) {
                        next.skill += 1;
                        return Some(skill);
                    }
                    *next = Spot {
                        source: next.source + 1,
                        skill: 0,
                    };
                }
                None
            }
            Left::Bundle(bundle, next) => {
                let number = *next;
                bundle.at(usize::try_from(number).ok()?)?;
                *next += 1;
                Some(Skill::of_bundle(bundle, number))
            }
        }
    }
}
