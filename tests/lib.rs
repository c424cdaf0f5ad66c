//! What the tests of this package share.

mod random;
mod same;
mod scratch;

pub use random::Random;
pub use same::assert_same;
pub use scratch::{Built, Scratch};
