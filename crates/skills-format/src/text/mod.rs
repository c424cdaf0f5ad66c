//! Text as characters: appearance, places, edit distance, escapes, foreign text on one line.

pub mod appearance;
pub mod command;
pub mod control;
pub mod distance;
pub mod escape;
pub mod lines;
pub(crate) mod number;
pub mod path;
pub mod percent;
pub mod prose;
pub mod shorten;
pub mod span;
pub mod tokens;
pub(crate) mod unicode;
pub mod words;
pub(crate) mod work;

/// Returns the places of an ASCII character in a text.
pub fn places_of(text: &str, character: u8) -> impl Iterator<Item = usize> {
    memchr::memchr_iter(character, text.as_bytes())
}
