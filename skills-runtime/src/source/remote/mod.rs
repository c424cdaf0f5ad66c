//! Skills of MCP servers, from data that the host fetched. No code here uses a network.

// The host fetches; `RemoteServer` and `RemoteSkill` receive the data and trust nothing that was not
// verified. Both types stand in the runtime and not in `skills-server`, because neither needs the SDK.
//
// A source `mcp:LABEL` answers to no bare name, not even to a name that no other skill has: a server's
// skill must not replace a skill that a person disabled or removed. A mention with three segments begins
// with `$mcp:`.

#[cfg(feature = "remote")]
pub(crate) mod entry;
#[cfg(feature = "remote")]
pub(crate) mod server;
pub(crate) mod skill;

#[cfg(feature = "remote")]
pub use server::{RemoteApproval, RemoteServer};
pub use skill::{RemoteFile, RemoteSkill};
