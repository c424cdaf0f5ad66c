//! Errors at their places, and texts that become the same type again.

use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use serde_yaml::Value;
#[cfg(feature = "runtime")]
use skills_fields::CheckFields as _;
use skills_fields::read;
use skills_format::SkillFile;
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Extra {
    name: String,
    activation: Activation,
    #[serde(default)]
    credentials: Vec<Credential>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Activation {
    keywords: Vec<String>,
    max_tokens: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Credential {
    name: String,
    location: Location,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Location {
    Header,
    Query,
}

const SKILL: &str = "\
---
name: triage
description: Sorts mail.
activation:
  keywords: [mail, ü]
  max_tokens: 400
credentials:
  - name: imap
    location: header
---
Sort it.
";

fn error(from: &str, to: &str) -> String {
    let text = SKILL.replace(from, to);
    assert_ne!(text, SKILL);
    let error = read::<Extra>("s/SKILL.md", &text).expect_err(&text);
    let found = error.diagnostic();
    format!("{error} ({})", found.span().of(&text))
}

#[test]
fn each_kind_of_error_has_its_place() {
    for (from, to, expected) in [
        // A wrong type.
        (
            "400",
            "many",
            "6:15: error[field-type]: activation.max_tokens: invalid type: string \"many\", expected u32 (many)",
        ),
        // A missing field.
        (
            "  max_tokens: 400\n",
            "",
            "5:3: error[field-type]: activation: missing field `max_tokens` (keywords: [mail, ü])",
        ),
        // An unknown field.
        (
            "    location: header",
            "    location: header\n    locaton: x",
            "10:5: error[field-type]: credentials[0]: unknown field `locaton`, expected `name` or `location` (locaton: x)",
        ),
        // An unknown variant.
        (
            "header",
            "body",
            "9:15: error[field-type]: credentials[0].location: unknown variant `body`, expected `header` or `query` (body)",
        ),
        // A number out of range, after a character of two bytes.
        (
            "[mail, ü]\n  max_tokens: 400",
            "[mail]\n  \"max_tokens\": -1 # ü",
            "6:17: error[field-type]: activation.max_tokens: invalid type: integer `-1`, expected u32 (-1 # ü)",
        ),
        // No YAML.
        (
            "[mail, ü]",
            "[mail",
            "6:13: error[yaml-syntax]: illegal placement of ':' indicator ()",
        ),
    ] {
        assert_eq!(error(from, to), format!("s/SKILL.md:{expected}"));
    }
}

#[test]
fn one_line_in_quotes_is_the_only_retry() {
    let text = SKILL.replace("Sorts mail.", "Sorts mail: \"all\" of it.");
    let extra: Extra = read("s/SKILL.md", &text).unwrap();
    assert_eq!(extra.activation.max_tokens, 400);
    let two = text.replace("name: triage", "name: triage: b");
    assert_eq!(
        read::<Extra>("s", &two).unwrap_err().to_string(),
        "s:2:13: error[yaml-syntax]: mapping values are not allowed in this context"
    );
    let unfit = text.replace("400", "many");
    let error = read::<Extra>("s", &unfit).unwrap_err().to_string();
    assert!(error.starts_with("s:6:15: error[field-type]"), "{error}");
    assert!(read::<Extra>("s", "Hello").is_err());
}

/// Forms that serde reads otherwise than `Skill::front_matter_values`.
#[test]
fn other_readings() {
    let mut differ = Vec::new();
    for form in [
        "007",
        "-007",
        "0o17",
        "0x1F",
        "0b1",
        "1_000",
        ".5",
        "5.",
        "1e3",
        "+1",
        ".inf",
        ".nan",
        "2026-01-31",
        "12:30",
        "yes",
        "True",
        "NULL",
        "~",
        "123456789012345678901234",
        "!!str 5",
        "'5'",
        "!x 5",
        "{<<: {b: 1}, a: 2}",
        "{a: 1, a: 2}",
        "{1: a}",
        "{true: a}",
        "\"\\x41\"",
        "[a, &b c, *b]",
    ] {
        let text = format!("---\nname: x\ndescription: y\nvalue: {form}\n---\n");
        let ours = SkillFile::read("s", "x", text.as_bytes()).strict();
        let ours = ours.map_or("refused".to_owned(), |skill| {
            let whole: serde_json::Value =
                serde_json::from_str(&skill.front_matter_values()).unwrap();
            whole["value"].to_string()
        });
        let theirs = read::<serde_json::Value>("s", &text);
        let theirs = theirs.map_or("refused".to_owned(), |whole| whole["value"].to_string());
        if ours != theirs {
            differ.push(format!("{form}: {ours}, {theirs}"));
        }
    }
    assert_eq!(
        differ,
        [
            "007: 7, \"007\"",
            "-007: -7, \"-007\"",
            "0b1: \"0b1\", 1",
            ".inf: \".inf\", null",
            ".nan: \".nan\", null",
            "123456789012345678901234: 1.2345678901234569e+23, refused",
            "!!str 5: 5, \"5\"",
            "!x 5: refused, \"!x 5\"",
            "{<<: {b: 1}, a: 2}: {\"<<\":{\"b\":1},\"a\":2,\"b\":1}, {\"<<\":{\"b\":1},\"a\":2}",
        ]
    );
}

#[cfg(feature = "runtime")]
#[test]
fn skills_of_folders() {
    let folder = tempfile::tempdir().unwrap();
    let skill = folder.path().join("mail");
    std::fs::create_dir(&skill).unwrap();
    let file = skill.join("SKILL.md");
    let text = SKILL.replace("triage", "mail").replace("400", "many");
    std::fs::write(&file, text).unwrap();
    let catalog = skills_runtime::Catalog::builder().directory("user", folder.path());
    let catalog = catalog.load();
    let found = catalog.check_fields::<Extra>();
    let [found] = &found[..] else {
        panic!("one finding: {found:?}")
    };
    assert_eq!(
        (found.start.line, &*found.path),
        (6, file.to_str().unwrap())
    );
    std::fs::remove_file(file).unwrap();
    let found = catalog.check_fields::<Extra>();
    assert!(
        found
            .iter()
            .any(|it| it.is(skills_format::RuleId::Unreadable))
    );
}

/// All keys of a file: those of the type, and the rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Whole {
    name: String,
    description: String,
    threshold: Option<f64>,
    activation: Option<Activation>,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exact {
    #[serde(rename = "name")]
    _name: String,
    #[serde(rename = "description")]
    _description: String,
}

/// Other keys are ignored.
#[derive(Debug, Deserialize)]
struct Name {
    #[serde(rename = "name")]
    _name: String,
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z~#: -]{1,6}", inner, 0..4).prop_map(|map| {
                Value::Mapping(map.into_iter().map(|(k, v)| (Value::from(k), v)).collect())
            }),
        ]
    })
}

