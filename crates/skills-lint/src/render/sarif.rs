//! Renders diagnostics as SARIF 2.1.0, the format of code-scanning services.

use crate::render::Sources;
use crate::render::json::{Report, holds_secret};
use crate::rules::rule::{Level, Rule};
use crate::rules::{RULES, explain};
use crate::view::secrets::masked;
use serde_json::{Value, json};
use skills_format::diagnostic::{Diagnostic, Edit, Severity};
use skills_format::text::percent::encode_path;
use skills_format::text::span::{Lines, Position};
use std::collections::{BTreeMap, BTreeSet};

/// Renders a SARIF 2.1.0 log of one run: the findings with their fixes, and every rule with a finding.
pub fn sarif(diagnostics: &[Diagnostic], sources: &Sources<'_>) -> String {
    let report = Report {
        diagnostics,
        ..Report::default()
    };
    sarif_report(&report, sources)
}

/// Renders the log of [`sarif`], including the suppressed findings.
pub fn sarif_report(report: &Report<'_>, sources: &Sources<'_>) -> String {
    let diagnostics = report.diagnostics.iter().chain(report.suppressed);
    let told: BTreeSet<&str> = diagnostics.map(|d| d.rule.as_str()).collect();
    let rules: Vec<&Rule> = RULES
        .iter()
        .filter(|rule| told.contains(rule.id.as_str()))
        .collect();
    let index: BTreeMap<&str, usize> = rules
        .iter()
        .enumerate()
        .map(|(i, rule)| (rule.id.as_str(), i))
        .collect();
    let mut prints = Fingerprints::default();
    let mut result = |diagnostic: &Diagnostic, is_suppressed: bool| {
        let mut result = result(diagnostic, index.get(diagnostic.rule.as_str()), sources);
        result["partialFingerprints"] =
            json!({ "finding/v1": prints.fingerprint(diagnostic, sources) });
        if is_suppressed {
            result["suppressions"] = json!([{ "kind": "inSource" }]);
        }
        result
    };
    let mut results: Vec<Value> = Vec::new();
    results.extend(report.diagnostics.iter().map(|found| result(found, false)));
    results.extend(report.suppressed.iter().map(|found| result(found, true)));
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "skills",
                    "version": env!("CARGO_PKG_VERSION"),
                    "informationUri": HOME,
                    "rules": rules.iter().map(|rule| metadata(rule)).collect::<Vec<_>>(),
                },
            },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&log).unwrap_or_default()
}

/// The site that describes the format of skills.
const HOME: &str = "https://agentskills.io";

/// Returns a path as a URI: with `file://` if the path is absolute.
fn uri(path: &str) -> String {
    let encoded = encode_path(path);
    let is_drive = path
        .get(1..3)
        .is_some_and(|part| part == ":/" || part == ":\\");
    if path.starts_with('/') {
        format!("file://{encoded}")
    } else if is_drive {
        let (drive, rest) = path.split_at(2);
        format!("file:///{drive}{}", encode_path(&rest.replace('\\', "/")))
    } else {
        encoded
    }
}

/// The fingerprints of findings, which are sorted by path.
#[derive(Default)]
struct Fingerprints {
    /// How often each hash occurred.
    known: BTreeMap<String, usize>,
    /// The path and the number of the last line, and its text. A line of a megabyte can have ten thousand findings.
    line: (String, usize, Vec<u8>),
}

/// The maximum number of bytes of a line that count.
const MAX_LINE: usize = 4096;

