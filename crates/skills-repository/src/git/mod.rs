//! Reads what git ignores and tracks from a repository's files, without running git (only for `skills check`).

pub(crate) mod attributes;
pub(crate) mod folder;
pub(crate) mod index;
pub(crate) mod patterns;
pub(crate) mod repository;

#[cfg(test)]
mod tests;
