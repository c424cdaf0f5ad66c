//! Numbers the words of texts, the rarest first, so that only few texts need a comparison with each other.

use std::collections::BTreeMap;

/// The words of each text, as numbers. The rarest word of all texts has the lowest number.
#[derive(Debug, Default)]
pub(super) struct Words {
    texts: Vec<Vec<usize>>,
    /// For each word, the texts that hold the word.
    holders: Vec<Vec<usize>>,
}

impl Words {
    /// Numbers the words of the texts, the rarest word first.
    ///
    /// Each text is given by its different words.
    pub(super) fn by_rarity(texts: &[Vec<&str>]) -> Self {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for word in texts.iter().flatten() {
            *counts.entry(word).or_default() += 1;
        }
        let mut order: Vec<(usize, &str)> = counts
            .into_iter()
            .map(|(word, count)| (count, word))
            .collect();
        order.sort_unstable();
        let numbers = order.iter().enumerate();
        let numbers: BTreeMap<&str, usize> =
            numbers.map(|(number, (_, word))| (*word, number)).collect();
        let mut words = Self {
            texts: Vec::with_capacity(texts.len()),
            holders: vec![Vec::new(); order.len()],
        };
        for (text, all) in texts.iter().enumerate() {
            let mut all: Vec<usize> = all
                .iter()
                .filter_map(|word| numbers.get(word).copied())
                .collect();
            all.sort_unstable();
            for word in &all {
                if let Some(holders) = words.holders.get_mut(*word) {
                    holders.push(text);
                }
            }
            words.texts.push(all);
        }
        words
    }

    /// Iterates over the words of each text.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[usize]> {
        self.texts.iter().map(Vec::as_slice)
    }

    /// Returns the words of a text.
    pub(super) fn of(&self, text: usize) -> &[usize] {
        self.texts.get(text).map_or(&[], Vec::as_slice)
    }

    /// Returns the texts that can share at least `least` percent of the words of `text`, sorted: each text holds
    /// one of the rarest words of `text`. Returns at most `most` texts, the holders of the rarest words first,
    /// and true if there are more.
    ///
    /// # Cost
    ///
    /// Visits the holders of the rarest words, until `most` texts are found and there is one more.
    pub(super) fn sharing(&self, text: usize, least: usize, most: usize) -> (Vec<usize>, bool) {
        let own = self.of(text);
        let rarest = own.get(..rarest(own.len(), least)).unwrap_or_default();
        let mut is_met = vec![false; self.texts.len()];
        let mut others = Vec::new();
        let mut is_partial = false;
        let holders = rarest.iter().filter_map(|word| self.holders.get(*word));
        for other in holders.flatten().copied().filter(|other| *other != text) {
            match is_met.get_mut(other) {
                Some(is_met) if !*is_met && others.len() < most => *is_met = true,
                Some(is_met) if !*is_met => {
                    is_partial = true;
                    break;
                }
                _ => continue,
            }
            others.push(other);
        }
        others.sort_unstable();
        (others, is_partial)
    }
}

/// Returns the number of words, the rarest first, of which another text must hold one to share `least` percent of
/// `words` words. A text that lacks all of them shares too few of the rest.
fn rarest(words: usize, least: usize) -> usize {
    let shared = (words * least).div_ceil(100);
    (words + 1 - shared).min(words)
}

/// Returns the number of words that two sorted lists share, and the number of words in either list.
pub(super) fn share(a: &[usize], b: &[usize]) -> (usize, usize) {
    // If one list is this many times longer, a binary search for each word of the other list takes fewer steps
    // than a pass over both.
    const LONG: usize = 16;
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let both = if long.len() / LONG > short.len() {
        let is_shared = |word: &&usize| long.binary_search(word).is_ok();
        short.iter().filter(is_shared).count()
    } else {
        let mut rest = long.iter().peekable();
        let is_shared = |word: &&usize| {
            while rest.next_if(|other| other < word).is_some() {}
            rest.next_if(|other| other == word).is_some()
        };
        short.iter().filter(is_shared).count()
    };
    (both, a.len() + b.len() - both)
}
