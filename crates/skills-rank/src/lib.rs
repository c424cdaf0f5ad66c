//! Which skill a text is about, by the words that they share ([`WordIndex`]).

#![deny(missing_docs)]

mod index;
mod skill;

pub mod words;

pub use index::{Hit, WordIndex};
pub use skill::{SkillWords, margin};

#[cfg(test)]
mod tests;
