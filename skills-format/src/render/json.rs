//! Diagnostics as one JSON document.

use crate::diagnostic::{Diagnostic, Severity};
use serde::Serialize;

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    checked: usize,
    errors: usize,
    warnings: usize,
    diagnostics: &'a [Diagnostic],
}

/// The JSON document of a check, version 1. `checked` is the number of skills.
pub fn json(diagnostics: &[Diagnostic], checked: usize) -> String {
    let count = |severity| {
        let of = |d: &&Diagnostic| d.severity == severity;
        diagnostics.iter().filter(of).count()
    };
    let document = Document {
        schema: 1,
        checked,
        errors: count(Severity::Error),
        warnings: count(Severity::Warning),
        diagnostics,
    };
    serde_json::to_string_pretty(&document).unwrap_or_default()
}
