use crate::line::line;
use crate::parse::{parse, signature};
use crate::schema::Schema;
use crate::schema::SchemaFile;
use proptest::prelude::*;

const DEPLOY: &str = r#"{
  "type": "object",
  "properties": {
    "environment": {"enum": ["staging", "production"], "description": "Where to."},
    "dry-run": {"type": "boolean", "default": false},
    "count": {"type": "integer", "minimum": -5, "maximum": 9},
    "ratio": {"type": "number"},
    "note": {"type": "string", "maxLength": 40},
    "tags": {"type": "array", "items": {"type": "string"}}
  },
  "required": ["environment"]
}"#;

fn schema(listed: &[&str]) -> Schema {
    let file = SchemaFile::read(DEPLOY.as_bytes());
    assert_eq!(file.faults, []);
    let listed: Vec<_> = listed
        .iter()
        .map(|name| (*name).to_owned().into())
        .collect();
    file.schema.ordered(&listed)
}

fn by_position() -> Schema {
    schema(&["environment", "dry-run", "count", "ratio", "note", "tags"])
}

fn canonical(schema: &Schema, text: &str) -> Result<String, String> {
    parse(schema, text).map(|values| line(schema, &values))
}

#[test]
fn texts_and_their_line() {
    let all = by_position();
    for (text, expected) in [
        ("staging", "staging false"),
        ("staging --dry-run", "staging true"),
        ("  --dry_run   environment=staging ", "staging true"),
        (
            "--dry-run false --environment production",
            "production false",
        ),
        ("staging true 3", "staging true 3"),
        ("staging true -3", "staging true -3"),
        ("staging --count -3", "staging false -3"),
        (
            "staging --count=-3 --tags a --tags=b",
            "staging false -3 --tags=a --tags=b",
        ),
        (
            "staging false 1 0.50 'a b' x y",
            "staging false 1 0.5 'a b' x y",
        ),
        ("staging --note 'a b'", "staging false --note='a b'"),
        ("staging --note=--dry-run", "staging false --note=--dry-run"),
        ("staging --note=", "staging false --note="),
        (
            "staging false 1 2 -- --note",
            "staging false 1 2 --note=--note",
        ),
        ("staging false 1 2 note=x --tags=z", "staging false 1 2 x z"),
        (
            "staging --note $'a\\nb\\'c\\u2028'",
            "staging false --note=$'a\\nb\\'c\\u2028'",
        ),
        ("staging --note 'a\nb'", "staging false --note=$'a\\nb'"),
        (
            "staging --note 'it'\\''s $x; `y`'",
            "staging false --note='it'\\''s $x; `y`'",
        ),
        (
            r#"{"environment": "staging", "tags": ["a b", "[c]"], "count": 1.0, "note": null}"#,
            r#"staging false 1 --tags='["a b","[c]"]'"#,
        ),
        (
            r#"{"environment": "staging", "tags": [], "ratio": 1e1, "dry-run": true}"#,
            "staging true --ratio=10",
        ),
        (
            r#"{"environment": "staging", "note": "größe – 日本"}"#,
            "staging false --note='größe – 日本'",
        ),
        ("staging --tags=[]", "staging false"),
    ] {
        let line = canonical(&all, text).unwrap_or_else(|why| panic!("{text}: {why}"));
        assert_eq!(line, expected, "{text}");
        assert_eq!(canonical(&all, &line), Ok(line.clone()), "{text}");
    }
}

#[test]
fn the_last_text_takes_the_rest() {
    let file = SchemaFile::read(
        br#"{"type": "object", "properties": {"kind": {"enum": ["fix", "feature"]}, "message": {"type": "string"}}}"#,
    );
    let schema = file.schema.ordered(&["kind".into(), "message".into()]);
    assert_eq!(
        canonical(&schema, "fix the bug  in {x} don't stop").as_deref(),
        Ok("fix 'the bug  in {x} don'\\''t stop'")
    );
}

#[test]
fn what_cannot_be_seen_is_written_out() {
    let all = by_position();
    for (text, expected) in [
        (
            r#"{"environment": "staging\n"}"#,
            "argument 'environment' does not take 'staging\\n' (did you mean 'staging'?); it takes staging or production",
        ),
        (
            "stag\u{200b}ing",
            "argument 'environment' does not take 'stag\\u{200b}ing' (did you mean 'staging'?); it takes staging or production",
        ),
        (
            "staging --cuo\u{200b}nt 1",
            "no argument is named 'cuo\\u{200b}nt' (did you mean 'count'?)",
        ),
    ] {
        assert_eq!(canonical(&all, text), Err(expected.to_owned()), "{text:?}");
    }
}

