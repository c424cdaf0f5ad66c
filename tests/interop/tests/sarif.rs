//! SARIF logs are parsed by types generated from the schema of SARIF 2.1.0.

use serde_json::Value;
use serde_sarif::sarif::Sarif;
use skills_lint::rules::RULES;
use skills_lint::{Config, check, render};
use std::borrow::Cow;

/// Every field survives: a field unknown to the types would be lost.
#[test]
fn logs_have_the_published_shape() {
    for rule in RULES {
        let tree = rule.bad.tree();
        let (config, _) = Config::parse("skills.toml", rule.bad.config());
        let found = check("skills", &tree, &config).diagnostics;
        let source = |path: &str| {
            let file = tree.get(path.strip_prefix("skills/")?)?;
            file.bytes.as_deref().map(Cow::Borrowed)
        };
        let log = render::sarif(&found, &source);
        let written: Value = serde_json::from_str(&log).expect("JSON");
        let read: Sarif = serde_json::from_value(written.clone())
            .unwrap_or_else(|error| panic!("{}: {error}\n{log}", rule.id));
        let read = serde_json::to_value(read).expect("JSON");
        assert_eq!(written, read, "{}", rule.id);
    }
}
