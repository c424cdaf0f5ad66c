//! Reads what git ignores and tracks from a repository's files, without running git (only for `skills check`).

pub(crate) mod entries;
pub(crate) mod folder;
pub(crate) mod head;
pub(crate) mod index;
pub(crate) mod patterns;
pub(crate) mod repository;
pub(crate) mod shared;
pub(crate) mod tracked;

#[cfg(test)]
mod tests;
