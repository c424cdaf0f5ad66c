//! What an agent program links: bundled skills, the catalog, mentions and activation.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make folders"))]
#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test that fails panics"))]

// What the macro writes names this crate.
#[cfg(test)]
extern crate self as skills_runtime;

mod activation;
mod bundle;
mod catalog;
mod command;
mod complete;
#[cfg(feature = "discover")]
mod disk;
mod error;
#[cfg(all(test, feature = "discover", feature = "macros"))]
mod fixture;
#[cfg(feature = "macros")]
pub mod guide;
mod mention;
mod profile;
mod prompt;
mod session;
mod source;
mod text;
#[cfg(feature = "tool")]
mod tool;
mod turn;

pub use activation::envelope::Envelope;
pub use activation::exchange::{Exchange, ToolArguments, ToolIds, ToolShape};
pub use activation::narrow::{Narrowed, NarrowedTool, narrow};
pub use activation::tool_names::{TablePlace, ToolNames};
pub use activation::{Activation, ActivationOptions};
pub use bundle::manifest::{LeftOut, Manifest, ManifestEntry, ManifestFile, skill_uri};
pub use bundle::tables::SCHEMA;
pub use bundle::{Bundle, BundledFile, SkillRef};
pub use catalog::Catalog;
pub use catalog::builder::{CatalogBuilder, Loaded};
pub use catalog::eligibility::{Facts, Needs};
pub use catalog::enable::SwitchedOn;
pub use catalog::entry::{Entry, Location};
pub use catalog::files::ResourceInfo;
pub use catalog::places::{BundledPlace, Places};
pub use catalog::state::State;
pub use command::dispatch::{AllowedCall, Dispatch, DispatchRefused, Verdict};
pub use command::invocation::{Invocation, Meta, SkillCommand};
pub use command::policy::{CommandNames, CommandPolicy};
pub use command::{CommandSpec, DispatchSpec};
pub use complete::{Completer, Completion, CompletionCandidate};
pub use error::{Error, ErrorKind};
pub use mention::notice::Notice;
pub use mention::policy::{Arguments, Compose, Notices, Policy, Surface};
pub use mention::{Mention, NearKind, Outcome};
pub use profile::{CatalogPlace, CatalogText, Delivery, Lifetime, Profile, Repeat};
pub use prompt::Rendered;
pub use prompt::format::Format;
pub use prompt::options::{Budget, PromptOptions};
pub use session::{Active, Entered, EnteredKind, Session};
pub use skills_format::{
    Diagnostic, Digest, Fields, Requires, Severity, Span, Text, ToolRule, neutralize,
};
#[cfg(feature = "macros")]
pub use skills_macros::include_skills;
pub use source::layout::{Base, Bases, Bundled, Layout, Place, PlaceKind};
pub use source::{FolderTrust, Source, SourceKind};
#[cfg(feature = "tool")]
pub use tool::skill::SkillTool;
#[cfg(feature = "tool")]
pub use tool::{
    Tools,
    error::{ToolError, ToolErrorKind},
    spec::ToolSpec,
};
pub use turn::resolution::{Plugins, Resolution, Turn};
#[cfg(feature = "discover")]
pub use {
    catalog::reload::Reloaded,
    source::options::Limits,
    source::trust::{Trust, TrustDifference, TrustedFile},
};

#[cfg(feature = "watch")]
pub use catalog::watch::Watch;

#[doc = include_str!("../docs/conversation.md")]
pub mod conversation {}

#[doc = include_str!("../docs/catalog.md")]
pub mod sources {}

#[doc = include_str!("../docs/mentions.md")]
pub mod mentions {}

/// What generated code names. No part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::bundle::bake::{dir, file, schema, unchanged};
    pub use crate::bundle::tables::{Parts, SkillParts, Slice};
    pub use crate::bundle::{Bundle, SkillRef};
    pub use include_dir::DirEntry;
    pub use phf;
    pub use skills_format::{Fields, Requires, ToolRule};
    pub use std::borrow::Cow;
}
