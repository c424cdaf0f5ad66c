//! The observer of a long operation.

use std::path::Path;

/// An observer of a long operation: gets its progress, and can cancel it.
pub trait Observer {
    /// Reports progress: one line, replaced by the next.
    fn progress(&self, _line: &str) {}

    /// Reports that another process holds the lock of the folder, and that this process waits.
    fn waiting(&self, _path: &Path, _holder: &str) {}

    /// Reports a failure beside the operation. The operation continues.
    fn warning(&self, _line: &str) {}

    /// Returns whether the user cancels the operation.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// An observer that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl Observer for Quiet {}
