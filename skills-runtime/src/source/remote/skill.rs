//! A skill of an MCP server: the listed data, and the files that have been verified since.

// `allowed-tools` can narrow, and approves nothing. `disallowed-tools` takes tools away. `command-tool` and aliases
// are ignored.
//
// The host fetches a file when it is needed (`ErrorKind::NotFetched`), one file at a time.

use crate::error::{Error, ErrorKind};
use skills_format::{Digest, Fields, SKILL_FILE, Text};
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

/// A skill of an MCP server. The listed data is not trusted until it is verified.
///
/// The host fetches a file when it is needed, and passes the file to `RemoteSkill::supply`.
#[derive(Debug)]
pub struct RemoteSkill {
    /// `mcp:LABEL`, with the host's label.
    pub(crate) server: String,
    pub(crate) uri: String,
    /// The name in the catalog. The name differs from the front matter if the server lists a name twice.
    pub(crate) name: String,
    pub(crate) written_name: String,
    pub(crate) description: String,
    /// The fields before a person approves the skill.
    pub(crate) fields: Fields,
    /// The fields after that, if they differ: the list shows that the skill has an `agents/openai.yaml`, and
    /// not what the file says, so the file closes the skill to the model until a person has approved it.
    pub(crate) opened: Option<Fields>,
    /// The front matter as JSON, with all keys.
    pub(crate) front_matter: String,
    /// The files, in the order of their paths.
    pub(crate) files: Vec<RemoteFile>,
    pub(crate) verified: RwLock<Verified>,
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

/// The fetched files that match the listed digests.
#[derive(Debug, Default)]
pub(crate) struct Verified {
    pub(crate) files: BTreeMap<String, Arc<[u8]>>,
    /// The instructions of the `SKILL.md`.
    pub(crate) body: Option<Arc<str>>,
    /// The verified `agents/openai.yaml` closes the skill to the model.
    pub(crate) is_closed: bool,
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

    /// Returns the name in the catalog. If the server lists a name twice, the later skill gets a number.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name in the front matter.
    pub fn written_name(&self) -> &str {
        &self.written_name
    }

    /// Returns the description that the server lists.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Iterates over the addresses of the skill's files. The host fetches each and passes its bytes to `supply`.
    pub fn uris(&self) -> impl ExactSizeIterator<Item = &str> {
        self.files.iter().map(|file| &*file.uri)
    }

    /// Returns every file, in the order of the paths.
    pub fn files(&self) -> &[RemoteFile] {
        &self.files
    }

    /// Returns the fields, by whether a person approved the skill. An `agents/openai.yaml` that is here and
    /// closes the skill counts also then.
    pub(crate) fn fields(&self, is_approved: bool) -> &Fields {
        let verified = self.verified.read().unwrap_or_else(PoisonError::into_inner);
        let opened = self.opened.as_ref();
        opened
            .filter(|_| is_approved && !verified.is_closed)
            .unwrap_or(&self.fields)
    }

    /// Returns a verified file. A file that is not fetched yet is an error that names its address.
    pub(crate) fn read(&self, path: &str) -> Result<Arc<[u8]>, Error> {
        let file = self.files.iter().find(|file| file.path == path);
        let file = file.ok_or_else(|| self.unlisted(path))?;
        let verified = self.verified.read().unwrap_or_else(PoisonError::into_inner);
        let bytes = verified.files.get(&*file.path).cloned();
        bytes.ok_or_else(|| self.not_fetched(file))
    }

    /// Returns the instructions of a verified `SKILL.md`.
    pub(crate) fn body(&self) -> Result<Arc<str>, Error> {
        self.read(SKILL_FILE)?;
        let verified = self.verified.read().unwrap_or_else(PoisonError::into_inner);
        verified
            .body
            .clone()
            .ok_or_else(|| self.unlisted(SKILL_FILE))
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

    fn not_fetched(&self, file: &RemoteFile) -> Error {
        let (server, name, uri) = (&self.server, &self.name, &file.uri);
        let message = format!(
            "skill '{server}:{name}': '{uri}' is not here yet; read it from the server '{server}' alone, and \
             hand it to RemoteSkill::supply"
        );
        Error::new(ErrorKind::NotFetched, message)
    }
}
