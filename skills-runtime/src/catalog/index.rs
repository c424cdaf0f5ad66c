//! The index of names: the skills of each name, and the skills that answer to the name.

use crate::bundle::Bundle;
use crate::source::Source;
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

/// The skills of all sources. State and facts are separate.
#[derive(Debug, Default)]
pub(crate) struct Merged {
    /// The sources, the highest rank first; sources of equal rank by name.
    pub(crate) sources: Vec<Source>,
    /// The bundles, each with the index of its source.
    pub(crate) bundles: Vec<(usize, &'static Bundle)>,
    /// The skills by name. A name that only bundles have is looked up in the bundles.
    pub(crate) names: Index,
    /// The skills by alias, like [`names`](Self::names). If a nearer skill of its source has its name, a
    /// skill has no alias.
    pub(crate) aliases: Index,
}

impl Merged {
    /// Orders sources. Their skills are not in the indices yet. A bundle costs nothing: its perfect hash is its index.
    pub(crate) fn of(mut sources: Vec<Source>) -> Self {
        sources.sort_by(|a, b| (a.rank, &a.name).cmp(&(b.rank, &b.name)));
        let all = sources.iter().enumerate();
        let bundles = all.filter_map(|(index, source)| Some((index, source.bundle()?)));
        Self {
            bundles: bundles.collect(),
            sources,
            ..Self::default()
        }
    }
}