impl Fingerprints {
    /// Returns a fingerprint that stays the same when lines are added elsewhere: a hash of the rule, the path and the
    /// text of the line, with a number for repeated hashes. Services match findings of two runs by the fingerprint.
    fn fingerprint(&mut self, diagnostic: &Diagnostic, sources: &Sources<'_>) -> String {
        let (path, number) = (&diagnostic.path, diagnostic.start.line);
        if (&self.line.0, self.line.1) != (path, number) {
            let source = sources(path).unwrap_or_default();
            let mut lines = source.split(|byte| *byte == b'\n');
            let line = lines.nth(number.saturating_sub(1)).unwrap_or_default();
            let line = line.trim_ascii();
            let line = line.get(..MAX_LINE).unwrap_or(line).to_vec();
            self.line = (path.clone(), number, line);
        }
        // FNV-1a: the hash must stay the same between versions, which std's hashers do not promise.
        let mut hash: u64 = 0xCBF2_9CE4_8422_2325;
        let parts = [
            diagnostic.rule.as_str().as_bytes(),
            path.as_bytes(),
            &self.line.2,
        ];
        for byte in parts.into_iter().flat_map(|part| part.iter().chain(&[0])) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
        }
        let text = format!("{hash:016x}");
        let count = self.known.entry(text.clone()).or_default();
        *count += 1;
        format!("{text}:{count}")
    }
}

fn metadata(rule: &Rule) -> Value {
    let level = match rule.level {
        Level::Deny => "error",
        Level::Warn => "warning",
        Level::Allow => "none",
    };
    json!({
        "id": rule.id.as_str(),
        "shortDescription": { "text": rule.summary },
        "fullDescription": { "text": rule.why },
        "helpUri": format!("{HOME}/specification"),
        "help": { "text": rule.why, "markdown": masked(&explain(rule)) },
        "defaultConfiguration": { "level": level },
        "properties": { "tags": [rule.group.as_str()] },
    })
}

fn result(diagnostic: &Diagnostic, index: Option<&usize>, sources: &Sources<'_>) -> Value {
    let level = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    };
    let text = match diagnostic.help.as_str() {
        "" => diagnostic.message.to_string(),
        help => format!("{}: {help}", diagnostic.message),
    };
    let location = json!({ "uri": uri(&diagnostic.path) });
    let mut region = region(diagnostic.start, diagnostic.end);
    region["byteOffset"] = json!(diagnostic.start.offset);
    region["byteLength"] = json!(diagnostic.span().len());
    let mut result = json!({
        "ruleId": diagnostic.rule.as_str(),
        "level": level,
        "message": { "text": text },
        "locations": [{
            "physicalLocation": { "artifactLocation": location, "region": region },
        }],
    });
    if let Some(index) = index {
        result["ruleIndex"] = json!(index);
    }
    if let Some(fix) = diagnostic.fix.as_ref().filter(|fix| !holds_secret(fix))
        && let Some(source) = sources(&diagnostic.path)
    {
        let lines = Lines::new(&source);
        let replacements: Vec<Value> = fix
            .edits
            .iter()
            .map(|edit| replacement(edit, &lines))
            .collect();
        result["fixes"] = json!([{
            "description": { "text": diagnostic.help },
            "artifactChanges": [{ "artifactLocation": location, "replacements": replacements }],
        }]);
    }
    result
}

fn replacement(edit: &Edit, lines: &Lines<'_>) -> Value {
    json!({
        "deletedRegion": region(lines.position(edit.start), lines.position(edit.end)),
        "insertedContent": { "text": edit.text },
    })
}

fn region(start: Position, end: Position) -> Value {
    json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_format::diagnostic::Fix;
    use skills_format::diagnostic::rule_id::RuleId;
    use skills_format::text::span::Span;
    use std::borrow::Cow;

    #[test]
    fn a_log_holds_rules_results_and_fixes() {
        let text = "---\nname: ä\n---\n".as_bytes();
        let finding = Diagnostic::new(RuleId::NameForm, Severity::Error, "a b/SKILL.md", "m")
            .at(text, Span::new(10, 12))
            .help("h")
            .fix(Fix::guess(vec![Edit::replace(Span::new(10, 12), "a")]));
        let log = sarif(&[finding], &|_| Some(Cow::Borrowed(text)));
        let log: Value = serde_json::from_str(&log).expect("JSON");
        let run = &log["runs"][0];
        assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "name-form");
        let result = &run["results"][0];
        assert_eq!(result["ruleIndex"], 0);
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "a%20b/SKILL.md");
        assert_eq!(place["region"]["endColumn"], 8);
        let change = &result["fixes"][0]["artifactChanges"][0]["replacements"][0];
        assert_eq!(change["deletedRegion"]["startColumn"], 7);
        assert_eq!(change["insertedContent"]["text"], "a");
    }
}
