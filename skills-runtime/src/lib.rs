//! What an agent program links: bundled skills, the catalog, mentions and activation.

mod bake;
mod bundle;
mod catalog;
mod compose;
#[cfg(feature = "discover")]
mod discover;
mod entry;
mod error;
mod folder;
mod manifest;
mod near;
mod notice;
mod read;
mod resolution;
mod resolve;
mod source;
mod state;

pub use bundle::{Bundle, BundledFile, SCHEMA, SkillRef};
pub use catalog::{Catalog, CatalogBuilder, Loaded};
pub use entry::{Entry, Location};
pub use error::{Error, ErrorKind};
pub use manifest::{LeftOut, Manifest, ManifestEntry, ManifestFile, skill_uri};
pub use notice::Notice;
pub use read::ResourceInfo;
pub use resolution::{
    Arguments, Compose, Mention, NearKind, Notices, Outcome, Plugins, Policy, Resolution, Surface,
    Turn,
};
pub use skills_format::{
    Diagnostic, Digest, Fields, Requires, Severity, Span, Text, ToolRule, neutralize,
};
#[cfg(feature = "macros")]
pub use skills_macros::include_skills;
pub use source::{Source, SourceKind, Trust};
pub use state::State;

#[doc = include_str!("../docs/mentions.md")]
pub mod mentions {}

/// What generated code names. No part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::bake::{dir, file, schema, unchanged};
    pub use crate::bundle::{Bundle, Parts, SkillParts, SkillRef, Slice};
    pub use include_dir::DirEntry;
    pub use phf;
    pub use skills_format::{Fields, Requires, ToolRule};
    pub use std::borrow::Cow;
}
