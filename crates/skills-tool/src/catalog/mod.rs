//! The catalog that a command works with: options, state and trust files, and skills.

pub(crate) mod arguments;
pub(crate) mod client_folder;
pub(crate) mod clients;
pub(crate) mod everywhere;
pub(crate) mod faults;
pub(crate) mod find;
mod held;
pub(crate) mod installed;
pub(crate) mod options;
pub(crate) mod skill;
mod slashes;
pub(crate) mod stored;
pub(crate) mod unread_folder;
