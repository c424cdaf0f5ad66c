//! What an agent program links: bundled skills, the catalog, mentions and activation.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make folders"))]
#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test that fails panics"))]

// What the macro writes names this crate.
#[cfg(test)]
extern crate self as skills_runtime;

mod activation;
mod bake;
mod budget;
mod builder;
mod bundle;
mod candidates;
mod catalog;
mod command;
mod command_name;
mod complete;
mod compose;
#[cfg(feature = "discover")]
mod discover;
#[cfg(all(feature = "discover", unix))]
mod disk;
#[cfg(all(feature = "discover", not(unix)))]
#[path = "disk_portable.rs"]
mod disk;
mod dispatch;
mod eligibility;
mod entry;
mod envelope;
mod error;
mod escape;
#[cfg(feature = "discover")]
mod extract;
#[cfg(feature = "discover")]
mod fault;
#[cfg(feature = "discover")]
mod files;
mod find;
mod finding;
#[cfg(all(test, feature = "discover", feature = "macros"))]
mod fixture;
mod folder;
mod format;
mod front;
#[cfg(feature = "macros")]
pub mod guide;
mod ids;
mod invocation;
mod layout;
#[cfg(feature = "discover")]
mod limits;
mod line;
mod linked;
#[cfg(feature = "discover")]
mod links;
#[cfg(feature = "tool")]
mod list_tool;
mod listing;
mod located;
#[cfg(feature = "discover")]
mod look;
mod manifest;
mod meaning;
mod merge;
mod narrow;
mod near;
#[cfg(feature = "discover")]
mod nested;
mod notice;
mod parts;
mod placeholder;
mod places;
#[cfg(feature = "discover")]
mod plugins;
mod profile;
mod prompt;
mod read;
#[cfg(feature = "discover")]
mod reload;
mod resolution;
mod resolve;
#[cfg(feature = "tool")]
mod resource_tool;
mod session;
#[cfg(feature = "discover")]
mod skill_file;
#[cfg(feature = "tool")]
mod skill_tool;
mod source;
mod source_name;
#[cfg(feature = "discover")]
mod stamp;
#[cfg(feature = "discover")]
mod standing;
mod started;
mod state;
mod switch;
mod telling;
#[cfg(feature = "tool")]
mod tool;
#[cfg(feature = "tool")]
mod tool_arguments;
mod tool_names;
mod tool_shape;
#[cfg(feature = "discover")]
mod trust;
mod turn;
mod typed;
#[cfg(feature = "watch")]
mod watch;
#[cfg(feature = "watch")]
mod watched;

pub use activation::{Activation, ActivationOptions};
pub use builder::{CatalogBuilder, Loaded};
pub use bundle::{Bundle, BundledFile, SkillRef};
pub use catalog::Catalog;
pub use command::{CommandNames, CommandPolicy, CommandSpec, DispatchSpec};
pub use complete::{Completer, Completion, CompletionCandidate};
pub use dispatch::{AllowedCall, Dispatch, DispatchRefused, Verdict};
pub use eligibility::{Facts, Needs};
pub use entry::{Entry, Location};
pub use envelope::Envelope;
pub use error::{Error, ErrorKind};
pub use format::Format;
pub use invocation::{Invocation, Meta, SkillCommand};
pub use layout::{Base, Bases, Bundled, Layout, Place, PlaceKind};
pub use manifest::{LeftOut, Manifest, ManifestEntry, ManifestFile, skill_uri};
pub use narrow::{Narrowed, NarrowedTool, narrow};
pub use notice::Notice;
pub use parts::SCHEMA;
pub use places::{BundledPlace, Places};
pub use profile::{CatalogPlace, CatalogText, Delivery, Profile};
pub use prompt::{Budget, PromptOptions, Rendered};
pub use read::ResourceInfo;
pub use resolution::{
    Arguments, Compose, Mention, NearKind, Notices, Outcome, Plugins, Policy, Resolution, Surface,
    Turn,
};
pub use session::{Active, Entered, EnteredKind, Lifetime, Repeat, Session};
#[cfg(feature = "tool")]
pub use skill_tool::SkillTool;
pub use skills_format::{
    Diagnostic, Digest, Fields, Requires, Severity, Span, Text, ToolRule, neutralize,
};
#[cfg(feature = "macros")]
pub use skills_macros::include_skills;
pub use source::{FolderTrust, Source, SourceKind};
pub use state::State;
pub use switch::SwitchedOn;
#[cfg(feature = "tool")]
pub use tool::{ToolError, ToolErrorKind, ToolSpec, Tools};
pub use tool_names::{TablePlace, ToolNames};
pub use tool_shape::{Exchange, ToolArguments, ToolIds, ToolShape};
#[cfg(feature = "discover")]
pub use {
    limits::Limits,
    reload::Reloaded,
    trust::{Trust, TrustDifference, TrustedFile},
};

#[cfg(feature = "watch")]
pub use watch::Watch;

#[doc = include_str!("../docs/conversation.md")]
pub mod conversation {}

#[doc = include_str!("../docs/catalog.md")]
pub mod sources {}

#[doc = include_str!("../docs/mentions.md")]
pub mod mentions {}

/// What generated code names. No part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::bake::{dir, file, schema, unchanged};
    pub use crate::bundle::{Bundle, SkillRef};
    pub use crate::parts::{Parts, SkillParts, Slice};
    pub use include_dir::DirEntry;
    pub use phf;
    pub use skills_format::{Fields, Requires, ToolRule};
    pub use std::borrow::Cow;
}
