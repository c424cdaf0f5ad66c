//! A skill of an MCP server: the listed data, and the files that have been verified since.

use skills_format::{Digest, Text};
use skills_runtime::{Error, ErrorKind};
use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

/// A skill of an MCP server. The listed data is not trusted until it is verified.
///
/// The host fetches the files of an approved skill, and passes them to [`RemoteSkill::supply`].
#[derive(Debug)]
pub struct RemoteSkill {
    /// `mcp:LABEL`, with the host's label.
    pub(crate) server: String,
    pub(crate) uri: String,
    pub(crate) name: String,
    pub(crate) description: String,
    /// The front matter as JSON, with all keys.
    pub(crate) front_matter: String,
    /// The files, in the order of their paths.
    pub(crate) files: Vec<RemoteFile>,
    /// The fetched files that match the listed digests, by path.
    pub(crate) verified: RwLock<BTreeMap<String, Vec<u8>>>,
}

/// A file of a skill of an MCP server.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RemoteFile {
    /// The address at the server.
    pub uri: String,
    /// The path relative to the skill's folder, with `/`.
    pub path: Text,
    /// SHA-256 of the bytes, as listed by the server.
    pub digest: Digest,
    /// The length in bytes, as listed by the server.
    pub size: u64,
}

impl RemoteSkill {
    /// Returns `mcp:LABEL`, with the label that the host gave the server.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// Returns the address of the `SKILL.md` at the server. The address identifies the skill only
    /// together with the server.
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the description that the server lists.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Returns the addresses of the files that are not here yet, for the host to fetch and [supply](Self::supply).
    pub fn missing(&self) -> Vec<&str> {
        let verified = self.verified.read().unwrap_or_else(PoisonError::into_inner);
        let files = self.files.iter();
        let missing = files.filter(|file| !verified.contains_key(&*file.path));
        missing.map(|file| &*file.uri).collect()
    }

    /// Returns every file, in the order of the paths.
    pub fn files(&self) -> &[RemoteFile] {
        &self.files
    }

    /// Makes the error for a file that the server did not list. Such a file is not part of the approved
    /// skill.
    pub(crate) fn unlisted(&self, what: &str) -> Error {
        let (server, name) = (&self.server, &self.name);
        let message = format!(
            "skill '{server}:{name}' has no file '{what}' in the list of its server; if the server has it, the \
             skill has changed: list it again, and ask the person again"
        );
        Error::new(ErrorKind::NotFound, message)
    }
}
