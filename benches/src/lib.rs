//! The data of the benches.

mod synth;

pub use synth::synth;
