//! What a long operation reports, and whether it goes on.

use std::path::Path;

/// Watches a long operation.
pub trait Observer {
    /// Something is under way: one line, replaced by the next.
    fn progress(&self, _line: &str) {}

    /// Another process changes the same folder; this one waits for it.
    fn waiting(&self, _path: &Path, _holder: &str) {}

    /// Something beside the operation failed; the operation goes on.
    fn warning(&self, _line: &str) {}

    /// Whether a person asks to stop.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// An observer that hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl Observer for Quiet {}
