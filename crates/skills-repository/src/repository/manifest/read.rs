//! A manifest that was read, and findings at its values.

use crate::repository::manifest::form::{Fault, Form, Harm};
use serde_json::Value;
use skills_format::yaml::Node;
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
    /// Returns the program that reads the manifest.
    pub(super) fn program(&self) -> Program {
        let mut parts = self.shown.rsplit('/');
        let name = parts.next();
        match (parts.next(), name) {
            (_, Some("gemini-extension.json")) => Program::GeminiCli,
            (Some(".claude-plugin"), _) => Program::ClaudeCode,
            (Some(".codex-plugin"), _) => Program::Codex,
            _ => Program::Other,
        }
    }

    /// Creates a finding about the whole file. The configuration can make its severity milder.
    pub(super) fn finding(&self, rule: RuleId, message: String) -> Diagnostic {
        Diagnostic::new(rule, Severity::Error, self.shown.clone(), message)
    }

    /// Creates a finding at the first place of a JSON string with this text.
    pub(super) fn at(&self, rule: RuleId, value: &str, message: String) -> Diagnostic {
        let finding = self.finding(rule, message);
        // Each place is a search of the whole text: findings that are cut off get none.
        let placed = self.placed.get() + 1;
        self.placed.set(placed);
        if placed > MAX_FINDINGS {
            return finding;
        }
        let literal = serde_json::to_string(value).unwrap_or_default();
        match self.text.find(&literal) {
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

/// The program that reads a manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Program {
    ClaudeCode,
    Codex,
    GeminiCli,
    Other,
}

/// The findings in a manifest.
pub(super) struct Report<'r, 'm> {
    manifest: &'m Manifest,
    pub(super) found: &'r mut Vec<Diagnostic>,
}

impl<'r, 'm> Report<'r, 'm> {
    pub(super) fn new(manifest: &'m Manifest, found: &'r mut Vec<Diagnostic>) -> Self {
        Self { manifest, found }
    }

    /// Reports a fault, and what the program of the manifest then does.
    pub(super) fn fault(&mut self, rule: RuleId, fault: Fault, harm: Harm) {
        let help = match self.manifest.program() {
            Program::ClaudeCode => harm.help(fault.help, "Claude Code"),
            Program::Codex => harm.help(fault.help, "Codex"),
            Program::GeminiCli => harm.help(fault.help, "Gemini CLI"),
            Program::Other => fault.help.to_owned(),
        };
        self.at(rule, fault.span, fault.message, help, harm.most());
    }

    /// Checks the form of a field, if it is there.
    pub(super) fn field(&mut self, object: &Node, field: &str, form: Form, harm: Harm) {
        self.value(object.get(field), field, form, harm);
    }

    /// Checks the form of a value, if it is there. `name` is its field, with those above.
    pub(super) fn value(&mut self, value: Option<&Node>, name: &str, form: Form, harm: Harm) {
        if let Some(fault) = value.and_then(|value| form.fault(name, value)) {
            self.fault(RuleId::ManifestForm, fault, harm);
        }
    }

    /// Reports a fault at a place. The configuration can make the severity milder.
    pub(super) fn at(
        &mut self,
        rule: RuleId,
        span: Span,
        message: String,
        help: String,
        severity: Severity,
    ) {
        // Each place costs a pass over the text.
        if is_full(self.found) {
            return;
        }
        let mut finding = self.manifest.finding(rule, message);
        finding.severity = severity;
        let finding = finding.at(self.manifest.text.as_bytes(), span);
        self.found.push(finding.help(help));
    }
}
