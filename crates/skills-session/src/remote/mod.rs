//! Skills of MCP servers, from data that the host fetched. No code here uses a network.
//!
//! [`RemoteServer::list`] takes what the server lists. A person approves a skill with exactly its files; then the host
//! fetches the files that are [missing](RemoteSkill::missing), [hands](RemoteSkill::supply) them over, and adds the server
//! to its catalog with [`RemoteServer::add_to`]. A skill starts if a person has approved it and all of its files are here.

mod entry;
mod server;
mod skill;

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
