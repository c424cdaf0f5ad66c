//! Finds descriptions that a model cannot distinguish: pairs with equal or nearly equal words.

mod alike;
pub(crate) mod differing;

#[cfg(test)]
mod tests;

use crate::overlap::alike::{Words, share};
use skills_rank::words::each_word;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of texts that a text is compared with: the texts that share its rarest words.
const MAX_COMPARED: usize = 200;

/// The pairs of similar texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Overlap {
    /// The pairs: indistinguishable pairs first, then by similarity.
    pub pairs: Vec<Pair>,
    /// True if a text shares words with more texts than it was compared with.
    pub is_partial: bool,
}

/// Two similar texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pair {
    /// The index of the first text.
    pub first: usize,
    /// The index of the second text.
    pub second: usize,
    /// The shared words, in percent of all words of both texts.
    pub likeness: u8,
    /// The relation of the two sets of words.
    pub relation: Relation,
}

/// The relation of the words of two texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Relation {
    /// Both texts have the same words.
    Same,
    /// The second text has every word of the first.
    FirstInSecond,
    /// The first text has every word of the second.
    SecondInFirst,
    /// Each text has words of its own.
    Near,
}

impl Relation {
    /// Returns whether one text has no word that the other lacks.
    pub const fn is_inseparable(self) -> bool {
        !matches!(self, Self::Near)
    }
}

/// Finds the pairs of texts that share at least `least` percent of their words, and the pairs where one text has
/// every word of the other. Stop words such as `the` do not count. A text without words is in no pair. Of several
/// texts with the same words, each is paired with the first only.
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
    let distinct: Vec<Vec<&str>> = distinct
        .map(|set| set.iter().map(String::as_str).collect())
        .collect();
    found.compare(&Words::by_rarity(&distinct), &firsts, least);
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
    /// Adds the pairs of texts with different words.
    fn compare(&mut self, all: &Words, numbers: &[usize], least: u8) {
        let number = |i: usize| numbers.get(i).copied().unwrap_or_default();
        let mut compared: Vec<Vec<usize>> = Vec::with_capacity(numbers.len());
        for (i, own) in all.iter().enumerate() {
            // Such a text holds one of this text's rarest words, so texts that share only frequent words are skipped.
            let (others, is_partial) = all.sharing(i, usize::from(least.min(100)), MAX_COMPARED);
            self.is_partial |= is_partial;
            for other in others.iter().copied() {
                // The other text's turn has usually found the pair already.
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

/// Returns the words of a text. A sentence that says when not to use a skill names the other skill, and makes the two
/// distinct: its words do not count, unless there are no others.
fn words(text: &str) -> BTreeSet<String> {
    let sentences = text.split_inclusive(". ").filter(|it| !excludes(it));
    let words = all_words(&sentences.collect::<String>());
    if words.is_empty() {
        all_words(text)
    } else {
        words
    }
}

fn all_words(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    each_word(text, |word| {
        words.insert(word.to_owned());
    });
    words
}

/// Returns whether a sentence begins as one that says when not to use a skill.
fn excludes(sentence: &str) -> bool {
    const STARTS: [&str; 6] = [
        "don't use",
        "don\u{2019}t use",
        "do not use",
        "not for",
        "never use",
        "not to be used",
    ];
    let start: String = sentence.trim_start().chars().take(16).collect();
    let start = start.to_lowercase();
    STARTS.iter().any(|known| start.starts_with(known))
}
