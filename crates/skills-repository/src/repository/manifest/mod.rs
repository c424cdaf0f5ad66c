//! The manifests of plugins and marketplaces: their form, the paths that they name, and their names.
//!
//! What Claude Code 2.1.330, Codex 0.169.0 and Gemini CLI 0.61.0 refuse, and what they load without a part, was measured
//! and is a finding. The finer points of a program's own validator, such as `claude plugin validate`, are not repeated:
//! hooks and servers are not looked into.

mod agent;
mod check;
mod form;
mod paths;

pub(crate) use check::{marketplace, plugin};
pub(crate) use form::text;
pub(crate) use paths::{Paths, is_missing};

use skills_format::yaml::{Node, YamlError, json};
use skills_format::{Diagnostic, RuleId, Severity, Span};
use std::io;

/// The maximum number of findings in one manifest.
const MAX_FINDINGS: usize = 100;

/// The program that reads a manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Program {
    ClaudeCode,
    Codex,
    GeminiCli,
    Other,
}

/// A manifest that was parsed.
pub(crate) struct Manifest {
    /// The printed path.
    shown: String,
    text: String,
    pub(crate) file: Node,
    program: Program,
}

impl Manifest {
    /// Reads a JSON file. Returns `None` if it is missing. An unreadable file is reported.
    pub(crate) fn read(
        shown: String,
        text: io::Result<String>,
        help: &str,
        found: &mut Vec<Diagnostic>,
    ) -> Option<Self> {
        let finding = |message| {
            Diagnostic::new(
                RuleId::ManifestForm,
                Severity::Error,
                shown.clone(),
                message,
            )
            .help(help)
        };
        let text = match text {
            Ok(text) => text,
            Err(error) if is_missing(&error) => return None,
            Err(error) => {
                found.push(finding(format!("it cannot be read: {error}")));
                return None;
            }
        };
        match json::parse(&text) {
            Ok(file) => Some(Self {
                program: Program::of(&shown),
                shown,
                text,
                file,
            }),
            Err(YamlError {
                offset, message, ..
            }) => {
                let finding = finding(format!("it is not JSON: {message}"));
                found.push(finding.at(text.as_bytes(), Span::at(offset)));
                None
            }
        }
    }
}

impl Program {
    fn of(path: &str) -> Self {
        let mut parts = path.rsplit('/');
        let name = parts.next();
        match (parts.next(), name) {
            (_, Some("gemini-extension.json")) => Self::GeminiCli,
            (Some(".claude-plugin"), _) => Self::ClaudeCode,
            (Some(".codex-plugin"), _) => Self::Codex,
            _ => Self::Other,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
            Self::GeminiCli => "Gemini CLI",
            Self::Other => "a client",
        }
    }
}

/// The findings in one manifest.
struct Report<'r> {
    manifest: &'r Manifest,
    found: Vec<Diagnostic>,
}

impl<'r> Report<'r> {
    fn new(manifest: &'r Manifest) -> Self {
        Self {
            manifest,
            found: Vec::new(),
        }
    }

    /// Returns whether there are more findings than are shown. Then nothing more is looked at.
    fn is_full(&self) -> bool {
        self.found.len() > MAX_FINDINGS
    }

    fn is_claude(&self) -> bool {
        self.manifest.program == Program::ClaudeCode
    }

    /// Reports a fault at a place. The configuration can make the severity milder.
    fn at(&mut self, rule: RuleId, severity: Severity, span: Span, message: String, help: String) {
        // Each place costs a pass over the text.
        if !self.is_full() {
            let found = Diagnostic::new(rule, severity, &*self.manifest.shown, message);
            let found = found.at(self.manifest.text.as_bytes(), span);
            self.found.push(found.help(help));
        }
    }

    /// Reports an error of a path.
    fn path_error(&mut self, span: Span, message: String, help: String) {
        self.at(RuleId::ManifestPath, Severity::Error, span, message, help);
    }

    /// Reports an error in the form.
    fn form_error(&mut self, span: Span, message: String, help: &str) {
        let help = help.to_owned();
        self.at(RuleId::ManifestForm, Severity::Error, span, message, help);
    }

    /// Reports a fault in the form, and what the program then does.
    fn form(&mut self, span: Span, message: String, help: &str, harm: form::Harm) {
        let help = harm.help(help, self.manifest.program.name());
        self.at(RuleId::ManifestForm, harm.severity(), span, message, help);
    }

    /// Reports a fault of a name, and what the program then does.
    fn name(&mut self, span: Span, message: String, harm: form::Harm) {
        let help = "write small letters, digits and hyphens";
        let help = harm.help(help, self.manifest.program.name());
        self.at(RuleId::ManifestName, Severity::Error, span, message, help);
    }

    /// Returns the findings. Those beyond the maximum are replaced by one that says so.
    fn end(mut self) -> Vec<Diagnostic> {
        if self.is_full() {
            self.found.truncate(MAX_FINDINGS);
            let message = "there are more faults, which are not shown";
            let path = self.manifest.shown.clone();
            let found = Diagnostic::new(RuleId::ManifestForm, Severity::Error, path, message);
            self.found
                .push(found.help("correct the faults that are shown first"));
        }
        self.found
    }
}
