#![doc = include_str!("../../docs/slash.md")]

pub(crate) mod text;

pub use crate::dialect::dispatch::{AllowedCall, Dispatch, Verdict};
pub use crate::dialect::notice::Notice;
pub use crate::dialect::request::Request;
pub use crate::dialect::resolution::{Effect, Resolution};
pub use crate::listed::has_id;
pub use text::{id_of_command, named, resolve};

#[cfg(test)]
mod properties;
