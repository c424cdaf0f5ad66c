use crate::commands::test::accuracy::{Accuracy, Taken};
use crate::commands::test::tested::Tested;
use crate::outcome::Failure;
use crate::output::table::Table;
use crate::output::{Ctx, counted, one_line};
use serde::Serialize;
use skills_format::Diagnostic;
use skills_lint::render;
use skills_repository::triggers::Text;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;

/// The result of a test.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) by: By,
    pub(super) cases: Vec<Judged>,
    faults: Vec<Diagnostic>,
}

/// The judge of a test.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase", tag = "by")]
pub(super) enum By {
    /// Words. A skill is found when it is among the first `top` skills.
    Words { top: usize },
    /// An agent, with `runs` questions for each message.
    Agent { runs: u16 },
}

/// A message of a trigger file, and its result.
#[derive(Debug)]
pub(super) struct Judged {
    /// The place of the message in its file, and the reason of a failure.
    pub(super) finding: Diagnostic,
    pub(super) skill: String,
    pub(super) text: String,
    pub(super) should: bool,
    pub(super) passed: bool,
    pub(super) detail: Detail,
}

/// The details of a result.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Detail {
    Words {
        /// The rank of the skill, from 1. `None` for a skill without a word of the message.
        place: Option<usize>,
        /// The first skills, best first.
        first: Vec<String>,
    },
    Agent {
        /// The answer of each run. `None` for an answer that is not a list of names.
        answers: Vec<Option<Vec<String>>>,
    },
}

impl Report {
    pub(super) fn new(by: By, mut cases: Vec<Judged>, faults: Vec<Diagnostic>) -> Self {
        cases.sort_by(|a, b| {
            let key = |judged: &Judged| (judged.finding.path.clone(), judged.finding.start.offset);
            key(a).cmp(&key(b))
        });
        Self { by, cases, faults }
    }

    pub(super) fn has_failed(&self) -> bool {
        !self.faults.is_empty() || self.failed().next().is_some()
    }

    pub(super) fn failed(&self) -> impl Iterator<Item = &Judged> {
        self.cases.iter().filter(|case| !case.passed)
    }

    pub(super) fn faults(&self) -> &[Diagnostic] {
        &self.faults
    }

    /// Prints the failures, then the totals.
    pub(super) fn print(&self, cx: &mut Ctx) -> Result<(), Failure> {
        let failed = self.failed().map(|case| case.finding.clone());
        let mut findings: Vec<Diagnostic> = self.faults.iter().cloned().chain(failed).collect();
        Diagnostic::sort(&mut findings);
        cx.foreign(&render::concise(&findings))?;
        if !findings.is_empty() {
            writeln!(cx)?;
        }
        self.print_taken(cx)?;
        self.print_sums(cx)?;
        let helps = self.failed().map(|case| &case.finding.help);
        for help in helps.collect::<BTreeSet<_>>() {
            cx.help(help);
        }
        if matches!(self.by, By::Words { .. }) {
            cx.note("only words were compared: a model decides by meaning");
        }
        Ok(())
    }

    fn print_sums(&self, cx: &mut Ctx) -> Result<(), Failure> {
        let failed = self.failed().count();
        let passed = self.cases.len() - failed;
        let texts = counted(self.cases.len(), "text");
        writeln!(cx, "{texts}: {passed} passed, {failed} failed")?;
        if let Some(accuracy) = self.accuracy() {
            let Accuracy { right, answers, .. } = accuracy;
            let percent = |share: f64| 100.0 * share;
            writeln!(
                cx,
                "{}: {right} right (with 95 % confidence {:.1} to {:.1} % of many)",
                counted(answers, "answer"),
                percent(accuracy.low),
                percent(accuracy.high)
            )?;
        }
        if !self.faults.is_empty() {
            let faults = counted(self.faults.len(), "problem");
            writeln!(cx, "{faults} in the files that list them")?;
        }
        Ok(())
    }

    fn print_taken(&self, cx: &mut Ctx) -> Result<(), Failure> {
        let taken = self.taken().unwrap_or_default();
        if taken.is_empty() {
            return Ok(());
        }
        let mut table = Table::new(["SKILL", "TIMES", "ANSWERED INSTEAD"]).right(&[1]);
        for Taken { skill, by, times } in taken {
            table.push([one_line(skill), times.to_string(), one_line(by)]);
        }
        table.print(cx)?;
        writeln!(cx)?;
        Ok(())
    }

    /// Returns the number of right answers of an agent.
    pub(super) fn accuracy(&self) -> Option<Accuracy> {
        let By::Agent { .. } = self.by else {
            return None;
        };
        let of = |case: &Judged| {
            case.answers()
                .iter()
                .map(|answer| case.is_right(answer.as_ref()))
                .collect()
        };
        let all: Vec<bool> = self
            .cases
            .iter()
            .flat_map(|case| -> Vec<bool> { of(case) })
            .collect();
        let right = all.iter().filter(|is_right| **is_right).count();
        Some(Accuracy::new(right, all.len()))
    }

    /// Returns the wrong answers of an agent, the most frequent first.
    pub(super) fn taken(&self) -> Option<Vec<Taken<'_>>> {
        let By::Agent { .. } = self.by else {
            return None;
        };
        let mut times: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for case in self.cases.iter().filter(|case| case.should) {
            let wrong = case
                .answers()
                .iter()
                .filter(|answer| !case.is_right(answer.as_ref()));
            for answer in wrong {
                let by = match answer.as_deref() {
                    None => "unclear",
                    Some([]) => "none",
                    Some([first, ..]) => first,
                };
                *times.entry((&case.skill, by)).or_default() += 1;
            }
        }
        let mut taken: Vec<Taken<'_>> = times
            .into_iter()
            .map(|((skill, by), times)| Taken { skill, by, times })
            .collect();
        taken.sort_by_key(|taken| usize::MAX - taken.times);
        Some(taken)
    }
}

impl Judged {
    /// Builds the result of a message. `failure` is the reason of a failure, and the help.
    pub(super) fn new(
        case: &Text,
        bundle: &Tested,
        failure: Option<(String, &str)>,
        detail: Detail,
    ) -> Self {
        let passed = failure.is_none();
        let finding = failure.map_or_else(
            || case.place.clone(),
            |(message, help)| case.finding(&message, help),
        );
        Self {
            finding,
            skill: bundle.loaded.name(case.skill).to_owned(),
            text: case.trigger.text.clone(),
            should: case.trigger.should,
            passed,
            detail,
        }
    }

    fn answers(&self) -> &[Option<Vec<String>>] {
        match &self.detail {
            Detail::Words { .. } => &[],
            Detail::Agent { answers } => answers,
        }
    }

    fn is_right(&self, names: Option<&Vec<String>>) -> bool {
        names.is_some_and(|names| names.contains(&self.skill) == self.should)
    }
}
