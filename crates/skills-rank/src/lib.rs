//! Which skill a text is about, by the words that they share ([`WordIndex`]), and which texts are alike ([`alike`]).

#![deny(missing_docs)]

pub mod alike;
mod index;
mod skill;
mod stem;
pub mod words;

pub use index::{Hit, WordIndex};
pub use skill::{SkillWords, margin};

#[cfg(test)]
mod tests;
