//! The result as a JSON document.

use crate::commands::test::accuracy::{Accuracy, Taken};
use crate::commands::test::report::{By, Detail, Judged, Report};
use serde::Serialize;
use skills_format::Diagnostic;

/// `test --format json`
#[derive(Serialize)]
pub(super) struct TestDocument<'r> {
    #[serde(flatten)]
    by: By,
    passed: usize,
    failed: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    accuracy: Option<Accuracy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    taken: Option<Vec<Taken<'r>>>,
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
    pub(super) fn document(&self) -> TestDocument<'_> {
        let failed = self.failed().count();
        TestDocument {
            by: self.by,
            passed: self.cases.len() - failed,
            failed,
            accuracy: self.accuracy(),
            taken: self.taken(),
            cases: self.cases.iter().map(Judged::document).collect(),
            faults: self.faults(),
        }
    }
}

impl Judged {
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
