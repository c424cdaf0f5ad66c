//! What an agent program links: bundled skills, the catalog, mentions and activation.

mod bake;
mod bundle;

pub use bundle::{Bundle, BundledFile, SCHEMA, SkillRef};
pub use skills_format::{Diagnostic, Fields, Requires, Severity, Span, Text, ToolRule};
#[cfg(feature = "macros")]
pub use skills_macros::include_skills;

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
