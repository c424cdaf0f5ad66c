//! Makes the diagnostics about sources, and holds the constructors that the catalog shares.

pub(crate) mod reading;

use skills_format::text::path::PathText as _;
use skills_format::{Diagnostic, Prose, RuleId, Severity};
use std::path::Path;

/// Writes a path with `/`, the form of paths in diagnostics.
pub(crate) fn shown(path: &Path) -> String {
    path.shown().into_owned()
}

pub(crate) fn warning(rule: RuleId, path: &Path, message: impl Into<Prose>) -> Diagnostic {
    Diagnostic::new(rule, Severity::Warning, shown(path), message)
}

pub(crate) fn info(rule: RuleId, path: &Path, message: impl Into<Prose>) -> Diagnostic {
    Diagnostic::new(rule, Severity::Info, shown(path), message)
}

pub(crate) fn source_name(path: &Path, written: &str, given: &str, why: &str) -> Diagnostic {
    let message = format!("`{written}` {why}; the source is named `{given}`");
    warning(RuleId::SourceName, path, message)
}
