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

/// `test --format json`
#[derive(Debug, Serialize)]
pub(super) struct TestDocument {
    #[serde(flatten)]
    by: By,
    passed: usize,
    failed: usize,
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
#[derive(Debug, Serialize)]
pub(super) struct Judged {
    path: String,
    line: usize,
    column: usize,
    skill: String,
    text: String,
    should: bool,
    passed: bool,
    #[serde(flatten)]
    detail: Detail,
    message: Option<String>,
    #[serde(skip)]
    finding: Diagnostic,
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

impl TestDocument {
    pub(super) fn new(by: By, mut cases: Vec<Judged>, faults: Vec<Diagnostic>) -> Self {
        cases.sort_by_cached_key(|it| (it.path.clone(), it.finding.start.offset));
        let passed = cases.iter().filter(|case| case.passed).count();
        Self {
            by,
            passed,
            failed: cases.len() - passed,
            cases,
            faults,
        }
    }

    pub(super) fn has_failed(&self) -> bool {
        !self.faults.is_empty() || self.failed > 0
    }

    pub(super) fn print(&self, cx: &mut Ctx) -> Result<(), Failure> {
        let failed = self.cases.iter().filter(|case| !case.passed);
        let failed: Vec<&Diagnostic> = failed.map(|case| &case.finding).collect();
        let mut findings: Vec<Diagnostic> = self.faults.clone();
        findings.extend(failed.iter().copied().cloned());
        Diagnostic::sort(&mut findings);
        cx.foreign(&render::concise(&findings))?;
        if !findings.is_empty() {
            writeln!(cx)?;
        }
        let texts = counted(self.cases.len(), "text");
        writeln!(
            cx,
            "{texts}: {} passed, {} failed",
            self.passed, self.failed
        )?;
        if !self.faults.is_empty() {
            let faults = counted(self.faults.len(), "problem");
            writeln!(cx, "{faults} in the files that list them")?;
        }
        let helps = failed.iter().map(|finding| &finding.help);
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
        let finding = match &failure {
            Some((message, help)) => case.finding(message, help),
            None => case.place.clone(),
        };
        Self {
            path: finding.path.clone(),
            line: finding.start.line,
            column: finding.start.column,
            skill: skill.to_owned(),
            text: case.trigger.text.clone(),
            should: case.trigger.should,
            passed: failure.is_none(),
            detail,
            message: failure.map(|_| finding.message.to_string()),
            finding,
        }
    }
}
