//! The words by which two texts differ.

use crate::overlap::words;
use std::collections::BTreeSet;

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
    texts: Vec<BTreeSet<String>>,
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
        let texts = texts.iter().map(|text| words(text)).collect();
        Self { texts }
    }

    /// Returns the words that only the first text has, and the words that only the second has: at most `most` each.
    ///
    /// Cost: linear in the words of both texts, but for a logarithm.
    pub fn differing(
        &self,
        first: usize,
        second: usize,
        most: usize,
    ) -> (Differing<'_>, Differing<'_>) {
        (self.own(first, second, most), self.own(second, first, most))
    }

    /// A text that is not there has no words.
    fn own(&self, text: usize, other: usize, most: usize) -> Differing<'_> {
        let other = self.texts.get(other);
        let own = self.texts.get(text).into_iter().flatten();
        let own = own.filter(|word| !other.is_some_and(|other| other.contains(*word)));
        let mut own = own.map(String::as_str);
        Differing {
            words: own.by_ref().take(most).collect(),
            more: own.count(),
        }
    }
}
