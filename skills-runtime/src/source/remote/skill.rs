//! A skill of an MCP server: what the server listed, and the files that were verified since.

// `allowed-tools` narrows as that of any skill, and grants nothing. `command-tool` and aliases are ignored.
//
// Files are asked of the host one by one, when they are needed (`ErrorKind::NotFetched`).

use crate::error::{Error, ErrorKind};
use skills_format::{Digest, Fields, SKILL_FILE, Text};
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

/// A skill of an MCP server. The server listed it; nothing of it is believed before it is verified.
///
/// The host fetches a file when it is needed, and hands it over with `RemoteSkill::supply`.
#[derive(Debug)]
pub struct RemoteSkill {
    /// `mcp:LABEL`, by the label of the host.
    pub(crate) server: String,
    pub(crate) uri: String,
    /// The name in the catalog. It differs from the front matter when the server lists the name twice.
    pub(crate) name: String,
    pub(crate) written_name: String,
    pub(crate) description: String,
    pub(crate) fields: Fields,
    /// As JSON, with all keys.
    pub(crate) front_matter: String,
    /// In the order of their paths.
    pub(crate) files: Vec<RemoteFile>,
    pub(crate) verified: RwLock<Verified>,
}

/// A file of a skill of an MCP server.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RemoteFile {
    /// The address at the server.
    pub uri: String,
    /// Relative to the skill's folder, with `/`.
    pub path: Text,
    /// SHA-256 of the bytes, as the server says.
    pub digest: Digest,
    /// Length in bytes, as the server says.
    pub size: u64,
}

/// What was fetched and is what the server listed.
#[derive(Debug, Default)]
pub(crate) struct Verified {
    pub(crate) files: BTreeMap<String, Arc<[u8]>>,
    /// The instructions of the `SKILL.md`.
    pub(crate) body: Option<Arc<str>>,
}

impl RemoteSkill {
    /// Returns `mcp:LABEL`: the server by the label that the host gave it.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// Returns the address of the `SKILL.md` at the server. It names the skill only together with the
    /// server.
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Returns the name in the catalog. When the server lists a name twice, the later skill gets a
    /// number.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name in the front matter.
    pub fn written_name(&self) -> &str {
        &self.written_name
    }

    /// Returns the description: what the server says that the skill does.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Returns every file, in the order of their paths.
    pub fn files(&self) -> &[RemoteFile] {
        &self.files
    }

    /// A file that was verified. One that was not fetched yet is an error that names its address.
    pub(crate) fn read(&self, path: &str) -> Result<Arc<[u8]>, Error> {
        let file = self.files.iter().find(|file| file.path == path);
        let file = file.ok_or_else(|| self.unlisted(path))?;
        let verified = self.verified.read().unwrap_or_else(PoisonError::into_inner);
        let bytes = verified.files.get(&*file.path).cloned();
        bytes.ok_or_else(|| self.not_fetched(file))
    }

    /// Returns the instructions, once the `SKILL.md` was verified.
    pub(crate) fn body(&self) -> Result<Arc<str>, Error> {
        self.read(SKILL_FILE)?;
        let verified = self.verified.read().unwrap_or_else(PoisonError::into_inner);
        verified
            .body
            .clone()
            .ok_or_else(|| self.unlisted(SKILL_FILE))
    }

    /// A file that the server may have, and did not list. It is not part of the skill that was approved.
    pub(crate) fn unlisted(&self, what: &str) -> Error {
        let (server, name) = (&self.server, &self.name);
        let message = format!(
            "skill '{server}:{name}' has no file '{what}' in the list of its server; if the server has it, the \
             skill has changed: list it again, and ask the person again"
        );
        Error::new(ErrorKind::NotFound, message)
    }

    fn not_fetched(&self, file: &RemoteFile) -> Error {
        let (server, name, uri) = (&self.server, &self.name, &file.uri);
        let message = format!(
            "skill '{server}:{name}': '{uri}' is not here yet; read it from the server '{server}' alone, and \
             hand it to RemoteSkill::supply"
        );
        Error::new(ErrorKind::NotFetched, message)
    }
}
