//! Skills of MCP servers, over data that the host fetched. No code here reaches a network.

#[cfg(feature = "remote")]
pub(crate) mod entry;
#[cfg(feature = "remote")]
pub(crate) mod server;
pub(crate) mod skill;

#[cfg(feature = "remote")]
pub use server::{RemoteApproval, RemoteServer};
pub use skill::{RemoteFile, RemoteSkill};
