//! Diagnostics about sources, and the constructors that the catalog shares.

#[cfg(feature = "discover")]
pub(crate) mod reading;

use skills_format::{Diagnostic, Severity};
use std::path::Path;

/// Writes a path as diagnostics show it: with `/`.
pub(crate) fn shown(path: &Path) -> String {
    let path = path.to_string_lossy();
    if cfg!(windows) {
        path.replace('\\', "/")
    } else {
        path.into_owned()
    }
}

pub(crate) fn warning(rule: &'static str, path: &Path, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(rule, Severity::Warning, shown(path), message)
}

pub(crate) fn info(rule: &'static str, path: &Path, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(rule, Severity::Info, shown(path), message)
}

pub(crate) fn source_name(path: &Path, written: &str, given: &str, why: &str) -> Diagnostic {
    let message = format!("`{written}` {why}; the source is named `{given}`");
    warning("source-name", path, message)
}
