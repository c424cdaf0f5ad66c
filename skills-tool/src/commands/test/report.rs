use crate::commands::select::margin_of;
use crate::commands::test::collect::{Case, Tested};
use crate::outcome::Failure;
use crate::output::{Output, counted, one_line};
use serde::Serialize;
use skills_format::render;
use skills_format::{Diagnostic, Hit, SkillWords, WordIndex};
use std::collections::BTreeSet;
use std::io::Write as _;

/// How far ahead a skill must be to be found for a text of `should_not`.
const AHEAD: f64 = 0.1;
/// The most characters of a text in a message.
const SHOWN: usize = 60;
/// How many skills before the right one are named.
const NAMED: usize = 3;

/// What the test found.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) cases: Vec<Judged>,
    faults: Vec<Diagnostic>,
    top: usize,
}

/// A text, and which skills have its words.
#[derive(Debug)]
pub(super) struct Judged {
    /// Where the text stands, and why it failed.
    pub(super) finding: Diagnostic,
    pub(super) skill: String,
    pub(super) text: String,
    should: bool,
    pub(super) passed: bool,
    /// The place of the skill, from 1. `None`: it has no word of the text.
    place: Option<usize>,
    /// The first skills, best first.
    first: Vec<String>,
}

/// `test --format json`
#[derive(Serialize)]
pub(super) struct Document<'r> {
    schema: u32,
    /// What judged.
    by: &'static str,
    top: usize,
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
    place: Option<usize>,
    first: &'r [String],
    message: Option<&'r str>,
}

impl Report {
    /// Asks for every text which skills have its words.
    pub(super) fn new(bundles: &[Tested], faults: Vec<Diagnostic>, top: usize) -> Self {
        let mut cases = Vec::new();
        for bundle in bundles.iter().filter(|bundle| !bundle.triggers.is_empty()) {
            let index = WordIndex::new(&bundle.words);
            let judged = bundle.triggers.iter();
            cases.extend(judged.map(|case| judge(case, bundle, &index, top)));
        }
        cases.sort_by(|a, b| {
            let key = |judged: &Judged| (judged.finding.path.clone(), judged.finding.start.offset);
            key(a).cmp(&key(b))
        });
        Self { cases, faults, top }
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

    /// Prints what failed, then the sums.
    pub(super) fn print(&self, output: &mut Output) -> Result<(), Failure> {
        let failed = self.failed().map(|case| case.finding.clone());
        let mut findings: Vec<Diagnostic> = self.faults.iter().cloned().chain(failed).collect();
        Diagnostic::sort(&mut findings);
        output.foreign(&render::concise(&findings))?;
        if !findings.is_empty() {
            writeln!(output)?;
        }
        let helps: BTreeSet<&str> = self
            .failed()
            .map(|case| case.finding.help.as_str())
            .collect();
        let failed = self.failed().count();
        let passed = self.cases.len() - failed;
        let texts = counted(self.cases.len(), "text");
        writeln!(output, "{texts}: {passed} passed, {failed} failed")?;
        if !self.faults.is_empty() {
            let faults = counted(self.faults.len(), "problem");
            writeln!(output, "{faults} in the files that list them")?;
        }
        for help in helps {
            output.help(help);
        }
        output.note("only words were compared: a model decides by meaning");
        Ok(())
    }

    pub(super) fn document(&self) -> Document<'_> {
        let failed = self.failed().count();
        Document {
            schema: 1,
            by: "words",
            top: self.top,
            passed: self.cases.len() - failed,
            failed,
            cases: self.cases.iter().map(Judged::document).collect(),
            faults: &self.faults,
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
            place: self.place,
            first: &self.first,
            message: (!self.passed).then_some(&self.finding.message),
        }
    }
}

fn judge(case: &Case, bundle: &Tested, index: &WordIndex, top: usize) -> Judged {
    let hits = index.rank(&case.trigger.text);
    let place = hits.iter().position(|hit| hit.skill == case.skill);
    let name = |skill: usize| bundle.names.get(skill).cloned().unwrap_or_default();
    let first: Vec<String> = hits
        .iter()
        .take(top.max(NAMED))
        .map(|hit| name(hit.skill))
        .collect();
    let skill = name(case.skill);
    let failure = if case.trigger.should {
        not_found(&skill, place, &first, top)
    } else {
        found(&skill, place, &hits, &case.trigger.text)
    };
    let mut finding = case.place.clone();
    if let Some((message, help)) = &failure {
        finding.message = format!(
            "for `{}`, {message}",
            shortened(&one_line(&case.trigger.text))
        );
        finding = finding.help(*help);
    }
    Judged {
        finding,
        skill,
        text: case.trigger.text.clone(),
        should: case.trigger.should,
        passed: failure.is_none(),
        place: place.map(|place| place + 1),
        first,
    }
}

/// A text in a message.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Why a skill that should be chosen is not found, and what to do.
fn not_found(
    skill: &str,
    place: Option<usize>,
    first: &[String],
    top: usize,
) -> Option<(String, &'static str)> {
    let skill = one_line(skill);
    let before = place.unwrap_or(NAMED).min(NAMED);
    let first: Vec<String> = first
        .iter()
        .take(before)
        .map(|name| one_line(name))
        .collect();
    let first = first.join(", ");
    let message = match place {
        Some(place) if place < top => return None,
        Some(place) => format!("{skill} is number {} by words, after {first}", place + 1),
        None if first.is_empty() => format!("neither {skill} nor another skill has a word of it"),
        None => format!("{skill} has no word of it; the first are {first}"),
    };
    let help = "put words that people use into the description, `when-to-use` or the tags";
    Some((message, help))
}

/// Why a skill that should not be chosen is found, and what to do.
fn found(
    skill: &str,
    place: Option<usize>,
    hits: &[Hit],
    text: &str,
) -> Option<(String, &'static str)> {
    let margin = margin_of(hits.iter().map(|hit| hit.score));
    let asked = SkillWords::new([], text, "", []);
    let asked: BTreeSet<&str> = asked.words().collect();
    let had = hits.first().map_or(0, |hit| hit.words.len());
    if place != Some(0) || margin < AHEAD || had * 2 < asked.len() {
        return None;
    }
    let skill = one_line(skill);
    let words = hits.first().map(|hit| hit.words.join(", "));
    let words = one_line(&words.unwrap_or_default());
    let message = if hits.len() == 1 {
        format!("only {skill} has words of it: {words}")
    } else {
        let percent = (100.0 * margin).round();
        format!("{skill} is the first, {percent:.0} % ahead, by the words {words}")
    };
    let help = "say in the description when the skill is not meant, in other words than these";
    Some((message, help))
}
