//! A manifest that was read, and findings at its values.

use serde_json::Value;
use skills_format::{Diagnostic, RuleId, Severity, Span};
use std::cell::Cell;

/// The maximum number of findings in one manifest.
pub(super) const MAX_FINDINGS: usize = 100;

/// Returns whether there are more findings than are shown. The next one ends the check: the place of each costs a pass
/// over the text, which took minutes for 100,000 faults.
pub(super) fn is_full(found: &[Diagnostic]) -> bool {
    found.len() > MAX_FINDINGS
}

/// A manifest that was read.
pub(crate) struct Manifest {
    /// The printed path.
    pub(crate) shown: String,
    pub(crate) text: String,
    pub(crate) value: Value,
    /// The number of findings that were placed.
    pub(crate) placed: Cell<usize>,
}

impl Manifest {
    /// Creates a finding about the whole file. Its severity is set by the configuration.
    pub(super) fn finding(&self, rule: RuleId, message: String) -> Diagnostic {
        Diagnostic::new(rule, Severity::Warning, self.shown.clone(), message)
    }

    /// Creates a finding at the first place of a JSON string with this text.
    pub(super) fn at(&self, rule: RuleId, value: &str, message: String) -> Diagnostic {
        self.placed(rule, value, message, |text, literal| text.find(literal))
    }

    /// Creates a finding at the last place of a JSON string with this text.
    pub(super) fn at_last(&self, rule: RuleId, value: &str, message: String) -> Diagnostic {
        self.placed(rule, value, message, |text, literal| text.rfind(literal))
    }

    fn placed(
        &self,
        rule: RuleId,
        value: &str,
        message: String,
        find: fn(&str, &str) -> Option<usize>,
    ) -> Diagnostic {
        let finding = self.finding(rule, message);
        // Each place is a search of the whole text: findings that are cut off get none.
        let placed = self.placed.get() + 1;
        self.placed.set(placed);
        if placed > MAX_FINDINGS {
            return finding;
        }
        let literal = serde_json::to_string(value).unwrap_or_default();
        match find(&self.text, &literal) {
            Some(at) if !literal.is_empty() => {
                finding.at(self.text.as_bytes(), Span::new(at, at + literal.len()))
            }
            // The text is written with other escapes.
            _ => finding,
        }
    }

    pub(super) fn missing(&self, field: &str, path: &str) -> Diagnostic {
        let message = format!("`{field}` names `{path}`, which does not exist");
        let finding = self.at(RuleId::ManifestPath, path, message);
        finding.help("write a path that exists, or remove it; clients cannot install the plugin")
    }

    pub(super) fn leads_out(&self, field: &str, path: &str) -> Diagnostic {
        let message = format!("`{field}` names `{path}`, which leads out of the plugin");
        let finding = self.at(RuleId::ManifestPath, path, message);
        finding.help("write a path below the folder, without `..`")
    }
}
