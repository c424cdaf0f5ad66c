//! What git ignores and tracks, read from a repository's files: no git is run (only for `skills check`).

pub(crate) mod folder;
pub(crate) mod index;
pub(crate) mod patterns;
pub(crate) mod repository;

#[cfg(test)]
mod tests;
