//! Iterates over every skill of a catalog.

use crate::catalog::Catalog;
use crate::catalog::entry::Skill;
use crate::catalog::index::Spot;
use crate::source::Source;

/// The skills of a catalog: the iterator of `&Catalog`, in the order of [`Catalog::iter`].
#[derive(Clone, Debug)]
pub struct Skills<'c> {
    catalog: &'c Catalog,
    next: Spot,
}

impl Catalog {
    /// Iterates over every skill, by rank, then source, then name. Shadowed, disabled and untrusted
    /// skills are included.
    pub fn iter(&self) -> Skills<'_> {
        Skills {
            catalog: self,
            next: Spot {
                source: 0,
                skill: 0,
            },
        }
    }

    /// Returns the number of skills. Shadowed, disabled and untrusted skills are included.
    pub fn len(&self) -> usize {
        self.sources().iter().map(Source::len).sum()
    }

    /// Returns whether the catalog has no skill.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
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
        while self.catalog.sources().len() > self.next.source {
            if let Some(entry) = Skill::of(self.catalog, self.next) {
                self.next.skill += 1;
                return Some(entry);
            }
            self.next = Spot {
                source: self.next.source + 1,
                skill: 0,
            };
        }
        None
    }
}
