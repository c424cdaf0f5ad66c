//! Text by its characters: places, distances, estimates, pictures of control characters.

pub(crate) mod control;
#[cfg(feature = "yaml")]
pub(crate) mod distance;
pub(crate) mod span;
pub(crate) mod tokens;
