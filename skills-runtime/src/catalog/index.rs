//! The index of names: the skills of each name, and the skill that answers to the name.

use std::collections::HashMap;

/// The hasher of the indices, seeded so that no set of names can make an index slow.
pub(crate) type Hasher = foldhash::fast::RandomState;

/// The skills by name, or by alias.
pub(crate) type Index = HashMap<Box<str>, Found, Hasher>;

/// The position of a skill in the catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    /// The index of the source.
    pub(crate) source: usize,
    /// The index within the source.
    pub(crate) skill: usize,
}

/// Every skill with one name or alias.
#[derive(Debug)]
pub(crate) struct Found {
    /// The skills, in order of precedence.
    pub(crate) spots: Box<[Spot]>,
    /// The number of skills, from the first, that answer to the bare name: trusted skills of equal rank. The state is not
    /// considered here: it can change without a merge.
    pub(crate) claims: usize,
}

/// Skills in order of precedence. Allocates only if several bundles have a name.
#[derive(Debug)]
pub(crate) enum Spots<'c> {
    Found(std::slice::Iter<'c, Spot>),
    One(Option<Spot>),
    Several(std::vec::IntoIter<Spot>),
}

impl<'c> Spots<'c> {
    pub(crate) fn of(spots: &'c [Spot]) -> Self {
        Self::Found(spots.iter())
    }

    pub(crate) fn none() -> Self {
        Self::One(None)
    }

    pub(crate) fn one(spot: Spot) -> Self {
        Self::One(Some(spot))
    }

    pub(crate) fn several(spots: Vec<Spot>) -> Self {
        Self::Several(spots.into_iter())
    }
}

impl Iterator for Spots<'_> {
    type Item = Spot;

    fn next(&mut self) -> Option<Spot> {
        match self {
            Self::Found(spots) => spots.next().copied(),
            Self::One(spot) => spot.take(),
            Self::Several(spots) => spots.next(),
        }
    }
}
