//! Which descriptions a model cannot tell apart: pairs whose words are the same, or nearly.

pub(crate) mod differing;

#[cfg(test)]
mod tests;

use skills_format::rank::words::each_word;
use skills_format::text::alike::{Words, share};
use std::collections::{BTreeMap, BTreeSet};

/// Most descriptions that a description is compared with: those that share its rarest words.
const MAX_COMPARED: usize = 200;

/// Pairs of texts that are alike.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Overlap {
    /// The pairs: those that cannot be told apart first, then by likeness.
    pub pairs: Vec<Pair>,
    /// Whether some text shares words with more others than it was compared with.
    pub is_partial: bool,
}

/// Two texts that are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pair {
    /// The number of the first text.
    pub first: usize,
    /// The number of the second text.
    pub second: usize,
    /// Of all words of both, how many in a hundred both have.
    pub likeness: u8,
    /// How the words of the two compare.
    pub relation: Relation,
}

/// How the words of two texts compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Relation {
    /// They have the same words.
    Same,
    /// The second has every word of the first.
    FirstInSecond,
    /// The first has every word of the second.
    SecondInFirst,
    /// Each has words of its own.
    Near,
}

impl Relation {
    /// Whether no word speaks for one text and against the other.
    pub const fn is_inseparable(self) -> bool {
        !matches!(self, Self::Near)
    }
}

/// Finds the pairs of texts that have so many words in a hundred in common, and those where one has every word of
/// the other. Words that do not say what a text is about, such as `the`, do not count; a text without words is in
/// no pair. Of texts with the same words each is a pair with the first one alone.
///
/// Cost: sorts the words; each text is compared with at most 200 others, in time linear in their words.
///
/// ```
/// use skills_clients::{Relation, overlaps};
///
/// let found = overlaps(&["Reads a PDF.", "Reads a PDF, fills its forms.", "Deploys."], 50);
/// assert_eq!(found.pairs[0].relation, Relation::FirstInSecond);
/// assert_eq!((found.pairs[0].first, found.pairs[0].second), (0, 1));
/// assert_eq!(found.pairs.len(), 1);
/// ```
pub fn overlaps(texts: &[&str], least: u8) -> Overlap {
    let sets: Vec<BTreeSet<String>> = texts.iter().map(|text| words(text)).collect();
    let mut found = Overlap::default();
    let mut groups: BTreeMap<&BTreeSet<String>, usize> = BTreeMap::new();
    let mut firsts = Vec::new();
    for (number, set) in sets.iter().enumerate().filter(|(_, set)| !set.is_empty()) {
        if let Some(first) = groups.get(set) {
            found.pairs.push(Pair {
                first: *first,
                second: number,
                likeness: 100,
                relation: Relation::Same,
            });
        } else {
            groups.insert(set, number);
            firsts.push(number);
        }
    }
    let distinct = firsts.iter().filter_map(|number| sets.get(*number));
    found.compare(&Words::by_rarity(distinct), &firsts, least);
    let by = |pair: &Pair| {
        (
            !pair.relation.is_inseparable(),
            u8::MAX - pair.likeness,
            pair.first,
            pair.second,
        )
    };
    found.pairs.sort_unstable_by_key(by);
    found
}

impl Overlap {
    /// Adds the pairs of texts that have different words.
    fn compare(&mut self, all: &Words, numbers: &[usize], least: u8) {
        let number = |i: usize| numbers.get(i).copied().unwrap_or_default();
        let mut compared: Vec<Vec<usize>> = Vec::with_capacity(numbers.len());
        for (i, own) in all.iter().enumerate() {
            // A text that holds all of the other's words, or `least` in a hundred, holds one of its rarest.
            let (others, is_partial) = all.sharing(i, usize::from(least.min(100)), MAX_COMPARED);
            self.is_partial |= is_partial;
            for other in others.iter().copied() {
                // A pair is mostly met from both sides.
                let known = compared.get(other);
                if known.is_some_and(|known| known.binary_search(&i).is_ok()) {
                    continue;
                }
                let (both, union) = share(own, all.of(other));
                let likeness = u8::try_from(both * 100 / union.max(1)).unwrap_or(100);
                let relation = if both == own.len() {
                    Relation::FirstInSecond
                } else if both == all.of(other).len() {
                    Relation::SecondInFirst
                } else if likeness >= least {
                    Relation::Near
                } else {
                    continue;
                };
                let (first, second) = (number(i), number(other));
                let pair = Pair {
                    first,
                    second,
                    likeness,
                    relation,
                };
                self.pairs
                    .push(if first < second { pair } else { pair.turned() });
            }
            compared.push(others);
        }
    }
}

impl Pair {
    const fn turned(self) -> Self {
        Self {
            first: self.second,
            second: self.first,
            likeness: self.likeness,
            relation: match self.relation {
                Relation::FirstInSecond => Relation::SecondInFirst,
                Relation::SecondInFirst => Relation::FirstInSecond,
                same => same,
            },
        }
    }
}

fn words(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    each_word(text, |word| {
        words.insert(word.to_owned());
    });
    words
}
