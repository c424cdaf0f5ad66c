use super::*;

fn faults(text: &str) -> Vec<String> {
    let faults = SchemaFile::read(text.as_bytes()).faults.into_iter();
    faults
        .map(|fault| {
            let place = fault.span.map_or("", |span| span.of(text));
            format!("{place} | {}", fault.message)
        })
        .collect()
}

fn property(text: &str) -> Vec<String> {
    faults(&format!(
        "{{\"type\": \"object\", \"properties\": {{\"a\": {text}}}}}"
    ))
}

#[test]
fn a_whole_schema() {
    let file = SchemaFile::read(
        br#"{
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Deploy", "type": "object", "additionalProperties": false,
          "properties": {
            "environment": {"enum": ["staging", "production"], "description": "Where to."},
            "dry-run": {"type": "boolean", "default": false},
            "count": {"type": "integer", "minimum": 1, "maximum": 9.0, "default": 1e0},
            "ratio": {"type": "number", "default": 0.50},
            "note": {"type": "string", "maxLength": 20},
            "level": {"enum": [1, 2.50]},
            "tags": {"type": "array", "items": {"const": "x"}, "default": ["x"]}
          },
          "required": ["environment"]
        }"#,
    );
    assert_eq!(file.faults, []);
    let texts = |texts: &[&str]| -> Cow<'static, [Text]> {
        texts
            .iter()
            .map(|text| Text::Owned((*text).to_owned()))
            .collect()
    };
    let arguments = &file.schema.arguments;
    let names: Vec<&str> = arguments.iter().map(|one| &*one.name).collect();
    assert_eq!(
        names,
        [
            "environment",
            "dry-run",
            "count",
            "ratio",
            "note",
            "level",
            "tags"
        ]
    );
    assert_eq!(
        arguments[0].kind,
        Kind::Choice {
            numbers: false,
            values: texts(&["staging", "production"])
        }
    );
    assert_eq!(arguments[0].description, "Where to.");
    assert!(arguments[0].needs_value() && !arguments[1].needs_value());
    assert_eq!(
        arguments[2].kind,
        Kind::Integer {
            minimum: Some(1),
            maximum: Some(9)
        }
    );
    let defaults: Vec<_> = arguments.iter().map(|one| one.default.clone()).collect();
    assert_eq!(
        defaults,
        [
            None,
            Some(texts(&["false"])),
            Some(texts(&["1"])),
            Some(texts(&["0.5"])),
            None,
            None,
            Some(texts(&["x"]))
        ]
    );
    assert_eq!(
        arguments[5].kind,
        Kind::Choice {
            numbers: true,
            values: texts(&["1", "2.5"])
        }
    );
    assert!(arguments[6].is_list);
    assert_eq!(file.places.len(), 7);

    let ordered = file
        .schema
        .ordered(&["$count".into(), "FILE".into(), "environment".into()]);
    let names: Vec<&str> = ordered.arguments.iter().map(|one| &*one.name).collect();
    assert_eq!(
        names,
        [
            "count",
            "environment",
            "dry-run",
            "ratio",
            "note",
            "level",
            "tags"
        ]
    );
    assert!(ordered.by_position);
    assert_eq!(ordered.find("dry_run").map(|(place, _)| place), Some(2));
}

#[test]
fn what_is_not_a_schema() {
    for (text, expected) in [
        ("", " | the file is not JSON: a value is missing here"),
        ("[]", "[] | the file is a list, not an object"),
        ("{}", "{ | the schema has no `type`"),
        (
            r#"{"type": "object"}"#,
            "{ | the schema has no `properties`",
        ),
        (
            r#"{"type": "object", "properties": {}}"#,
            "{} | the schema has no properties",
        ),
        (
            r#"{"type": "array", "properties": {"a": {"type": "string"}}}"#,
            "\"array\" | the schema is not of an object",
        ),
        (
            r#"{"type": "object", "oneOf": [], "properties": {"a": {"type": "string"}}}"#,
            "\"oneOf\" | `oneOf` is not read here",
        ),
        (
            r#"{"type": "object", "$schema": "http://json-schema.org/draft-07/schema#", "properties": {"a": {"type": "string"}}}"#,
            "\"http://json-schema.org/draft-07/schema#\" | only JSON Schema 2020-12 is read",
        ),
        (
            r#"{"type": "object", "additionalProperties": true, "properties": {"a": {"type": "string"}}}"#,
            "true | arguments beside the properties cannot be allowed",
        ),
        (
            r#"{"type": "object", "type": "object", "properties": {"a": {"type": "string"}}}"#,
            "\"type\" | `type` stands twice",
        ),
        (
            r#"{"type": "object", "required": ["b"], "properties": {"a": {"type": "string"}}}"#,
            "\"b\" | `required` names `b`, which is not a property",
        ),
        (
            r#"{"type": "object", "required": "a", "properties": {"a": {"type": "string"}}}"#,
            "\"a\" | `required` is text, not a list",
        ),
    ] {
        assert_eq!(
            faults(text).first().map(String::as_str),
            Some(expected),
            "{text}"
        );
    }
}

