//! The index of names: which skills have a name, and which of them answers to it.

use std::collections::HashMap;

/// Seeded, so that no text can make it slow.
#[cfg(feature = "discover")]
pub(crate) type Hasher = foldhash::fast::RandomState;
#[cfg(not(feature = "discover"))]
pub(crate) type Hasher = std::collections::hash_map::RandomState;

/// Names, or aliases, with the skills that have them.
pub(crate) type Index = HashMap<Box<str>, Found, Hasher>;

/// The position of a skill in the catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    /// Index of the source.
    pub(crate) source: usize,
    /// Index within the source.
    pub(crate) skill: usize,
}

/// Every skill that has a name or an alias.
#[derive(Debug)]
pub(crate) struct Found {
    /// In order of precedence.
    pub(crate) spots: Box<[Spot]>,
    pub(crate) answer: Answer,
}

/// Which skill answers to a bare name. Whether skills are enabled does not matter here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    One(Spot),
    /// The first so many have equal rank, and not all the same source.
    Twins(usize),
    /// No trusted skill has the name.
    None,
}

/// Skills in order of precedence. Allocates only when several bundles have a name.
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
