//! Skills of MCP servers, over data that the host fetched. No code here reaches a network.

// No network. The host fetches; `RemoteServer` and `RemoteSkill` take what it got, and believe nothing that they
// did not verify. They stand in the runtime and not in `skills-server`, since they need no SDK.
//
// Names. A source `mcp:LABEL` answers to no bare name, not even to a name that nothing else has: another skill
// that is switched off or removed must not be replaced. A mention of three segments begins with `$mcp:`.

#[cfg(feature = "remote")]
pub(crate) mod entry;
#[cfg(feature = "remote")]
pub(crate) mod server;
pub(crate) mod skill;

#[cfg(feature = "remote")]
pub use server::{RemoteApproval, RemoteServer};
pub use skill::{RemoteFile, RemoteSkill};
