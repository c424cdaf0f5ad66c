//! The files of a host program: which skills are disabled, and which skills are trusted.
//!
//! Every operation works on the files that the caller names.

mod disk;
mod error;
mod json_file;
mod state_file;
mod trust_file;

pub use error::{Error, ErrorKind};
pub use json_file::Stored;
pub use state_file::StateFile;
pub use trust_file::{TrustFile, TrustedTexts};
