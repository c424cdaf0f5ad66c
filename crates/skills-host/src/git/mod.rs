//! Calls of the user's own `git`, which run nothing of a repository.
//!
//! A repository is fetched into a bare folder, and its files are read as objects. Nothing is checked out, so that
//! no hook, no filter and no link of the repository has an effect.

pub(crate) mod object;
pub(crate) mod observer;
pub(crate) mod process;
pub(crate) mod program;
pub(crate) mod repository;
pub(crate) mod said;

pub use observer::{Observer, Quiet};
pub use program::Git;
