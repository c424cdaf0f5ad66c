//! Renders diagnostics as one JSON document.

use crate::view::secrets::masked;
use serde::Serialize;
use skills_format::diagnostic::{Diagnostic, Fix, Severity};
use std::borrow::Cow;

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
    diagnostics: Cow<'a, [Diagnostic]>,
    suppressed: Cow<'a, [Diagnostic]>,
}

/// Renders the JSON document of a check, version 1.
pub fn json(report: &Report<'_>) -> String {
    serde_json::to_string_pretty(&document(report)).unwrap_or_default()
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
        diagnostics: printable(report.diagnostics),
        suppressed: printable(report.suppressed),
    }
}

/// Leaves out the fixes whose text holds a key. A fix cannot be masked: an editor would write the mask.
fn printable(diagnostics: &[Diagnostic]) -> Cow<'_, [Diagnostic]> {
    let is_secret = |found: &Diagnostic| found.fix.as_ref().is_some_and(holds_secret);
    if !diagnostics.iter().any(is_secret) {
        return Cow::Borrowed(diagnostics);
    }
    let mut printable = diagnostics.to_vec();
    let secret = printable.iter_mut().filter(|found| is_secret(found));
    secret.for_each(|found| found.fix = None);
    Cow::Owned(printable)
}

/// Returns whether a text that a fix writes holds a key.
pub(crate) fn holds_secret(fix: &Fix) -> bool {
    let mut texts = fix.edits.iter().map(|edit| &edit.text);
    texts.any(|text| matches!(masked(text), Cow::Owned(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_format::diagnostic::Edit;
    use skills_format::diagnostic::rule_id::RuleId;
    use skills_format::text::span::Span;

    #[test]
    fn no_fix_prints_a_key() {
        let found = |text: &str| {
            let fix = Fix::guess(vec![Edit::replace(Span::new(0, 1), text)]);
            Diagnostic::new(RuleId::YamlSyntax, Severity::Error, "a/SKILL.md", "m").fix(fix)
        };
        let diagnostics = [
            found("ghp_R7qk2ZsW9pLmX4vT8bNcY3hJ6fGdA1eU5oQi"),
            found("x"),
        ];
        let report = Report {
            diagnostics: &diagnostics,
            suppressed: &diagnostics,
            ..Report::default()
        };
        let sources = |_: &str| Some(Cow::Borrowed(&b"abc"[..]));
        let sarif = crate::render::sarif_report(&report, &sources);
        for (text, fixes) in [
            (json(&report), "\"text\": \"x\""),
            (sarif, "\"text\": \"x\""),
        ] {
            assert!(!text.contains("R7qk"), "{text}");
            assert_eq!(text.matches(fixes).count(), 2, "{text}");
        }
    }
}
