//! What a test found: the document, and the text for people.

use crate::outcome::Failure;
use crate::output::table::Table;
use crate::output::{Ctx, counted, one_line};
use serde::Serialize;
use skills_format::Diagnostic;
use skills_lint::render;
use skills_repository::triggers::Text;
use std::collections::{BTreeMap, BTreeSet};
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

/// The right answers, with the interval of their share among many answers (95 % confidence).
#[derive(Clone, Copy, Debug, Serialize)]
struct Accuracy {
    right: usize,
    answers: usize,
    low: f64,
    high: f64,
}

/// A skill that was answered in place of another.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Taken<'r> {
    skill: &'r str,
    by: &'r str,
    times: usize,
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
        let of_agent = matches!(self.by, By::Agent { .. });
        TestDocument {
            by: self.by,
            passed: self.cases.len() - failed,
            failed,
            accuracy: of_agent.then(|| self.accuracy()),
            taken: of_agent.then(|| self.taken()),
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
        let taken = document.taken.unwrap_or_default();
        if !taken.is_empty() {
            let mut table = Table::new(["SKILL", "TIMES", "ANSWERED INSTEAD"]).right(&[1]);
            for Taken { skill, by, times } in taken {
                table.push([one_line(skill), times.to_string(), one_line(by)]);
            }
            table.print(cx)?;
            writeln!(cx)?;
        }
        let (passed, failed) = (document.passed, document.failed);
        let texts = counted(self.cases.len(), "text");
        writeln!(cx, "{texts}: {passed} passed, {failed} failed")?;
        if let Some(accuracy) = document.accuracy {
            let (answers, right) = (counted(accuracy.answers, "answer"), accuracy.right);
            let (low, high) = (100.0 * accuracy.low, 100.0 * accuracy.high);
            writeln!(
                cx,
                "{answers}: {right} right (with 95 % confidence {low:.1} to {high:.1} % of many)"
            )?;
        }
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

    fn accuracy(&self) -> Accuracy {
        let (mut right, mut answers) = (0, 0);
        for case in &self.cases {
            let of_case = case.answers();
            answers += of_case.len();
            right += of_case
                .iter()
                .filter(|it| case.is_right(it.as_ref()))
                .count();
        }
        let (low, high) = interval(right, answers);
        Accuracy {
            right,
            answers,
            low,
            high,
        }
    }

    /// What the wrong answers for texts of `should` name, most often first.
    fn taken(&self) -> Vec<Taken<'_>> {
        let mut times: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for case in self.cases.iter().filter(|case| case.should) {
            for answer in case.answers() {
                let by = match answer.as_deref() {
                    _ if case.is_right(answer.as_ref()) => continue,
                    None => "unclear",
                    Some([]) => "none",
                    Some([first, ..]) => first,
                };
                *times.entry((&case.skill, by)).or_default() += 1;
            }
        }
        let taken = times.into_iter();
        let taken = taken.map(|((skill, by), times)| Taken { skill, by, times });
        let mut taken: Vec<Taken<'_>> = taken.collect();
        taken.sort_by_key(|taken| usize::MAX - taken.times);
        taken
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

    fn answers(&self) -> &[NamedSkills] {
        match &self.detail {
            Detail::Words { .. } => &[],
            Detail::Agent { answers } => answers,
        }
    }

    fn is_right(&self, names: Option<&Vec<String>>) -> bool {
        names.is_some_and(|names| names.contains(&self.skill) == self.should)
    }
}

/// Returns the interval of a share with 95 % confidence (Wilson, 1927), rounded to four decimal places.
#[expect(clippy::cast_precision_loss, reason = "nobody asks so often")]
fn interval(right: usize, all: usize) -> (f64, f64) {
    const Z: f64 = 1.96;
    if all == 0 {
        return (0.0, 1.0);
    }
    let (right, all) = (right as f64, all as f64);
    let share = right / all;
    let middle = share + Z * Z / (2.0 * all);
    let half = Z * (share * (1.0 - share) / all + Z * Z / (4.0 * all * all)).sqrt();
    let scale = 1.0 + Z * Z / all;
    let rounded = |share: f64| (1e4 * share.clamp(0.0, 1.0)).round() / 1e4;
    (
        rounded((middle - half) / scale),
        rounded((middle + half) / scale),
    )
}

#[cfg(test)]
mod tests {
    use super::interval;

    #[test]
    fn intervals_are_those_of_tables() {
        for (right, all, expected) in [
            (0, 0, (0.0, 1.0)),
            (0, 10, (0.0, 0.2775)),
            (10, 10, (0.7225, 1.0)),
            (5, 10, (0.2366, 0.7634)),
            (81, 263, (0.2553, 0.3662)),
        ] {
            assert_eq!(interval(right, all), expected, "{right} of {all}");
        }
    }
}
