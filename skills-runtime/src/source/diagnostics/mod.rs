//! Makes the diagnostics about sources, and holds the constructors that the catalog shares.

pub(crate) mod reading;

use crate::bundle::{Baked, Bundle};
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

/// Reports two bundles with one name: the qualified ids of the second bundle are not the ids that the
/// host expects.
pub(crate) fn two_bundles(written: &str, bundles: [&'static Bundle; 2], given: &str) -> Diagnostic {
    const MOST: usize = 3;
    let [first, second] = bundles.map(|bundle| {
        let names: Vec<&str> = bundle.baked().take(MOST).map(Baked::name).collect();
        let more = if bundle.len() > MOST { ", …" } else { "" };
        format!("{}{more}", names.join(", "))
    });
    let message = format!(
        "two bundles are named `{written}`: the bundle of {first}, and the bundle of {second}; the second \
         is named `{given}` now: give each `.bundle(…)` a name of its own"
    );
    Diagnostic::new(RuleId::SourceName, Severity::Error, written, message)
}
