//! The data of the benches, and how they measure.

mod callgrind;
#[path = "../../skills-runtime/tests/support/names.rs"]
#[expect(missing_docs, reason = "shared with the tests of near matches")]
pub mod names;
mod synth;
mod time;

pub use callgrind::instructions;
pub use synth::synth;
pub use time::{Time, time};
