//! What an agent program links: bundled skills, the catalog, mentions and activation.

mod bake;
mod builder;
mod bundle;
mod catalog;
mod compose;
#[cfg(feature = "discover")]
mod discover;
#[cfg(all(feature = "discover", unix))]
mod disk;
#[cfg(all(feature = "discover", not(unix)))]
#[path = "disk_portable.rs"]
mod disk;
mod eligibility;
mod entry;
mod error;
#[cfg(feature = "discover")]
mod fault;
#[cfg(feature = "discover")]
mod files;
mod finding;
mod folder;
#[cfg(feature = "discover")]
mod limits;
#[cfg(feature = "discover")]
mod links;
mod manifest;
mod merge;
mod near;
#[cfg(feature = "discover")]
mod nested;
mod notice;
#[cfg(feature = "discover")]
mod plugins;
mod read;
mod resolution;
mod resolve;
#[cfg(feature = "discover")]
mod skill_file;
mod source;
mod source_name;
mod state;
#[cfg(feature = "discover")]
mod trust;

pub use builder::{CatalogBuilder, Loaded};
pub use bundle::{Bundle, BundledFile, SCHEMA, SkillRef};
pub use catalog::Catalog;
pub use eligibility::{Facts, Needs};
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
pub use source::{Source, SourceKind};
pub use state::State;
#[cfg(feature = "discover")]
pub use {
    limits::Limits,
    trust::{Trust, TrustedFile},
};

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