prop_compose! {
    fn whole()(
        name in "[\\PC\n]{0,20}",
        description in "[ -~ü\n\t]{0,60}",
        threshold in prop::option::of(-1e9..1e9_f64),
        activation in prop::option::of((prop::collection::vec("[ -~ü'\"]{0,8}", 0..3), any::<u32>())),
        rest in prop::collection::btree_map("x-[a-z<]{1,6}", value(), 0..4),
    ) -> Whole {
        let activation = activation.map(|(keywords, max_tokens)| Activation { keywords, max_tokens });
        Whole { name, description, threshold, activation, rest }
    }
}

proptest! {
    #[test]
    fn a_type_is_read_as_it_was_written(whole in whole()) {
        let yaml = serde_yaml::to_string(&whole).unwrap();
        let text = format!("---\n{yaml}---\nbody\n");
        prop_assert_eq!(&read::<Whole>("s", &text).map_err(|error| error.to_string()), &Ok(whole), "{}", yaml);
        prop_assert!(read::<Exact>("s", &text).is_err());
        prop_assert!(read::<Name>("s", &text).is_ok());
    }

    #[test]
    fn no_text_panics(text in "(---\n)?([a-z: \\-\\[\\]{}\"'|>&*#\n\r\u{feff}ü]|a: ){0,60}(---\n)?") {
        let _ = read::<Whole>("s", &text);
    }
}
