//! The catalog that a command works with: where it comes from, one skill of it, and how a skill is found.

pub(crate) mod arguments;
pub(crate) mod find;
pub(crate) mod options;
pub(crate) mod skill;
pub(crate) mod stored;
