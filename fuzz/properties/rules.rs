//! Any text as the body of a skill, through every rule: places are those of the file, fixes give a
//! text that is fixed, and every rendering can be read back.

use serde_json::Value;
use skills_format::{Diagnostic, FileKind, Tree, TreeFile};
use skills_lint::render::{self, Full, Report};
use skills_lint::rules::RULES;
use skills_lint::{Config, FixLevel, Level, apply, check};
use std::borrow::Cow;

/// Panics when it does not hold.
pub(crate) fn hold(body: &str) {
    let text = format!("---\nname: a\ndescription: Does a. Use when asked.\n---\n{body}\n");
    let found = checked(&text);
    for finding in &found {
        let span = finding.span();
        assert!(text.get(span.start..span.end).is_some(), "{finding:?}");
    }
    let fixed = apply(&text, &found, FixLevel::Safe);
    let again = apply(&fixed.text, &checked(&fixed.text), FixLevel::Safe);
    assert_eq!(again.text, fixed.text, "fixing twice changes nothing more");
    rendered(&found, &text);
}

fn checked(text: &str) -> Vec<Diagnostic> {
    let tree = Tree {
        files: vec![TreeFile {
            path: "a/SKILL.md".to_owned(),
            utf8: true,
            kind: FileKind::Regular,
            size: text.len() as u64,
            bytes: Some(text.as_bytes().to_vec()),
        }],
        faults: Vec::new(),
    };
    let mut config = Config::default();
    for rule in RULES {
        assert!(config.set(rule.id.as_str(), Level::Warn).is_ok());
    }
    check("skills", &tree, &config).diagnostics
}

fn rendered(found: &[Diagnostic], text: &str) {
    let sources = |_: &str| Some(Cow::Borrowed(text.as_bytes()));
    let report = Report {
        diagnostics: found,
        checked: 1,
        ..Report::default()
    };
    let json: Value = serde_json::from_str(&render::json(&report)).expect("JSON");
    assert_eq!(
        json["diagnostics"].as_array().map(Vec::len),
        Some(found.len())
    );
    let sarif: Value = serde_json::from_str(&render::sarif(found, &sources)).expect("JSON");
    let results = &sarif["runs"][0]["results"];
    assert_eq!(results.as_array().map(Vec::len), Some(found.len()));
    assert_eq!(render::github(found).lines().count(), found.len());
    assert_eq!(render::concise(found).lines().count(), found.len());
    for finding in found {
        let full = Full::default().one(finding, &sources);
        assert!(full.starts_with("warning: "), "{full:?}");
    }
}
