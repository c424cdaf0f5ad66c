//! The options of a host, as plain data: where skills are searched for, and how skills are named, shown
//! and started.
//!
//! A [`Profile`](crate::Profile) holds a value of each option type. Start from a profile, and change
//! fields.

pub(crate) mod activation;
pub(crate) mod allowed_tools;
pub(crate) mod commands;
pub(crate) mod layout;
pub(crate) mod placeholders;
pub(crate) mod plugins;
pub(crate) mod policy;
pub(crate) mod prompt;
pub(crate) mod template;
pub(crate) mod tool_names;
pub(crate) mod tool_shape;
pub(crate) mod tools;

pub use activation::{ActivationOptions, Envelope};
pub use allowed_tools::AllowedTools;
pub use commands::{CommandNames, CommandPolicy, Listing};
pub use layout::{Base, Bases, Bundled, Faults, InstalledSkills, Layout, Place, PlaceKind};
pub use placeholders::Placeholders;
pub use plugins::Plugins;
pub use policy::{Answers, Arguments, Compose, HostCommands, Notices, Policy};
pub use prompt::{Budget, Format, PromptOptions};
#[doc(no_inline)]
pub use skills_format::MissingName;
pub use template::{Template, TemplateContent};
pub use tool_names::{TablePlace, ToolNames};
pub use tool_shape::{ToolArguments, ToolIds, ToolShape};
pub use tools::{ToolKind, Tools};
