//! What a test found: the document, and the text for people.

use crate::outcome::Failure;
use crate::output::{Ctx, counted};
use serde::Serialize;
use skills_format::Diagnostic;
use skills_lint::render;
use skills_repository::triggers::Text;
use std::collections::BTreeSet;
use std::io::Write as _;

/// The skills that an answer names. `None` for an answer that is something else.
pub(super) type NamedSkills = Option<Vec<String>>;

#[derive(Debug)]
pub(super) struct Report {
    by: By,
    cases: Vec<Judged>,
    faults: Vec<Diagnostic>,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase", tag = "by")]
pub(super) enum By {
    Words { top: usize },
    Agent { runs: u16 },
}

/// A text, and whether its skill was found.
#[derive(Debug)]
pub(super) struct Judged {
    finding: Diagnostic,
    skill: String,
    text: String,
    should: bool,
    passed: bool,
    detail: Detail,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Detail {
    Words {
        place: Option<usize>,
        first: Vec<String>,
    },
    Agent {
        answers: Vec<NamedSkills>,
    },
}

/// `test --format json`
#[derive(Serialize)]
pub(super) struct TestDocument<'r> {
    #[serde(flatten)]
    by: By,
    passed: usize,
    failed: usize,
    cases: Vec<CaseDocument<'r>>,
    faults: &'r [Diagnostic],
}

#[derive(Serialize)]
struct CaseDocument<'r> {
    path: &'r str,
    line: usize,
    column: usize,
    skill: &'r str,
    text: &'r str,
    should: bool,
    passed: bool,
    #[serde(flatten)]
    detail: &'r Detail,
    message: Option<&'r str>,
}

impl Report {
    pub(super) fn new(by: By, mut cases: Vec<Judged>, faults: Vec<Diagnostic>) -> Self {
        cases.sort_by_cached_key(|it| (it.finding.path.clone(), it.finding.start.offset));
        Self { by, cases, faults }
    }

    pub(super) fn has_failed(&self) -> bool {
        !self.faults.is_empty() || self.failed().next().is_some()
    }

    fn failed(&self) -> impl Iterator<Item = &Judged> {
        self.cases.iter().filter(|case| !case.passed)
    }

    pub(super) fn document(&self) -> TestDocument<'_> {
        let failed = self.failed().count();
        TestDocument {
            by: self.by,
            passed: self.cases.len() - failed,
            failed,
            cases: self.cases.iter().map(Judged::document).collect(),
            faults: &self.faults,
        }
    }

    pub(super) fn print(&self, cx: &mut Ctx) -> Result<(), Failure> {
        let failed = self.failed().map(|case| case.finding.clone());
        let mut findings: Vec<Diagnostic> = self.faults.iter().cloned().chain(failed).collect();
        Diagnostic::sort(&mut findings);
        cx.foreign(&render::concise(&findings))?;
        if !findings.is_empty() {
            writeln!(cx)?;
        }
        let document = self.document();
        let (passed, failed) = (document.passed, document.failed);
        let texts = counted(self.cases.len(), "text");
        writeln!(cx, "{texts}: {passed} passed, {failed} failed")?;
        if !self.faults.is_empty() {
            let faults = counted(self.faults.len(), "problem");
            writeln!(cx, "{faults} in the files that list them")?;
        }
        let helps = self.failed().map(|case| &case.finding.help);
        for help in helps.collect::<BTreeSet<_>>() {
            cx.help(help);
        }
        if matches!(self.by, By::Words { .. }) {
            cx.note("only words were compared: a model decides by meaning");
        }
        Ok(())
    }
}

impl Judged {
    pub(super) fn new(
        case: &Text,
        skill: &str,
        failure: Option<(String, &str)>,
        detail: Detail,
    ) -> Self {
        let passed = failure.is_none();
        let finding = match failure {
            Some((message, help)) => case.finding(&message, help),
            None => case.place.clone(),
        };
        Self {
            finding,
            skill: skill.to_owned(),
            text: case.trigger.text.clone(),
            should: case.trigger.should,
            passed,
            detail,
        }
    }

    fn document(&self) -> CaseDocument<'_> {
        CaseDocument {
            path: &self.finding.path,
            line: self.finding.start.line,
            column: self.finding.start.column,
            skill: &self.skill,
            text: &self.text,
            should: self.should,
            passed: self.passed,
            detail: &self.detail,
            message: (!self.passed).then_some(&self.finding.message),
        }
    }
}
