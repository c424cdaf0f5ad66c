//! What a test found: the document, and the text for people.

use crate::outcome::Failure;
use crate::output::{Ctx, counted};
use serde_json::{Value, json};
use skills_format::Diagnostic;
use skills_lint::render;
use skills_repository::triggers::Text;
use std::collections::BTreeSet;
use std::io::Write as _;

/// The skills that an answer names. `None` for an answer that is something else.
pub(super) type NamedSkills = Option<Vec<String>>;

/// What a test found.
pub(super) struct TestReport {
    /// True if an agent was asked.
    by_agent: bool,
    cases: Vec<Judged>,
    faults: Vec<Diagnostic>,
}

/// A text, and whether its skill was found.
pub(super) struct Judged {
    passed: bool,
    finding: Diagnostic,
    document: Value,
}

impl TestReport {
    pub(super) fn new(by_agent: bool, mut cases: Vec<Judged>, faults: Vec<Diagnostic>) -> Self {
        cases.sort_by_cached_key(|it| (it.finding.path.clone(), it.finding.start.offset));
        Self {
            by_agent,
            cases,
            faults,
        }
    }

    /// Returns the document of `test --format json`. `by` says how the texts were judged.
    pub(super) fn document(&self, mut by: Value) -> Value {
        let failed = self.failed().count();
        let cases = self.cases.iter().map(|case| &case.document);
        by["passed"] = (self.cases.len() - failed).into();
        by["failed"] = failed.into();
        by["cases"] = cases.cloned().collect();
        by["faults"] = json!(self.faults);
        by
    }

    fn failed(&self) -> impl Iterator<Item = &Diagnostic> {
        let failed = self.cases.iter().filter(|case| !case.passed);
        failed.map(|case| &case.finding)
    }

    pub(super) fn has_failed(&self) -> bool {
        !self.faults.is_empty() || self.failed().next().is_some()
    }

    pub(super) fn print(&self, cx: &mut Ctx) -> Result<(), Failure> {
        let failed: Vec<&Diagnostic> = self.failed().collect();
        let mut findings: Vec<Diagnostic> = self.faults.clone();
        findings.extend(failed.iter().copied().cloned());
        Diagnostic::sort(&mut findings);
        cx.foreign(&render::concise(&findings))?;
        if !findings.is_empty() {
            writeln!(cx)?;
        }
        let texts = counted(self.cases.len(), "prompt");
        let passed = self.cases.len() - failed.len();
        writeln!(cx, "{texts}: {passed} passed, {} failed", failed.len())?;
        if !self.faults.is_empty() {
            let faults = counted(self.faults.len(), "problem");
            writeln!(cx, "{faults} in the files that list them")?;
        }
        let helps = failed.iter().map(|finding| &finding.help);
        for help in helps.collect::<BTreeSet<_>>() {
            cx.help(help);
        }
        if !self.by_agent {
            cx.note("only words were compared: a model decides by meaning");
        }
        Ok(())
    }
}

impl Judged {
    pub(super) fn new(
        case: &Text,
        skill: &str,
        failure: Option<&(String, &str)>,
        mut document: Value,
    ) -> Self {
        let finding = match failure {
            Some((message, help)) => case.finding(message, help),
            None => case.place.clone(),
        };
        document["path"] = json!(finding.path);
        document["line"] = json!(finding.start.line);
        document["column"] = json!(finding.start.column);
        document["skill"] = json!(skill);
        document["text"] = json!(case.trigger.text);
        document["should"] = json!(case.trigger.should);
        document["passed"] = json!(failure.is_none());
        document["message"] = json!(failure.map(|_| finding.message.to_string()));
        Self {
            passed: failure.is_none(),
            finding,
            document,
        }
    }
}
