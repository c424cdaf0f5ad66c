//! Escapes, shortens and flattens text that is written into other text, and shares text.

#[cfg(test)]
pub(crate) mod counted;
pub(crate) mod escape;
pub(crate) mod shared;
pub(crate) mod shorten;
