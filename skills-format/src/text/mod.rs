//! Text by its characters: looks, places, distances, escapes of addresses, foreign text on one line.

#[cfg(any(feature = "rank", feature = "rules"))]
pub(crate) mod alike;
#[cfg(feature = "yaml")]
pub(crate) mod appearance;
pub(crate) mod category;
pub mod control;
pub mod distance;
pub mod escape;
pub(crate) mod lines;
pub(crate) mod normal;
pub(crate) mod number;
pub mod order;
pub mod path;
pub mod percent;
pub(crate) mod span;
pub(crate) mod tokens;

/// The places of an ASCII character in a text.
pub fn places_of(text: &str, character: u8) -> impl Iterator<Item = usize> {
    memchr::memchr_iter(character, text.as_bytes())
}