#[test]
fn what_is_not_a_property() {
    for (text, expected) in [
        ("1", "1 | `a` is a number, not an object"),
        ("{}", "{} | the type is missing"),
        (
            r#"{"type": ["string", "null"]}"#,
            "[\"string\", \"null\"] | the type is not read here",
        ),
        (
            r#"{"type": "object"}"#,
            "\"object\" | the type is not read here",
        ),
        (
            r#"{"type": "string", "pattern": "x"}"#,
            "\"pattern\" | `pattern` is not read here",
        ),
        (
            r#"{"type": "string", "minimum": 1}"#,
            "\"minimum\" | `minimum` is for numbers",
        ),
        (
            r#"{"type": "integer", "maxLength": 1}"#,
            "\"maxLength\" | `maxLength` is for texts",
        ),
        (
            r#"{"type": "integer", "minimum": "1"}"#,
            "\"1\" | `minimum` is not a number of this type",
        ),
        (
            r#"{"type": "string", "maxLength": -1}"#,
            "-1 | `maxLength` is not a number of this type",
        ),
        (r#"{"enum": []}"#, "[] | `enum` is not a list of values"),
        (
            r#"{"enum": ["a", 1]}"#,
            "1 | the value is a number, and the type is `string`",
        ),
        (
            r#"{"enum": ["a", "a"]}"#,
            "\"a\" | the value is listed twice",
        ),
        (r#"{"enum": [1, 1.0]}"#, "1.0 | the value is listed twice"),
        (
            r#"{"type": "boolean", "enum": [true]}"#,
            "\"enum\" | a boolean has no listed values",
        ),
        (
            r#"{"const": true}"#,
            "\"const\" | a boolean has no listed values",
        ),
        (
            r#"{"enum": ["a"], "maxLength": 1}"#,
            "\"maxLength\" | `maxLength` stands beside listed values",
        ),
        (
            r#"{"enum": ["a"], "const": "a"}"#,
            "\"const\" | `const` stands beside `enum`",
        ),
        (
            r#"{"type": "array"}"#,
            "{\"type\": \"array\"} | the list has no `items`",
        ),
        (
            r#"{"type": "array", "items": {"type": "array"}}"#,
            "\"array\" | the type is not read here",
        ),
        (
            r#"{"type": "array", "items": {"type": "string"}, "enum": []}"#,
            "\"enum\" | `enum` is not for lists",
        ),
    ] {
        assert_eq!(property(text), [expected], "{text}");
    }
    let empty = property(r#"{"type": "integer", "minimum": 2, "maximum": 1, "default": 1}"#);
    assert_eq!(empty.len(), 1, "{empty:?}");
    assert!(
        empty[0].ends_with("no value fits: the minimum is above the maximum"),
        "{empty:?}"
    );
}

#[test]
fn what_is_not_a_default() {
    for (text, expected) in [
        (
            r#"{"type": "string", "default": 1}"#,
            "1 | the default of `a` does not fit its type",
        ),
        (
            r#"{"type": "integer", "default": "1"}"#,
            "\"1\" | the default of `a` does not fit its type",
        ),
        (
            r#"{"type": "integer", "default": 1.5}"#,
            "1.5 | the default of `a` does not fit its type",
        ),
        (
            r#"{"type": "boolean", "default": null}"#,
            "null | the default of `a` does not fit its type",
        ),
        (
            r#"{"enum": ["a"], "default": "b"}"#,
            "\"b\" | the default of `a` does not fit its type",
        ),
        (
            r#"{"type": "array", "items": {"type": "integer"}, "default": [1, "2"]}"#,
            "\"2\" | the default of `a` does not fit its type",
        ),
        (
            r#"{"type": "array", "items": {"type": "integer"}, "default": 1}"#,
            "1 | the default of `a` does not fit its type",
        ),
        (
            r#"{"type": "string", "description": 1}"#,
            "1 | `description` is a number, not text",
        ),
    ] {
        assert_eq!(property(text), [expected], "{text}");
    }
}

#[test]
fn names() {
    let named = |name: &str| {
        faults(&format!(
            "{{\"type\": \"object\", \"properties\": {{\"ok\": {{\"type\": \"string\"}}, \"{name}\": {{\"type\": \"string\"}}}}}}"
        ))
    };
    for name in ["a", "dry-run", "dry_run", "x1", "aB", &"a".repeat(64)] {
        assert_eq!(named(name), [""; 0], "{name}");
    }
    for name in [
        "",
        "1x",
        "is sue",
        "ARGUMENTS",
        "FILE",
        "größe",
        "$a",
        "-a",
        "a-",
        "a.b",
        &"a".repeat(65),
    ] {
        assert_eq!(named(name).len(), 1, "{name}");
    }
    assert!(named("ok")[0].ends_with("`ok` stands twice"));
}

#[test]
fn values() {
    let integer = Kind::Integer {
        minimum: None,
        maximum: None,
    };
    let number = Kind::Number {
        minimum: None,
        maximum: None,
    };
    for (kind, written, expected) in [
        (&integer, "007", Some("7")),
        (&integer, "-0", Some("0")),
        (&integer, "1.0", Some("1")),
        (&integer, "9223372036854775807", Some("9223372036854775807")),
        (&integer, "9223372036854775808", None),
        (&integer, "1e30", None),
        (&integer, "1.5", None),
        (&integer, "", None),
        (&integer, " 1", None),
        (&integer, "1_000", None),
        (&number, "-0.0", Some("0")),
        (&number, "1.50", Some("1.5")),
        (&number, "1e3", Some("1000")),
        (&number, "inf", None),
        (&number, "NaN", None),
        (&number, "1e999", None),
        (&Kind::Boolean, "True", None),
        (
            &Kind::Text {
                min_length: Some(1),
                max_length: Some(2),
            },
            "éé",
            Some("éé"),
        ),
        (
            &Kind::Text {
                min_length: Some(1),
                max_length: None,
            },
            "",
            None,
        ),
    ] {
        assert_eq!(kind.fit(written).as_deref(), expected, "{written:?}");
    }
    let many: Vec<Text> = (0..12).map(|n| Text::Owned(format!("v{n}"))).collect();
    let many = Kind::Choice {
        numbers: false,
        values: many.into(),
    };
    assert_eq!(
        many.fits(),
        "v0, v1, v2, v3, v4, v5, v6, v7, v8, v9 or 2 more"
    );
    assert_eq!(many.near("V1"), Some("v1"));
    let empty = Kind::Choice {
        numbers: false,
        values: vec![Text::Borrowed(""), Text::Borrowed("x")].into(),
    };
    assert_eq!(empty.fits(), "an empty text or x");
}

#[test]
fn hostile_files() {
    let large = vec![b' '; 64 * 1024 + 1];
    assert_eq!(
        SchemaFile::read(&large).faults[0].message,
        "the file has 65537 bytes; the maximum is 65536"
    );
    assert_eq!(
        SchemaFile::read(b"\xff").faults[0].message,
        "the file is not UTF-8"
    );
    assert_eq!(faults(&"[".repeat(60_000)).len(), 1);
    let many = |count: usize| {
        let all: Vec<String> = (0..count)
            .map(|n| format!("\"a{n}\":{{\"type\":\"string\"}}"))
            .collect();
        format!(
            "{{\"type\":\"object\",\"properties\":{{{}}}}}",
            all.join(",")
        )
    };
    assert_eq!(SchemaFile::read(many(MAX_ARGUMENTS).as_bytes()).faults, []);
    // One cause, one fault.
    for count in [MAX_ARGUMENTS + 1, 2_000] {
        assert_eq!(
            faults(&many(count)),
            ["\"a64\" | the schema has more than 64 properties"]
        );
    }
    let values: Vec<String> = (0..=MAX_CHOICES).map(|n| n.to_string()).collect();
    assert_eq!(
        property(&format!("{{\"enum\": [{}]}}", values.join(","))).len(),
        1
    );
}

proptest::proptest! {
    #[test]
    fn no_file_panics(parts in proptest::collection::vec(proptest::sample::select(vec![
        "{", "}", "[", "]", ",", ":", "\"type\"", "\"object\"", "\"properties\"", "\"a\"", "\"enum\"", "\"default\"",
        "\"items\"", "\"array\"", "\"string\"", "\"integer\"", "\"minimum\"", "1", "-1.5e9", "null", "true",
        "\"required\"", "\"é\"", "{\"type\":\"object\",\"properties\":{\"a\":",
    ]), 0..24)) {
        let _ = SchemaFile::read(parts.concat().as_bytes());
    }

    #[test]
    fn canonical_texts_stay(written in "[-+0-9.eE]{1,12}") {
        for kind in [Kind::Integer { minimum: None, maximum: None }, Kind::Number { minimum: None, maximum: None }] {
            if let Some(text) = kind.fit(&written) {
                proptest::prop_assert_eq!(kind.fit(&text), Some(text.clone()));
            }
        }
    }
}

/// One cause is one fault, and rules about names know that names are missing.
/// Nothing would fit an empty list, and no message could say what does: a type that was not read takes any text.
#[test]
fn listed_values_that_are_all_faults_take_any_text() {
    let file = SchemaFile::read(
        br#"{"type": "object", "properties": {"a": {"const": {}}, "b": {"enum": [[], {}]}, "c": {"const": "x"}}}"#,
    );
    assert_eq!(file.faults.len(), 3);
    let fits = file.schema.arguments.iter().map(Argument::fits);
    assert_eq!(fits.collect::<Vec<_>>(), ["text", "text", "x"]);
}

#[test]
fn a_fault_has_no_followers() {
    let read = |text: &str| {
        let file = SchemaFile::read(text.as_bytes());
        let messages = file.faults.iter().map(|fault| fault.message.clone());
        (messages.collect::<Vec<_>>(), !file.can_name("a"))
    };
    let object = |properties: &str| {
        format!(r#"{{"type": "object", "properties": {{{properties}}}, "required": ["a"]}}"#)
    };
    for (text, message, is_read) in [
        ("{", "the file is not JSON", false),
        ("[]", "the file is a list, not an object", false),
        (
            r#"{"type": "object", "propertis": {"a": {"type": "string"}}, "required": ["a"]}"#,
            "`propertis` is not read here",
            false,
        ),
        (
            r#"{"type": "object", "required": ["a"]}"#,
            "the schema has no `properties`",
            false,
        ),
        (
            r#"{"tpye": "object", "properties": {"a": {"type": "string"}}}"#,
            "`tpye` is not read here",
            true,
        ),
        (
            &object(r#""A": {"type": "string"}"#),
            "`A` cannot be the name of an argument",
            false,
        ),
        (
            &object(r#""a": "string""#),
            "`a` is text, not an object",
            false,
        ),
        (
            &object(r#""a": {"tpye": "string"}"#),
            "`tpye` is not read here",
            true,
        ),
        (
            &object(r#""a": {"enm": ["x"]}"#),
            "`enm` is not read here",
            true,
        ),
        (
            &object(r#""a": {"type": "object", "properties": {}}"#),
            "the type is not read here",
            true,
        ),
        (
            &object(r#""a": {"type": "strin", "default": 1}"#),
            "the type is not read here",
            true,
        ),
    ] {
        let (messages, is_known) = read(text);
        let [told] = messages.as_slice() else {
            panic!("{text}: {messages:?}");
        };
        assert!(told.starts_with(message), "{text}: {told}");
        assert_eq!(is_known, is_read, "{text}");
    }
}
