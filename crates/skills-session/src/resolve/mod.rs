#![doc = include_str!("../../docs/slash.md")]

pub(crate) mod command;
mod command_json;
pub(crate) mod dispatch;
pub(crate) mod invocation;
mod json;
pub(crate) mod notice;
pub(crate) mod request;
pub(crate) mod resolution;
pub(crate) mod scheduled;
mod whole_text;

pub use dispatch::{AllowedCall, Dispatch, DispatchRefused, Verdict};
pub use invocation::Request;
pub use notice::{EndedBy, Notice, Reload};
pub use resolution::{Effect, Resolution};

#[cfg(test)]
mod properties;
