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

/// The maximum number of files in a served skill (Skills extension).
const MAX_FILES: usize = 512;
/// The maximum number of bytes in all files of a served skill (Skills extension).
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// Returns a sentence that names the exceeded limit of the extension. Returns `None` if the number of
/// files and bytes is within the limits.
pub fn over_limits(files: usize, bytes: u64) -> Option<String> {
    if files > MAX_FILES {
        return Some(format!(
            "it has {files} files, and at most {MAX_FILES} can be served"
        ));
    }
    (bytes > MAX_BYTES)
        .then(|| format!("its files have {bytes} bytes, and at most {MAX_BYTES} can be served"))
}
