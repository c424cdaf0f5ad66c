//! Changes of files that stay in the folder that was opened, and locks between processes.

pub mod copy;
pub mod folder;
pub mod guard;
pub mod system;
