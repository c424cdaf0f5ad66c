//! Renders diagnostics for people and for other programs.

mod github;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "json")]
mod sarif;

use skills_format::diagnostic::Diagnostic;
use std::fmt::Write as _;

pub use crate::view::secrets::{hidden_near, masked};
pub use github::github;
#[cfg(feature = "json")]
pub use json::{BundleTotals, Report, json};
#[cfg(feature = "json")]
pub use sarif::{sarif, sarif_report};
pub use skills_check::render::{Color, Excerpt, Full, Sources, each, full, quoted};

/// Renders one line for each diagnostic: `path:line:col: error[rule]: message`.
pub fn concise(diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let _ = writeln!(out, "{diagnostic}");
    }
    out
}
