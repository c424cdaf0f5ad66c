//! What an agent program links: bundled skills, the catalog, mentions and activation.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make folders"))]
#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test that fails panics"))]

// What the macro writes names this crate.
#[cfg(test)]
extern crate self as skills_runtime;

pub mod activation;
pub mod bundle;
pub mod catalog;
pub mod command;
pub mod complete;
#[cfg(feature = "discover")]
mod disk;
mod error;
#[cfg(all(test, feature = "discover", feature = "macros"))]
mod fixture;
#[cfg(feature = "macros")]
pub mod guide;
pub mod mention;
pub mod profile;
pub mod prompt;
pub mod session;
pub mod source;
mod text;
#[cfg(feature = "tool")]
pub mod tool;
pub mod turn;

pub use activation::{Activation, ActivationOptions};
pub use bundle::{Bundle, SkillRef};
pub use catalog::{Catalog, CatalogBuilder, Entry, Loaded};
pub use error::{Error, ErrorKind};
pub use mention::{Notice, Outcome, Policy, Surface};
pub use profile::Profile;
pub use session::Session;
pub use skills_format::{Diagnostic, Severity};
#[cfg(feature = "macros")]
pub use skills_macros::include_skills;
#[cfg(feature = "tool")]
pub use tool::Tools;
pub use turn::Resolution;

/// What generated code names. Not part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::bundle::tables::{Parts, SCHEMA, SkillParts, Slice};
    pub use crate::bundle::tables::{dir, file, schema, unchanged};
    pub use crate::bundle::{Bundle, SkillRef};
    pub use include_dir::DirEntry;
    pub use phf;
    pub use skills_format::{Fields, Requires, ToolRule};
    pub use std::borrow::Cow;
}
