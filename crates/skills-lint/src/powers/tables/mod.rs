//! The programs, options and functions that the reading knows, as data.

pub(super) mod functions;
pub(super) mod languages;
pub(super) mod options;
pub(super) mod programs;

/// Returns whether a list of words has a word.
pub(super) fn has(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|known| known == word)
}
