//! What the server knows: the client, its documents and its folders.

use crate::documents::Documents;
use crate::place::{path_of, uri_of};
use crate::project::Project;
use crate::text::{LineText, Unit};
use lsp_server::ErrorCode;
use lsp_types::{ClientCapabilities, Location, Position, Uri};
use skills_format::Related;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An error as the protocol has it.
pub(crate) type Refused = (ErrorCode, String);

/// What the answers are made of.
pub(crate) struct State {
    pub(crate) unit: Unit,
    pub(crate) capabilities: ClientCapabilities,
    pub(crate) documents: Documents,
    pub(crate) projects: Vec<Project>,
}

impl State {
    /// Returns the URI of a path: of an open document, as the client writes it.
    pub(crate) fn uri(&self, path: &Path) -> Option<Uri> {
        let open = self.documents.get(path);
        open.map_or_else(|| uri_of(path), |document| Some(document.uri.clone()))
    }

    /// Returns the bytes of an open document or of a file of a project.
    pub(crate) fn bytes(&self, path: &Path) -> Option<Vec<u8>> {
        if let Some(document) = self.documents.get(path) {
            return Some(document.text.as_bytes().to_vec());
        }
        self.projects.iter().find_map(|project| project.read(path))
    }

    /// Returns the place in another file that a finding of a project is about, if the client shows such places.
    pub(crate) fn location(&self, project: &Project, related: &Related) -> Option<Location> {
        let document = self.capabilities.text_document.as_ref()?;
        let shown = document.publish_diagnostics.as_ref()?.related_information;
        let path = project.repository.as_ref()?.on_disk(&related.path);
        let path = path.filter(|_| shown == Some(true))?;
        let bytes = self.bytes(&path)?;
        let range = LineText::new(&bytes).range(related.span, self.unit);
        Some(Location::new(self.uri(&path)?, range))
    }

    /// Returns the text of an open document, its path, and the byte of a position.
    pub(crate) fn at(&self, uri: &Uri, position: Position) -> Option<(PathBuf, Arc<str>, usize)> {
        let path = path_of(uri)?;
        let text = Arc::clone(&self.documents.get(&path)?.text);
        let offset = LineText::new(text.as_bytes()).offset(position, self.unit);
        Some((path, text, offset))
    }

    /// Returns the project that checks a path, or at least holds the path. Of nested folders, the first counts.
    pub(crate) fn project(&self, path: &Path) -> Option<&Project> {
        self.projects.get(self.project_index(path)?)
    }

    /// Returns the index of the project that checks a path, or at least holds the path.
    pub(crate) fn project_index(&self, path: &Path) -> Option<usize> {
        let mut all = self.projects.iter();
        let checking = all.position(|project| project.checks(path));
        checking.or_else(|| self.projects.iter().position(|project| project.holds(path)))
    }
}
