//! Renders diagnostics for people and for other programs.

mod drawing;
mod excerpt;
mod folded;
mod full;
#[cfg(feature = "program")]
mod github;
#[cfg(feature = "json")]
mod json;
mod quoted;
#[cfg(feature = "json")]
mod sarif;

use skills_format::diagnostic::Diagnostic;
use std::borrow::Cow;
use std::fmt::Write as _;

pub use crate::view::secrets::masked;
pub use drawing::Color;
pub use excerpt::Excerpt;
pub use folded::folded;
pub use full::{Full, each, full};
#[cfg(feature = "program")]
pub use github::github;
#[cfg(feature = "json")]
pub use json::{BundleTotals, Report, json, json_line};
pub use quoted::quoted;
#[cfg(feature = "json")]
pub use sarif::{sarif, sarif_report};

/// A function that returns the bytes of a file, by the path of a diagnostic.
pub type Sources<'a> = dyn Fn(&str) -> Option<Cow<'a, [u8]>> + 'a;

/// Renders one line for each diagnostic: `path:line:col: error[rule]: message`.
pub fn concise(diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let _ = writeln!(out, "{diagnostic}");
    }
    out
}
