//! The common parts of the baking tests: packages that cargo builds, random skills, and a comparison of a bundle with
//! its folder.

#![expect(
    clippy::missing_panics_doc,
    reason = "tests panic where something is wrong"
)]

mod random;
mod same;
mod scratch;

pub use random::Random;
pub use same::assert_same;
pub use scratch::{Built, Scratch};
