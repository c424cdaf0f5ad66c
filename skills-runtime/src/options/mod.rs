//! The options of a host, as plain data: where skills are searched for, and how skills are named, shown
//! and started.
//!
//! A [`Profile`](crate::Profile) holds a value of each option type. Start from a profile, and change
//! fields. The functions that depend on options take the whole profile.

pub(crate) mod allowed_tools;
pub(crate) mod commands;
pub(crate) mod envelope;
pub(crate) mod layout;
pub(crate) mod placeholders;
pub(crate) mod plugins;
pub(crate) mod policy;
pub(crate) mod prompt;
pub(crate) mod template;
pub(crate) mod tool_shape;

pub use allowed_tools::AllowedTools;
pub use commands::{CommandNames, CommandPolicy};
pub use envelope::Envelope;
pub use layout::{Bases, Layout};
pub use placeholders::Placeholders;
pub use plugins::Plugins;
pub use policy::{Compose, Notices, Policy};
pub use prompt::{Budget, Format};
pub use skills_permit::{ToolKind, ToolNames, Tools};
pub use tool_shape::ToolShape;

// Hidden: the folders of a layout, and the lists of the program `skills`. Only the packages of this repository use
// these items.
#[doc(hidden)]
pub use commands::Listing;
#[doc(hidden)]
pub use layout::{Base, Bundled, Faults, InstalledSkills, Place, PlaceKind};
#[doc(hidden)]
pub use policy::Arguments;
#[doc(hidden)]
pub use skills_format::MissingName;
#[doc(hidden)]
pub use skills_permit::TablePlace;
#[doc(hidden)]
pub use template::{Template, TemplateContent};
