//! The result as XML in the format of `JUnit`.

use crate::commands::test::report::{Judged, Report};
use skills_format::Diagnostic;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Formats a suite for each skill, a test for each message, and a suite for the unreadable files.
pub(super) fn document(report: &Report) -> String {
    let mut suites: BTreeMap<&str, Vec<&Judged>> = BTreeMap::new();
    for case in &report.cases {
        suites.entry(&case.skill).or_default().push(case);
    }
    let failures = report.failed().count() + report.faults().len();
    let tests = report.cases.len() + report.faults().len();
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        xml,
        "<testsuites name=\"skills test\" tests=\"{tests}\" failures=\"{failures}\">"
    );
    for (skill, cases) in suites {
        let failed = cases.iter().filter(|case| !case.passed).count();
        open_suite(skill, cases.len(), failed, &mut xml);
        for case in cases {
            let finding = (!case.passed).then_some(&case.finding);
            test(skill, &case.text, &case.finding, finding, &mut xml);
        }
        xml.push_str("  </testsuite>\n");
    }
    if !report.faults().is_empty() {
        let count = report.faults().len();
        open_suite("triggers", count, count, &mut xml);
        for fault in report.faults() {
            test("triggers", &fault.path, fault, Some(fault), &mut xml);
        }
        xml.push_str("  </testsuite>\n");
    }
    xml.push_str("</testsuites>\n");
    xml
}

fn open_suite(name: &str, tests: usize, failures: usize, xml: &mut String) {
    let name = escaped(name);
    let _ = writeln!(
        xml,
        "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\">"
    );
}

fn test(class: &str, name: &str, at: &Diagnostic, failed: Option<&Diagnostic>, xml: &mut String) {
    let (class, name, file) = (escaped(class), escaped(name), escaped(&at.path));
    let line = at.start.line;
    let _ = write!(
        xml,
        "    <testcase classname=\"{class}\" name=\"{name}\" file=\"{file}\" line=\"{line}\""
    );
    match failed {
        None => xml.push_str("/>\n"),
        Some(finding) => {
            let message = escaped(&finding.message);
            let text = escaped(&skills_lint::render::concise(std::slice::from_ref(finding)));
            let text = text.trim_end();
            let _ = writeln!(
                xml,
                ">\n      <failure message=\"{message}\" type=\"{}\">{text}</failure>\n    </testcase>",
                finding.rule
            );
        }
    }
}

/// Escapes text for XML. Characters that XML does not allow become U+FFFD.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // As references: a parser of XML turns plain white space in an attribute into spaces.
            '\n' | '\r' | '\t' => {
                let _ = write!(escaped, "&#{};", u32::from(c));
            }
            '\0'..' ' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}
