//! Tests of addresses.

use super::mcp;
use super::read::{MAX_FINDINGS, Manifest};

#[test]
fn addresses_of_servers() {
    for url in [
        "https://a.example/mcp",
        "http://localhost:1/x",
        "http://127.0.0.1",
        "http://[::1]:8/x",
    ] {
        assert!(mcp::is_url(url), "{url}");
    }
    for url in [
        "http://a.example",
        "https://u@a.example",
        "https://a.example/#x",
        "ftp://a",
        "a",
        "https://",
        "http://localhost.example",
        "https://a .example",
    ] {
        assert!(!mcp::is_url(url), "{url}");
    }
}

#[test]
fn only_findings_that_are_shown_are_searched_for() {
    let manifest = Manifest {
        shown: "plugin.json".to_owned(),
        text: "{\n\"a\": 1}".to_owned(),
        value: serde_json::Value::Null,
        placed: std::cell::Cell::default(),
    };
    let mut places = (0..=MAX_FINDINGS).map(|_| {
        let found = manifest.at(skills_format::RuleId::ManifestForm, "a", String::new());
        found.start.line
    });
    assert!(places.by_ref().take(MAX_FINDINGS).all(|line| line == 2));
    assert_ne!(places.next(), Some(2));
}
