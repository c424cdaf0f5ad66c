//! The words of texts as numbers, the rarest first, so that few texts are compared with each other.

use crate::text::order::{sort_by_number, sort_by_number_and_text};
use std::collections::{BTreeMap, BTreeSet};

/// The words of each text, as numbers: the rarest word of all texts has the lowest.
#[derive(Debug, Default)]
pub struct Words {
    texts: Vec<Vec<usize>>,
    /// By word, the texts that hold it.
    holders: Vec<Vec<usize>>,
}

impl Words {
    /// Numbers the words of some texts, the rarest word first.
    pub fn by_rarity<'a>(texts: impl Iterator<Item = &'a BTreeSet<String>>) -> Self {
        let texts: Vec<&BTreeSet<String>> = texts.collect();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for word in texts.iter().copied().flatten() {
            *counts.entry(word).or_default() += 1;
        }
        let mut order: Vec<(usize, &str)> =
            counts.iter().map(|(word, count)| (*count, *word)).collect();
        sort_by_number_and_text(&mut order, |(count, word)| (*count, word.as_bytes()));
        let mut numbers = counts;
        for (number, (_, word)) in order.iter().enumerate() {
            numbers.insert(word, number);
        }
        let mut words = Self {
            texts: Vec::with_capacity(texts.len()),
            holders: vec![Vec::new(); order.len()],
        };
        for (text, all) in texts.iter().enumerate() {
            let mut all: Vec<usize> = all
                .iter()
                .filter_map(|word| numbers.get(word.as_str()).copied())
                .collect();
            sort_by_number(&mut all, |word| *word);
            for word in &all {
                if let Some(holders) = words.holders.get_mut(*word) {
                    holders.push(text);
                }
            }
            words.texts.push(all);
        }
        words
    }

    /// The words of each text.
    pub fn iter(&self) -> impl Iterator<Item = &[usize]> {
        self.texts.iter().map(Vec::as_slice)
    }

    /// The words of a text.
    pub fn of(&self, text: usize) -> &[usize] {
        self.texts.get(text).map_or(&[], Vec::as_slice)
    }

    /// The texts that can have so many words in a hundred in common with this one: each holds one of its rarest
    /// words. At most so many, those of the rarest words first; whether there are more. Sorted.
    ///
    /// Cost: for each of the rarest words, the texts that hold it, at most one more than `most`.
    pub fn sharing(&self, text: usize, least: usize, most: usize) -> (Vec<usize>, bool) {
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
        sort_by_number(&mut others, |other| *other);
        (others, is_partial)
    }
}

/// Of so many words in order of rarity, how many come first that two texts cannot both lack one of when they share
/// so many words in a hundred: they share all but the words of which one may lack the rest of the hundred.
fn rarest(words: usize, least: usize) -> usize {
    let shared = (words * least).div_ceil(100);
    (words + 1 - shared).min(words)
}

/// How many words two sorted lists share, and how many they have together.
pub fn share(a: &[usize], b: &[usize]) -> (usize, usize) {
    // From so many times the words on, looking each up takes fewer steps than passing over all.
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
