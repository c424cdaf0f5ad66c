//! Findings as an editor shows them.

use crate::text::{LineText, Unit};
use lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location,
    NumberOrString, Position, Range, Uri,
};
use skills_format::{Diagnostic as Finding, Related, Severity};
use skills_lint::rules;
use std::str::FromStr as _;

/// The page of the specification, as the SARIF of `skills check` links it.
const PAGE: &str = "https://agentskills.io/specification";

/// Returns a finding as the protocol writes it. The help is a part of the message, since editors show nothing else.
/// `related` finds the place in another file.
pub(crate) fn diagnostic(
    finding: &Finding,
    lines: &LineText<'_>,
    unit: Unit,
    related: impl Fn(&Related) -> Option<Location>,
) -> Diagnostic {
    let message = finding.message.to_string();
    let message = if finding.help.is_empty() {
        message
    } else {
        format!("{message}\nhelp: {}", finding.help)
    };
    // A finding of the lock knows its line alone.
    let line = finding.start.line.saturating_sub(1);
    let range = if finding.start.offset == 0 && line > 0 {
        let place = Position::new(u32::try_from(line).unwrap_or(u32::MAX), 0);
        Range::new(place, place)
    } else {
        lines.range(finding.span(), unit)
    };
    let is_rule = rules::find(finding.rule.as_str()).is_some();
    let related_information = finding.related.as_deref().and_then(related);
    Diagnostic {
        range,
        severity: Some(match finding.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Info => DiagnosticSeverity::INFORMATION,
        }),
        code: Some(NumberOrString::String(finding.rule.to_string())),
        code_description: Uri::from_str(PAGE)
            .ok()
            .filter(|_| is_rule)
            .map(|href| CodeDescription { href }),
        source: Some("skills".to_owned()),
        message,
        related_information: related_information.map(|location| {
            let message = "the other skill".to_owned();
            vec![DiagnosticRelatedInformation { location, message }]
        }),
        ..Diagnostic::default()
    }
}
