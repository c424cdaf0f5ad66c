//! Typed arguments beside a validator of JSON Schema: the same values fit, and the schema of the tool is a schema that
//! does not depend on the skills.

use proptest::prelude::*;
use serde_json::{Value, json};
use skills_runtime::Catalog;
use skills_session::Dialect as _;
use skills_session::options::Options;
use skills_session::session::Session;
use std::fs;

fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "environment": {"enum": ["staging", "production"]},
            "count": {"type": "integer", "minimum": -2, "maximum": 5},
            "ratio": {"type": "number", "minimum": 0.5, "maximum": 2.5},
            "level": {"enum": [1, 2.5]},
            "note": {"type": "string", "minLength": 1, "maxLength": 3},
            "dry-run": {"type": "boolean"},
            "tags": {"type": "array", "items": {"type": "string", "maxLength": 2}}
        },
        "required": ["environment"]
    })
}

fn catalog(schema: Option<&Value>) -> (tempfile::TempDir, Catalog) {
    let folder = tempfile::tempdir().expect("a folder");
    let skill = folder.path().join("deploy");
    fs::create_dir(&skill).expect("a folder");
    let text = "---\nname: deploy\ndescription: Deploys. Use when asked.\n---\nGo.\n";
    fs::write(skill.join("SKILL.md"), text).expect("a file");
    if let Some(schema) = schema {
        fs::write(skill.join("arguments.schema.json"), schema.to_string()).expect("a file");
    }
    let catalog = Catalog::builder().directory("user", folder.path()).load();
    (folder, catalog)
}

/// Values of the type that each argument has, inside and outside of its bounds.
fn values() -> impl Strategy<Value = Value> {
    let text = |texts: &'static [&'static str]| prop::option::of(prop::sample::select(texts));
    (
        text(&["staging", "production", "Staging", "", "test"]),
        prop::option::of(-4..8_i64),
        prop::option::of(prop::sample::select(vec![0.25, 0.5, 1.0, 2.5, 2.75])),
        prop::option::of(prop::sample::select(vec![
            json!(1),
            json!(1.0),
            json!(2.5),
            json!(2),
        ])),
        prop::option::of("[é日a]{0,5}"),
        prop::option::of(any::<bool>()),
        prop::option::of(prop::collection::vec("[é日a]{0,3}", 1..3)),
        any::<bool>(),
    )
        .prop_map(
            |(environment, count, ratio, level, note, dry_run, tags, is_unknown)| {
                let mut values = serde_json::Map::new();
                let mut put = |name: &str, value: Option<Value>| {
                    values.extend(value.map(|value| (name.to_owned(), value)));
                };
                put("environment", environment.map(Value::from));
                put("count", count.map(Value::from));
                put("ratio", ratio.map(Value::from));
                put("level", level);
                put("note", note.map(Value::from));
                put("dry-run", dry_run.map(Value::from));
                put("tags", tags.map(Value::from));
                put("other", is_unknown.then(|| json!(1)));
                Value::Object(values)
            },
        )
}

proptest! {
    #[test]
    fn the_same_values_fit(values in values()) {
        thread_local! {
            static TYPED: (tempfile::TempDir, Catalog) = catalog(Some(&schema()));
            static VALID: jsonschema::Validator = jsonschema::draft202012::new(&schema()).expect("a schema");
        }
        let is_valid = VALID.with(|schema| schema.is_valid(&values));
        let started = TYPED.with(|(_, catalog)| {
            let call = json!({"name": "deploy", "arguments": values}).to_string();
            Session::new(Options::DEFAULT).call(catalog, "skill", &call).map(|called| called.turn.started)
        });
        prop_assert_eq!(started.is_ok(), is_valid, "{} {:?}", values, started);
    }
}

#[test]
fn the_schema_of_the_tool_is_a_schema_and_the_same_for_all_skills() {
    let specs = [None, Some(schema())].map(|schema| {
        let (_folder, catalog) = catalog(schema.as_ref());
        Options::DEFAULT.tools(&catalog)
    });
    assert_eq!(specs[0], specs[1]);
    for spec in &specs[1] {
        assert!(
            jsonschema::meta::is_valid(&spec.parameters),
            "{}",
            spec.name
        );
        jsonschema::draft202012::new(&spec.parameters).expect("a schema");
    }
    let skill = specs[1]
        .iter()
        .find(|spec| spec.name == "skill")
        .expect("the skill tool");
    let schema = jsonschema::draft202012::new(&skill.parameters).expect("a schema");
    for (call, is_valid) in [
        (
            json!({"name": "deploy", "arguments": "staging --dry-run"}),
            true,
        ),
        (
            json!({"name": "deploy", "arguments": "{\"environment\": \"staging\"}"}),
            true,
        ),
        // Any name: a reload must not leave a framework with a schema that refuses a new skill. The call answers what is
        // near.
        (json!({"name": "nosuch"}), true),
        (json!({"name": 1}), false),
        (json!({"arguments": "staging"}), false),
    ] {
        assert_eq!(schema.is_valid(&call), is_valid, "{call}");
    }
}