#[test]
fn what_does_not_fit_is_told() {
    let all = by_position();
    let arguments = signature(&all);
    assert_eq!(
        arguments,
        "environment (staging or production), dry-run (true or false, default false), count (a whole number from -5 \
         to 9, optional), ratio (a number, optional), note (text of at most 40 characters, optional), tags (a list, \
         each item text, optional)"
    );
    for (text, expected) in [
        ("", "argument 'environment' is missing; it takes staging or production".to_owned()),
        ("stagng", "argument 'environment' does not take 'stagng' (did you mean 'staging'?); it takes staging or production".to_owned()),
        ("Staging", "argument 'environment' does not take 'Staging' (did you mean 'staging'?); it takes staging or production".to_owned()),
        ("staging maybe", "argument 'dry-run' does not take 'maybe'; it takes true or false".to_owned()),
        ("staging --count 10", "argument 'count' does not take '10'; it takes a whole number from -5 to 9".to_owned()),
        ("staging --count", "argument 'count' has no value; it takes a whole number from -5 to 9".to_owned()),
        ("staging --count --dry-run", "argument 'count' has no value; it takes a whole number from -5 to 9".to_owned()),
        ("staging --cuont 1", "no argument is named 'cuont' (did you mean 'count'?)".to_owned()),
        ("staging cuont=1", "no argument is named 'cuont' (did you mean 'count'?)".to_owned()),
        ("staging --help", format!("no argument is named 'help'; the arguments are {arguments}")),
        ("staging --environment production", "argument 'environment' is given twice, as 'production' and as 'staging'".to_owned()),
        (r#"{"environment": ["staging"]}"#, "argument 'environment' does not take '[\"staging\"]'; it takes staging or production".to_owned()),
        (r#"{"environment": "staging", "tags": [{}]}"#, "argument 'tags' does not take '[{}]'; it takes a list, each item text".to_owned()),
        (r#"{"environment": "staging", "environment": "staging"}"#, "argument 'environment' is given twice, as 'staging' and as 'staging'".to_owned()),
        (r#"{"x": 1}"#, format!("no argument is named 'x'; the arguments are {arguments}")),
        (
            "-n staging",
            "no argument is named '-n' (did you mean '--note'?); a value that begins with '-' follows '--'".to_owned(),
        ),
        (
            "staging -x",
            format!("no argument is named '-x'; the arguments are {arguments}; a value that begins with '-' follows '--'"),
        ),
        (
            "staging -dry-run",
            "no argument is named '-dry-run' (did you mean '--dry-run'?); a value that begins with '-' follows '--'".to_owned(),
        ),
        (
            r#"{"environment":"staging""#,
            "the JSON object is broken at its end: `,` or `}` is missing here".to_owned(),
        ),
        (
            r#"{ "environment": staging}"#,
            "the JSON object is broken at character 18, before 'staging}': a value is missing here".to_owned(),
        ),
        (
            r#"environment="staging"#,
            r#"the quote " of 'environment="staging' is not closed; write \" for the character itself"#.to_owned(),
        ),
        (
            "staging --note 'a b",
            r"the quote ' of ''a' is not closed; write \' for the character itself".to_owned(),
        ),
        (
            r#"staging --note="a b"#,
            r#"the quote " of '--note="a' is not closed; write \" for the character itself"#.to_owned(),
        ),
        (
            "staging $'a",
            r"the quote ' of '$'a' is not closed; write \' for the character itself".to_owned(),
        ),
        ("staging --tags='[1'", "argument 'tags' does not take '[1'; it takes a list, each item text".to_owned()),
    ] {
        let told = canonical(&all, text);
        if text == "staging --environment production" {
            assert!(told.is_err_and(|why| why.contains("is given twice")), "{text}");
        } else {
            assert_eq!(told, Err(expected), "{text}");
        }
    }
    let long = format!("staging --count {}", "9".repeat(100_000));
    assert!(canonical(&all, &long).is_err_and(|why| why.len() < 400));
    let by_name = schema(&[]);
    let told = canonical(&by_name, "staging").expect_err("no positions");
    assert!(
        told.starts_with("'staging' is not of any argument; write its name, --NAME=VALUE."),
        "{told}"
    );
    let file =
        SchemaFile::read(br#"{"type": "object", "properties": {"port": {"type": "integer"}}}"#);
    let one = file.schema.ordered(&["port".into()]);
    assert_eq!(
        canonical(&one, "1 2"),
        Err(
            "'2' is one word too many; the arguments are port (a whole number, optional)"
                .to_owned()
        )
    );
}

#[test]
fn all_missing_arguments_are_told_together() {
    let file = SchemaFile::read(
        br#"{"type": "object", "properties": {"environment": {"enum": ["staging", "production"]},
             "version": {"type": "string"}, "count": {"type": "integer", "default": 1}},
             "required": ["environment", "version", "count"]}"#,
    );
    let schema = file
        .schema
        .ordered(&["environment".into(), "version".into()]);
    let missing = |text: &str| canonical(&schema, text).expect_err(text);
    assert_eq!(
        missing(""),
        "the arguments 'environment', 'version' are missing: 'environment' takes staging or production, 'version' \
         takes text"
    );
    assert_eq!(
        missing("staging"),
        "argument 'version' is missing; it takes text"
    );
}

#[test]
fn a_hyphen_or_a_quote_in_a_text_is_a_part_of_it() {
    let file = SchemaFile::read(
        br#"{"type": "object", "properties": {"kind": {"enum": ["-n", "fix"]}, "message": {"type": "string"}}}"#,
    );
    let schema = file.schema.ordered(&["kind".into(), "message".into()]);
    for (text, line) in [
        (
            "fix the -v flag isn't \"read",
            "fix 'the -v flag isn'\\''t \"read'",
        ),
        ("-n -- -v", "--kind=-n --message=-v"),
        ("fix -- -v", "fix --message=-v"),
        ("fix --message -v", "fix --message=-v"),
        ("fix \\'tis", "fix ''\\''tis'"),
        ("fix don't", "fix 'don'\\''t'"),
        ("fix don't and can't", "fix 'don'\\''t and can'\\''t'"),
        ("fix C:\\temp  and\nmore", "fix $'C:\\\\temp  and\\nmore'"),
        ("fix a'b c' d", "fix 'a'\\''b c'\\'' d'"),
        ("fix 'a b'c", "fix 'a bc'"),
        (
            "fix say \"a b\" and \\n, 'c d'",
            r#"fix 'say "a b" and \n, '\''c d'\'''"#,
        ),
        ("fix {x}", "fix '{x}'"),
        ("fix the -- dash", "fix 'the -- dash'"),
        ("fix a -- b -- c", "fix 'a -- b -- c'"),
        ("fix use --release, not -O", "fix 'use --release, not -O'"),
        ("fix the --x=y -- z", "fix 'the --x=y -- z'"),
        // After `--`, a word with the name of an argument is text too.
        ("fix the -- --kind=x -- y", "fix 'the --kind=x -- y'"),
        ("fix the -- a kid=x", "fix 'the a kid=x'"),
    ] {
        assert_eq!(canonical(&schema, text).as_deref(), Ok(line), "{text}");
        assert_eq!(canonical(&schema, line).as_deref(), Ok(line), "{text}");
    }
    for text in ["fix the --kid x", "fix the --messages x"] {
        let told = canonical(&schema, text).expect_err("a near name");
        assert!(told.ends_with("follows '--'"), "{told}");
    }
    let file = SchemaFile::read(
        br#"{"type": "object", "properties": {"flags": {"enum": ["--release", "-O2"]}}}"#,
    );
    let flags = file.schema.ordered(&["flags".into()]);
    let told = canonical(&flags, "--release").expect_err("an option");
    assert!(
        told.ends_with("a value that begins with '-' follows '--'"),
        "{told}"
    );
    assert_eq!(
        canonical(&flags, "-- --release").as_deref(),
        Ok("--flags=--release")
    );
    assert!(canonical(&schema, "fix -v").is_err_and(|why| why.contains("'-v'")));
    assert!(canonical(&schema, "fix \"a b").is_err_and(|why| why.contains("is not closed")));
}

/// Returns a text that gives the arguments in one of the forms, and the values that it means.
fn given() -> impl Strategy<Value = String> {
    let value = prop_oneof![
        Just("staging".to_owned()),
        Just("true".to_owned()),
        Just("-3".to_owned()),
        Just("[\"a\", \"b\"]".to_owned()),
        ".{0,6}",
        "[-=\\[\\]{}'\"\\\\$ \n\ta-c]{0,8}",
    ];
    let name = prop::sample::select(vec![
        "environment",
        "dry-run",
        "count",
        "ratio",
        "note",
        "tags",
        "x",
    ]);
    let word = (name, value, 0..4_u8).prop_map(|(name, value, form)| {
        let quoted = crate::line::joined(&[value]);
        match form {
            0 => quoted,
            1 => format!("--{name}={quoted}"),
            2 => format!("--{name} {quoted}"),
            _ => format!("{name}={quoted}"),
        }
    });
    prop::collection::vec(word, 0..5)
        .prop_map(|words| format!("--environment=staging {}", words.join(" ")))
}

proptest! {
    #[test]
    fn a_line_gives_its_values(text in given(), is_by_position in any::<bool>()) {
        let schema = if is_by_position { by_position() } else { schema(&[]) };
        if let Ok(values) = parse(&schema, &text) {
            let line = line(&schema, &values);
            prop_assert!(!line.contains(['\n', '\r', '\u{2028}', '\t']), "{line:?}");
            prop_assert_eq!(parse(&schema, &line), Ok(values), "{} {}", text, line);
        }
    }

    #[test]
    fn any_texts_survive_the_line(note in ".{0,40}", tags in prop::collection::vec(".{0,5}|[\\[\\]\", ]{0,5}", 0..4)) {
        let schema = schema(&[]);
        let json = serde_json::json!({"environment": "staging", "note": note, "tags": tags}).to_string();
        let values = parse(&schema, &json).expect("values that fit");
        prop_assert_eq!(values[4].as_deref(), Some(&[note][..]));
        let line = line(&schema, &values);
        prop_assert_eq!(parse(&schema, &line), Ok(values), "{}", line);
    }

    #[test]
    fn no_text_panics(text in "(--|=|'|\"|\\$'|\\\\|\\{|\\}|\\[|staging|count|tags| |\n|é|1|-|:|,){0,20}") {
        let _ = canonical(&by_position(), &text);
    }
}
