//! Escapes, shortens and flattens text that is written into other text.

pub(crate) mod escape;
pub(crate) mod shorten;
