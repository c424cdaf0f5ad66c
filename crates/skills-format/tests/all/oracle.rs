//! Compares front matter with another YAML reader: all text that the other reader parses must parse here, to the
//! same values.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test may read and write files, and say that it was skipped"
)]

use serde_yaml::Value as Other;
use skills_format::yaml::{self, Node, Value};
use skills_format::{Contents, Document, MAX_SKILL_FILE, Tree, is_skill_file};
use std::path::Path;

#[test]
fn small_documents() {
    for text in [
        "a: 1.10\nb: 007\nc: [x, 'y', \"z\\n\"]\nd: {e: ~, f: true}\n",
        "a: |\n  one\n\n  two\nb: >-\n  three\n  four\n",
        "- a\n- b: c\n  d:\n  - e\n",
        "a: 'it''s'\nb: \"\\u00e4\"\nc: x # y\nd:\n",
        "? a\n: b\n",
        "a: 0x1F\nb: 0o17\nc: -1\nd: 1e3\ne: .5\nf: .inf\ng: yes\nh: 2020-01-01\n",
    ] {
        compare(text, text);
    }
}

/// Compares the published files in `SKILLS_CORPUS`. Skipped without this variable.
#[test]
fn published_front_matter() {
    let Some(root) = std::env::var_os("SKILLS_CORPUS") else {
        println!("skipped: SKILLS_CORPUS names no folder");
        return;
    };
    let mut compared = 0;
    for part in ["sample", "nasty"] {
        let contents = Contents::Skills {
            max: MAX_SKILL_FILE,
        };
        let tree = Tree::read(&Path::new(&root).join(part), contents).expect("a folder");
        for file in tree.files.iter().filter(|file| is_skill_file(&file.path)) {
            let text = file.bytes.as_deref().map(std::str::from_utf8);
            if let Some(Ok(text)) = text
                && let Ok(document) = Document::split(text)
            {
                compared += usize::from(compare(&file.path, document.yaml.of(text)));
            }
        }
    }
    assert!(compared > 150, "{compared}");
}

fn compare(name: &str, text: &str) -> bool {
    let Ok(other) = serde_yaml::from_str::<Other>(text) else {
        return false;
    };
    match yaml::parse(text) {
        Ok(Some(node)) => assert_same(name, &node, &other),
        Ok(None) => assert_eq!(other, Other::Null, "{name}"),
        // Lines of a quoted value at the margin, which YAML 1.2 requires to be indented, and forms that a
        // third reader refuses.
        Err(error) => {
            let known = ["indentation", "tags", "cannot be a key", "no key"];
            let is_known = known.iter().any(|words| error.message.contains(words));
            assert!(is_known, "{name}: {error}");
        }
    }
    true
}

fn assert_same(name: &str, node: &Node, other: &Other) {
    match (&node.value, other) {
        (Value::Sequence(items), Other::Sequence(others)) => {
            assert_eq!(items.len(), others.len(), "{name}");
            for (item, other) in items.iter().zip(others) {
                assert_same(name, item, other);
            }
        }
        (Value::Mapping(entries), Other::Mapping(others)) => {
            assert_eq!(entries.len(), others.len(), "{name}");
            for ((key, value), (other_key, other_value)) in entries.iter().zip(others) {
                assert_same(name, key, other_key);
                assert_same(name, value, other_value);
            }
        }
        (Value::Scalar(scalar), other) => {
            let text = scalar.text.as_str();
            match other {
                Other::Null => assert!(node.is_null(), "{name}: {text}"),
                Other::Bool(value) => assert_eq!(node.as_bool(), Some(*value), "{name}: {text}"),
                Other::String(value) => assert_eq!(text, value, "{name}"),
                Other::Number(number) => assert_number(name, node, number),
                other => panic!("{name}: {text} is {other:?}"),
            }
        }
        (value, other) => panic!("{name}: {value:?} is {other:?}"),
    }
}

/// Compares a number. The other reader keeps a number with leading zeros as text, against the core schema.
fn assert_number(name: &str, node: &Node, number: &serde_yaml::Number) {
    let json: serde_json::Value = serde_json::from_str(&node.to_json()).expect("JSON");
    match number.as_f64() {
        Some(value) if value.is_finite() => assert_eq!(json.as_f64(), Some(value), "{name}"),
        // JSON has no infinity: the text stays.
        _ => assert!(json.is_string(), "{name}"),
    }
}
