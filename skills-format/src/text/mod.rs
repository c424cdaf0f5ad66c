//! Text by its characters: places, distances, escapes of addresses, foreign text on one line.

pub mod control;
pub mod distance;
pub mod escape;
pub(crate) mod lines;
pub mod percent;
pub(crate) mod span;
pub(crate) mod tokens;
