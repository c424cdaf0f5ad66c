//! Renders diagnostics as one JSON document.

use serde::Serialize;
use skills_format::diagnostic::{Diagnostic, Severity};

/// The findings of a check, with its totals.
#[derive(Clone, Copy, Debug, Default)]
pub struct Report<'a> {
    /// The findings, in the order in which they are shown.
    pub diagnostics: &'a [Diagnostic],
    /// The findings that a comment or a baseline suppressed.
    pub suppressed: &'a [Diagnostic],
    /// The number of checked skills.
    pub checked: usize,
    /// The bundles of the skills.
    pub bundles: &'a [BundleTotals],
    /// The number of skills that were left out, since git ignores them or a pattern excludes them.
    pub left_out: usize,
}

/// A bundle of a check, with its numbers of skills.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BundleTotals {
    /// The name of the bundle's plugin, or of its folder.
    pub name: String,
    /// The folder of the bundle.
    pub path: String,
    /// The number of skills.
    pub skills: usize,
    /// The number of skills that are copies of skills of other bundles. The originals are checked, not the copies.
    pub mirrors: usize,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    checked: usize,
    errors: usize,
    warnings: usize,
    bundles: &'a [BundleTotals],
    left_out: usize,
    diagnostics: &'a [Diagnostic],
    suppressed: &'a [Diagnostic],
}

/// Renders the JSON document of a check, version 1.
pub fn json(report: &Report<'_>) -> String {
    serde_json::to_string_pretty(&document(report)).unwrap_or_default()
}

/// Renders the same document as [`json`] on one line.
pub fn json_line(report: &Report<'_>) -> String {
    serde_json::to_string(&document(report)).unwrap_or_default()
}

fn document<'a>(report: &Report<'a>) -> Document<'a> {
    let count = |severity| {
        let of = |d: &&Diagnostic| d.severity == severity;
        report.diagnostics.iter().filter(of).count()
    };
    Document {
        schema: 1,
        checked: report.checked,
        errors: count(Severity::Error),
        warnings: count(Severity::Warning),
        bundles: report.bundles,
        left_out: report.left_out,
        diagnostics: report.diagnostics,
        suppressed: report.suppressed,
    }
}
