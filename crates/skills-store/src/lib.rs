//! The files of a host program: conversations, disabled skills, and trusted skills.
//!
//! Every operation works on the files that the caller names.
//!
//! - [`Conversation`] is a host's conversation with skills, with all of its files in one folder.
//! - [`Decisions`] are the files with the decisions of the user, and carry out `/skill enable` and the like.
//! - [`StateFile`], [`TrustFile`] and [`TrustedTexts`] hold the decisions of the user.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test that fails panics"))]

mod conversation;
mod decisions;
mod disabled;
#[doc(hidden)]
pub mod disk;
mod error;
#[doc(hidden)]
pub mod json_file;
mod trust_file;

pub use conversation::{Called, Conversation, News, Person, Question, Turn};
pub use decisions::{Decisions, TrustQuestion};
pub use disabled::{Disabled, StateFile};
pub use error::{Error, ErrorKind};
pub use json_file::{JsonFile, Record, Stored};
pub use trust_file::{TrustFile, TrustedTexts};
