//! Diagnostics as SARIF 2.1.0, the format of code-scanning services.

use crate::diagnostic::{Diagnostic, Edit, Severity};
use crate::render::Sources;
use crate::rules::rule::{Level, Rule};
use crate::rules::{RULES, explain};
use crate::text::percent::encode_path;
use crate::text::span::{Lines, Position};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A SARIF 2.1.0 log of one run: the findings with their fixes, and every rule that found something.
pub fn sarif(diagnostics: &[Diagnostic], sources: &Sources<'_>) -> String {
    let told: BTreeSet<&str> = diagnostics.iter().map(|d| d.rule).collect();
    let rules: Vec<&Rule> = RULES
        .iter()
        .filter(|rule| told.contains(rule.id.as_str()))
        .collect();
    let index: BTreeMap<&str, usize> = rules
        .iter()
        .enumerate()
        .map(|(i, rule)| (rule.id.as_str(), i))
        .collect();
    let results: Vec<Value> = diagnostics
        .iter()
        .map(|diagnostic| result(diagnostic, index.get(diagnostic.rule), sources))
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "skills",
                    "version": env!("CARGO_PKG_VERSION"),
                    "rules": rules.iter().map(|rule| metadata(rule)).collect::<Vec<_>>(),
                },
            },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&log).unwrap_or_default()
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
        "help": { "text": rule.why, "markdown": explain(rule) },
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
        "" => diagnostic.message.clone(),
        help => format!("{}: {help}", diagnostic.message),
    };
    let location = json!({ "uri": encode_path(&diagnostic.path) });
    let mut region = region(diagnostic.start, diagnostic.end);
    region["byteOffset"] = json!(diagnostic.start.offset);
    region["byteLength"] = json!(diagnostic.span().len());
    let mut result = json!({
        "ruleId": diagnostic.rule,
        "level": level,
        "message": { "text": text },
        "locations": [{
            "physicalLocation": { "artifactLocation": location, "region": region },
        }],
    });
    if let Some(index) = index {
        result["ruleIndex"] = json!(index);
    }
    if let Some(fix) = &diagnostic.fix
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
            "artifactChanges": [{
                "artifactLocation": location,
                "replacements": replacements,
            }],
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
    use crate::diagnostic::Fix;
    use crate::text::span::Span;
    use std::borrow::Cow;

    #[test]
    fn a_log_holds_rules_results_and_fixes() {
        let text = "---\nname: ä\n---\n".as_bytes();
        let finding = Diagnostic::new("name-form", Severity::Error, "a b/SKILL.md", "m")
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
