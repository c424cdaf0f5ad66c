//! The options of a host, as plain data: where skills are searched for, and how skills are named, shown
//! and started.
//!
//! A [`Profile`](crate::Profile) holds a value of each option type. Start from a profile, and change
//! fields. The functions that depend on options take the whole profile.

pub(crate) mod allowed_tools;
pub(crate) mod commands;
pub(crate) mod envelope;
pub(crate) mod layout;
pub(crate) mod policy;
pub(crate) mod template;
pub(crate) mod tool_shape;

pub use allowed_tools::AllowedTools;
pub use commands::{CommandNames, CommandPolicy};
pub use envelope::Envelope;
pub use layout::{Bases, Layout};
pub use policy::{Compose, Notices, Policy};
pub use skills_permit::{ToolKind, ToolNames, Tools};
pub use skills_runtime::activation::Placeholders;
pub use skills_runtime::prompt::{Budget, Format};
pub use tool_shape::ToolShape;

// these items.
pub use commands::Listing;
pub use layout::{Base, Bundled, Faults, InstalledSkills, Place, PlaceKind};
pub use policy::Arguments;
pub use skills_format::MissingName;
pub use skills_permit::TablePlace;
pub use template::{Template, TemplateContent};
