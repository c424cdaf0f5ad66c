//! The catalog that a command works with: options, state and trust files, and skills.

pub(crate) mod faults;
pub(crate) mod find;
pub(crate) mod options;
pub(crate) mod skill;
