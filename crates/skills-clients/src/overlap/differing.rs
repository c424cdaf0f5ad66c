//! The words by which two texts differ.

use crate::overlap::words;
use std::collections::{BTreeMap, BTreeSet};

/// The words of a set of texts. Each text is split once, however many pairs it is part of.
///
/// ```
/// use skills_clients::DistinctWords;
///
/// let words = DistinctWords::new(&["Reads a PDF.", "Reads a form, fills it."]);
/// let (first, second) = words.differing(0, 1, 1);
/// assert_eq!((first.words, first.more), (vec!["pdf"], 0));
/// assert_eq!((second.words, second.more), (vec!["fills"], 1));
/// ```
#[derive(Clone, Debug, Default)]
pub struct DistinctWords {
    /// All words, sorted.
    words: Vec<String>,
    /// The words of each text, as sorted indices.
    texts: Vec<Vec<usize>>,
}

/// The words of a text that another text lacks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Differing<'w> {
    /// The first words, sorted.
    pub words: Vec<&'w str>,
    /// The number of further words.
    pub more: usize,
}

impl DistinctWords {
    /// Splits texts into words.
    pub fn new(texts: &[&str]) -> Self {
        let sets: Vec<BTreeSet<String>> = texts.iter().map(|text| words(text)).collect();
        let all: BTreeSet<&str> = sets.iter().flatten().map(String::as_str).collect();
        let numbers: BTreeMap<&str, usize> = all
            .iter()
            .enumerate()
            .map(|(at, word)| (*word, at))
            .collect();
        let number = |word: &String| numbers.get(word.as_str()).copied();
        let of_text = |set: &BTreeSet<String>| set.iter().filter_map(number).collect();
        Self {
            texts: sets.iter().map(of_text).collect(),
            words: all.into_iter().map(str::to_owned).collect(),
        }
    }

    /// Returns the words that only the first text has, and the words that only the second has: at most `most` each.
    ///
    /// Cost: linear in the words of both texts.
    pub fn differing(
        &self,
        first: usize,
        second: usize,
        most: usize,
    ) -> (Differing<'_>, Differing<'_>) {
        (self.own(first, second, most), self.own(second, first, most))
    }

    fn own(&self, text: usize, other: usize, most: usize) -> Differing<'_> {
        let mut rest = self.of(other).iter().peekable();
        let mut differing = Differing::default();
        for word in self.of(text) {
            while rest.next_if(|other| *other < word).is_some() {}
            if rest.next_if(|other| *other == word).is_some() {
                continue;
            }
            match self.words.get(*word) {
                Some(word) if differing.words.len() < most => differing.words.push(word),
                _ => differing.more += 1,
            }
        }
        differing
    }

    fn of(&self, text: usize) -> &[usize] {
        self.texts.get(text).map_or(&[], Vec::as_slice)
    }
}
