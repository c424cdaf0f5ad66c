//! The open documents.

use crate::text::{LineText, Unit};
use lsp_types::{TextDocumentContentChangeEvent, Uri};
use skills_format::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The maximum length of a document in bytes. The check reads no longer file; a longer text is not kept.
pub(crate) const LONGEST: usize = 16 << 20;

/// An open document.
pub(crate) struct Document {
    /// The URI as the client writes it. An answer with another spelling would be about another file to the client.
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    pub(crate) text: Arc<str>,
}

/// The open documents, by their paths.
#[derive(Default)]
pub(crate) struct Documents {
    open: BTreeMap<PathBuf, Document>,
    /// The open documents whose texts are too long. The files on the disk count.
    too_long: BTreeSet<PathBuf>,
}

/// What became of the changes of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Changed {
    Done,
    NotOpen,
    /// The text is now too long.
    Grown,
    /// The text was too long before.
    TooLong,
}

impl Documents {
    /// Opens a document. Returns false if its text is too long.
    pub(crate) fn open(&mut self, path: PathBuf, uri: Uri, version: i32, text: &str) -> bool {
        if text.len() > LONGEST {
            self.open.remove(&path);
            self.too_long.insert(path);
            return false;
        }
        self.too_long.remove(&path);
        let text = Arc::from(text);
        self.open.insert(path, Document { uri, version, text });
        true
    }

    pub(crate) fn change(
        &mut self,
        path: &Path,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        unit: Unit,
    ) -> Changed {
        let Some(document) = self.open.get_mut(path) else {
            return if self.too_long.contains(path) {
                Changed::TooLong
            } else {
                Changed::NotOpen
            };
        };
        document.version = version;
        for change in changes {
            let mut text = String::from(&*document.text);
            match change.range {
                None => text = change.text,
                Some(range) => {
                    let lines = LineText::new(document.text.as_bytes());
                    let start = lines.offset(range.start, unit);
                    let end = lines.offset(range.end, unit).max(start);
                    text.replace_range(start..end, &change.text);
                }
            }
            if text.len() > LONGEST {
                self.open.remove(path);
                self.too_long.insert(path.to_owned());
                return Changed::Grown;
            }
            document.text = text.into();
        }
        Changed::Done
    }

    pub(crate) fn close(&mut self, path: &Path) {
        self.open.remove(path);
        self.too_long.remove(path);
    }

    pub(crate) fn get(&self, path: &Path) -> Option<&Document> {
        self.open.get(path)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Path, &Document)> {
        self.open
            .iter()
            .map(|(path, document)| (path.as_path(), document))
    }
}

/// Returns the bytes of a text as the check takes them.
pub(crate) fn bytes(text: &Arc<str>) -> Arc<[u8]> {
    Arc::from(Arc::clone(text))
}

/// Returns whether two spans share a place. A span without bytes shares its place.
pub(crate) fn touch(a: Span, b: Span) -> bool {
    a.start <= b.end && b.start <= a.end
}
