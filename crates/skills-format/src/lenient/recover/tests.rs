use super::*;
use crate::text::work;

/// Returns the values read and the faults with their places, and checks that the fixed text parses to the
/// same values.
fn read(text: &str) -> (String, Vec<String>) {
    let recovered = front_matter(text, Span::new(0, text.len()));
    let told = recovered
        .faults
        .iter()
        .map(|fault| format!("{}: {}", fault.span.of(text), fault.message))
        .collect();
    let edits = recovered
        .faults
        .iter()
        .filter_map(|fault| fault.edit.clone());
    let fixed = Edit::apply(text, &edits.collect::<Vec<_>>());
    if recovered.faults.iter().all(|fault| fault.edit.is_some()) {
        let node = yaml::parse(&fixed).expect(&fixed).expect("a node");
        assert_eq!(node.to_json(), recovered.node.to_json(), "{fixed}");
    }
    (recovered.node.to_json(), told)
}

#[test]
#[expect(clippy::too_many_lines, reason = "one table of cases")]
fn causes_are_reported_and_read() {
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "description: Use when: a\n  and: b\nname: x\n",
            "{\"description\":\"Use when: a and: b\",\"name\":\"x\"}",
            &[":: a colon and a space in an unquoted value start another key"],
        ),
        (
            "argument-hint: [a] [b]",
            "{\"argument-hint\":\"[a] [b]\"}",
            &["[a] [b]: the value is not valid YAML without quotes"],
        ),
        (
            "d: **Bold** text\ng: *.rs\nh: @if",
            "{\"d\":\"**Bold** text\",\"g\":\"*.rs\",\"h\":\"@if\"}",
            &[
                "**Bold** text: the value is not valid YAML without quotes",
                "*.rs: the value is not valid YAML without quotes",
                "@if: the value is not valid YAML without quotes",
            ],
        ),
        (
            "d: \"Say \"hello\" first\"\ne: \"a\" or \"b\"\nf: 'x' y",
            "{\"d\":\"Say \\\"hello\\\" first\",\"e\":\"\\\"a\\\" or \\\"b\\\"\",\"f\":\"'x' y\"}",
            &[
                "\"Say \"hello\" first\": the quotes do not enclose the value as YAML reads them",
                "\"a\" or \"b\": the quotes do not enclose the value as YAML reads them",
                "'x' y: the quotes do not enclose the value as YAML reads them",
            ],
        ),
        (
            "m:\n\tk: v\n\tl: w\n",
            "{\"m\":\"k: v l: w\"}",
            &[
                "k: v: this is not valid YAML: tabs disallowed within this context (block indentation)",
            ],
        ),
        (
            "m:\n    a: 1\n    c:\n\t\td: 2\n",
            "{\"m\":\"a: 1 c: d: 2\"}",
            &[
                "d: 2: this is not valid YAML: tabs disallowed within this context (block indentation)",
            ],
        ),
        (
            "m:\n    a: 1\n\tb: 2\n",
            "{\"m\":\"a: 1 b: 2\"}",
            &["1: this is not valid YAML: while scanning a plain scalar, found a tab"],
        ),
        (
            "name: x\n\tdescription: y\n\tlicense: z\n",
            "{\"name\":\"x\",\"description\":\"y\",\"license\":\"z\"}",
            &[
                "description: `description` is indented below a value, so it is not a field",
                "license: `license` is indented below a value, so it is not a field",
            ],
        ),
        (
            "l:\u{a0}\n\u{a0} - a\n",
            "{\"l\":\"- a\"}",
            &["l:: this is not valid YAML: it is not `key: value`"],
        ),
        (
            "d: \"never closed\nname: x\n",
            "{\"d\":\"never closed\",\"name\":\"x\"}",
            &["\"never closed: the quotes do not enclose the value as YAML reads them"],
        ),
        (
            "m:\n  e: \"\\U+1F4E7 \\n\"\n  o: 1\n",
            "{\"m\":\"e: \\\"\\\\U+1F4E7 \\\\n\\\" o: 1\"}",
            &[
                "\"\\U+1F4E7 \\n\": this is not valid YAML: while parsing a quoted scalar, did not find expected hexadecimal number",
            ],
        ),
        (
            "m: {\"a\": [\"b\"]\nname: x",
            "{\"m\":\"{\\\"a\\\": [\\\"b\\\"]\",\"name\":\"x\"}",
            &["{\"a\": [\"b\"]: the value is not valid YAML without quotes"],
        ),
        (
            "m:\n  k: [a, @if, @for x, b]\n",
            "{\"m\":\"k: [a, @if, @for x, b]\"}",
            &["@if, @for x, b]: this is not valid YAML: the character U+0040 cannot stand here"],
        ),
        (
            "d: {NAME}'s text",
            "{\"d\":\"{NAME}'s text\"}",
            &["{NAME}'s text: the value is not valid YAML without quotes"],
        ),
        (
            "l:\n  - \"a b\" in c\n  - d\n",
            "{\"l\":\"- \\\"a b\\\" in c - d\"}",
            &["in c: this is not valid YAML: invalid trailing content after double-quoted scalar"],
        ),
        (
            "name: x\n<<<<<<< HEAD\nv: 1\n=======\n",
            "{\"name\":\"x\",\"v\":1}",
            &[
                "<<<<<<< HEAD: unresolved merge conflict marker",
                "=======: unresolved merge conflict marker",
            ],
        ),
        (
            "d: one\ntwo three\nname: x",
            "{\"d\":\"one two three\",\"name\":\"x\"}",
            &["one: the value is not valid YAML without quotes"],
        ),
        (
            "d: one\ntwo\n- three\nname: x",
            "{\"d\":\"one two - three\",\"name\":\"x\"}",
            &["one: the value is not valid YAML without quotes"],
        ),
        (
            "name: x\n----\nd: y",
            "{\"name\":\"x\",\"d\":\"y\"}",
            &[
                "----: a line of dashes or dots is between fields, and some clients end the front matter there",
            ],
        ),
        (
            "name: x\n--- # more\nd: y",
            "{\"name\":\"x\",\"d\":\"y\"}",
            &[
                "--- # more: a line of dashes or dots is between fields, and some clients end the front matter there",
            ],
        ),
        (
            "name:x\nd: y",
            "{\"name\":\"x\",\"d\":\"y\"}",
            &[":: a space is missing after `name:`"],
        ),
        (
            "d: > text\n",
            "{\"d\":\"> text\"}",
            &["> text: the value is not valid YAML without quotes"],
        ),
        (
            "d: \"one:\n- two\n\nthree\"\nname: x",
            "{\"d\":\"one: - two three\",\"name\":\"x\"}",
            &["\"one:: the quotes do not enclose the value as YAML reads them"],
        ),
        (
            "m: {\"a\": \\[\"b\"]}",
            "{\"m\":\"{\\\"a\\\": \\\\[\\\"b\\\"]}\"}",
            &["{\"a\": \\[\"b\"]}: the value is not valid YAML without quotes"],
        ),
        (
            "description: [draft] notes [x",
            "{\"description\":\"[draft] notes [x\"}",
            &["[draft] notes [x: the value is not valid YAML without quotes"],
        ),
        (
            "d: a\u{1}b\nname: x",
            "{\"d\":\"ab\",\"name\":\"x\"}",
            &["a\u{1}b: the value is not valid YAML without quotes"],
        ),
        (
            "d: \"never\nclosed\nname: x",
            "{\"d\":\"never closed\",\"name\":\"x\"}",
            &["\"never: the quotes do not enclose the value as YAML reads them"],
        ),
        (
            "d: \"a\n# b\"\nn: x",
            "{\"d\":\"a\",\"n\":\"x\"}",
            &["\"a: the quotes do not enclose the value as YAML reads them"],
        ),
        (
            "d:\t 'a\nk: b' # c\nn: x",
            "{\"d\":\"a\",\"k\":\"b'\",\"n\":\"x\"}",
            &["'a: the quotes do not enclose the value as YAML reads them"],
        ),
        (
            "d: \n  \"a\nb\"",
            "{\"d\":\"a b\"}",
            &["b\": this is not valid YAML: invalid indentation in multiline quoted scalar"],
        ),
        (
            "m:\n  k: \"a\n  b\"\n  l: 1",
            "{\"m\":\"k: \\\"a b\\\" l: 1\"}",
            &["b\": this is not valid YAML: invalid indentation in multiline quoted scalar"],
        ),
        (
            "d: \"\\d and *x*\" then",
            "{\"d\":\"\\\"\\\\d and *x*\\\" then\"}",
            &["\"\\d and *x*\" then: the quotes do not enclose the value as YAML reads them"],
        ),
        (
            "d: \"a \\ud83d\\udcdd \\ud83d b\"",
            "{\"d\":\"a \\\\ud83d\\\\udcdd \\\\ud83d b\"}",
            &[
                "\"a \\ud83d\\udcdd \\ud83d b\": the quotes do not enclose the value as YAML reads them",
            ],
        ),
        (
            "d: 'don't \"x\": ''y'''",
            "{\"d\":\"don't \\\"x\\\": ''y''\"}",
            &["'don't \"x\": ''y''': the quotes do not enclose the value as YAML reads them"],
        ),
        (
            "d: \"a\"# c\nn: x",
            "{\"d\":\"\\\"a\\\"# c\",\"n\":\"x\"}",
            &["\"a\"# c: the quotes do not enclose the value as YAML reads them"],
        ),
        (
            "d: !important use\nh: {{ file }}",
            "{\"d\":\"!important use\",\"h\":\"{{ file }}\"}",
            &[
                "!important use: the value is not valid YAML without quotes",
                "{{ file }}: the value is not valid YAML without quotes",
            ],
        ),
        (
            "description: Does it.\n  disable-model-invocation: true\n  user_invocable: false\nname: x",
            "{\"description\":\"Does it.\",\"disable-model-invocation\":true,\"user_invocable\":false,\"name\":\"x\"}",
            &[
                "disable-model-invocation: `disable-model-invocation` is indented below a value, so it is not a field",
                "user_invocable: `user_invocable` is indented below a value, so it is not a field",
            ],
        ),
        (
            "description: Use when: a\n  b\n    metadata:\n      k: v\n    license: MIT\nname: x",
            "{\"description\":\"Use when: a b\",\"metadata\":{\"k\":\"v\"},\"license\":\"MIT\",\"name\":\"x\"}",
            &[
                ":: a colon and a space in an unquoted value start another key",
                "metadata: `metadata` is indented below a value, so it is not a field",
                "license: `license` is indented below a value, so it is not a field",
            ],
        ),
        (
            "description:\n  Does it.\n  paths: a\nallowed-tools:\n  - Read\n    model: x",
            "{\"description\":\"Does it.\",\"paths\":\"a\",\"allowed-tools\":[\"Read\"],\"model\":\"x\"}",
            &[
                "paths: `paths` is indented below a value, so it is not a field",
                "model: `model` is indented below a value, so it is not a field",
            ],
        ),
        (
            "metadata:\n  short: a\n    author: b\n  k: v",
            "{\"metadata\":{\"short\":\"a author: b\",\"k\":\"v\"}}",
            &[": b: this is not valid YAML: mapping values are not allowed in this context"],
        ),
        (
            "metadata:\n  openclaw:\n    emoji: \"\\U+1\"\n    requires:\n      bins: [a]\n",
            "{\"metadata\":{\"openclaw\":{\"emoji\":\"\\\\U+1\",\"requires\":{\"bins\":[\"a\"]}}}}",
            &[
                "\"\\U+1\": this is not valid YAML: while parsing a quoted scalar, did not find expected hexadecimal number",
            ],
        ),
        (
            "description: Does it # a. # note\nd: Use when: a. # note",
            "{\"description\":\"Does it\",\"d\":\"Use when: a. # note\"}",
            &[":: a colon and a space in an unquoted value start another key"],
        ),
        (
            "d: &d a\ne: *d\nf: *d\ng: b: c",
            "{\"d\":\"a\",\"e\":\"*d\",\"f\":\"*d\",\"g\":\"b: c\"}",
            &[
                "*d: the value is not valid YAML without quotes",
                "*d: the value is not valid YAML without quotes",
                ":: a colon and a space in an unquoted value start another key",
            ],
        ),
        (
            "? [a]\n: b\nn: x",
            "{\"n\":\"x\"}",
            &["? [a]: the line is not `key: value`"],
        ),
    ];
    for (text, json, told) in cases {
        let (read, found) = read(text);
        assert_eq!(&read, json, "{text}");
        assert_eq!(&found, told, "{text}");
    }
}

#[test]
fn the_line_that_does_not_fit_is_reported() {
    for (lines, told) in [
        ("  a: 1\nm: 2 \n", "m: 2"),
        ("  a: 1\n\ta: 1\n", "a: 1"),
        ("  a: 1\n b: 1\n", "b: 1"),
    ] {
        let text = format!("---\n{lines}---\n");
        let faults = front_matter(&text, Span::new(4, 4 + lines.len())).faults;
        let faults = faults.iter().map(|fault| fault.span.of(&text));
        assert_eq!(faults.collect::<Vec<_>>(), [told], "{lines}");
    }
}

#[test]
fn a_quoted_value_has_its_place() {
    let lines = "   \"k.1\" :  , x\n\n     y \nn: 1\n";
    let text = format!("---\n{lines}---\n");
    let recovered = front_matter(&text, Span::new(4, 4 + lines.len()));
    assert_eq!(recovered.node.to_json(), r#"{"k.1":", x y","n":1}"#);
    let entries = recovered.node.entries().iter();
    let places = entries.map(|(key, value)| (key.span.of(&text), value.span.of(&text)));
    let places: Vec<_> = places.collect();
    assert_eq!(places, [("\"k.1\"", ", x\n\n     y"), ("n", "1")]);
}

#[test]
fn comments_and_empty_lines_hold_nothing() {
    for text in ["", "\n", "# c\n", "\n# c\n  \n  # c", "  \n"] {
        let recovered = front_matter(text, Span::new(0, text.len()));
        assert_eq!(recovered.node.entries(), [], "{text:?}");
        assert!(
            recovered.faults.is_empty() && recovered.broken.is_empty(),
            "{text:?}"
        );
    }
}

/// YAML reads such lines as one text.
#[test]
fn colons_without_a_space() {
    let text = "---\nname:notes\ndescription:Writes notes.\n---\n";
    let document = Document::split(text).expect("front matter");
    let node = yaml::parse_at(document.yaml.of(text), document.yaml.start);
    let node = node.expect("YAML").expect("a text");
    let recovered = super::joined(&document, &node).expect("fields");
    let field = |key| recovered.node.get(key).and_then(|node| node.as_str());
    assert_eq!(
        (field("name"), field("description")),
        (Some("notes"), Some("Writes notes."))
    );
    let edits = recovered
        .faults
        .iter()
        .filter_map(|fault| fault.edit.clone());
    assert_eq!(
        Edit::apply(text, &edits.collect::<Vec<_>>()),
        "---\nname: notes\ndescription: Writes notes.\n---\n"
    );
}

#[test]
fn the_work_is_linear() {
    let shapes: [(&str, &str); 15] = [
        ("", "\u{FEFF}k: v\n"),
        ("", "k: 'a\n b\n"),
        ("", "k: \"a\n"),
        ("k: \"a\n", "x\n"),
        ("k: 'a'\n", "- b\n"),
        ("m:\n", "\tk: v\n"),
        ("m:\n", "  k: x: y\n"),
        ("metadata:\n", "  k: x: y\n"),
        ("metadata:\n a:\n  b:\n   c:\n", "    k: x: y\n"),
        ("", "k: \"\\\"\n"),
        ("license: x\ndescription: a\n", "  license: b\n"),
        ("license: x\ndescription: \"a\n", "  license: b\n"),
        ("description: a\n", "  license: b\n    model: c\n"),
        ("description: \"a\n", "  license: b\n  x\" y\n"),
        ("a: b: c\ndescription: d\n", "\tmodel: e\n"),
    ];
    for (head, line) in shapes {
        let text = |lines: usize| format!("{head}{}", line.repeat(lines));
        let work = |text: &str| work::tests::of(|| front_matter(text, Span::new(0, text.len())));
        let (once, four_times) = (work(&text(200)), work(&text(800)));
        assert!(
            once > 0 && four_times < 6 * once,
            "{line:?}: {once}, {four_times}"
        );
    }
}

/// A file of Windows has the same values as its copy with LF.
#[test]
fn carriage_returns_are_no_part_of_a_value() {
    for text in [
        "description: \"never closed\nname: x\n",
        "description: 'never\n  closed\nname: x\n",
        "description: Use when: it.\nname: x\n",
        "description: [a] b\nallowed-tools:\n  - Read: x\n",
    ] {
        let crlf = text.replace('\n', "\r\n");
        let json = |text: &str| front_matter(text, Span::new(0, text.len())).node.to_json();
        assert_eq!(json(&crlf), json(text), "{text}");
        assert!(!json(&crlf).contains("\\r"), "{text}");
    }
}

/// Whatever stands above and below it, a line with a restraint is a field.
#[test]
fn a_restraint_is_never_text() {
    for restraint in [
        "disable-model-invocation: true",
        "disable_model_invocation: true",
        "'disable-model-invocation: true",
        "opencode/autoinvoke: \"false\"",
        "allow_implicit_invocation: false",
    ] {
        for above in [
            "description: Use when: it.",
            "description: \"Never closed.",
            "description: 'a' b",
            "description: [a",
            "description: |\n  a\n b",
            "metadata:\n  short: a",
            "license: @x",
            "license: *x\n  more",
        ] {
            for indent in ["", " ", "    ", "\t"] {
                for below in ["", "  more: x: y\n", "loose\n", "  - item\n"] {
                    let fields = format!("{above}\n{indent}{restraint}\n{below}");
                    // Beside `short`, the key is one of `metadata`.
                    let is_nested = above.starts_with("metadata") && indent == "\t";
                    if is_nested || yaml::parse(&fields).is_ok() {
                        continue;
                    }
                    let text = format!("---\nname: x\ndescription: y\n{fields}---\nGo.\n");
                    let file = crate::SkillFile::read("SKILL.md", "x", text.as_bytes());
                    let skill = file.lenient().0.expect(&text);
                    assert!(skill.fields.disable_model_invocation, "{text}");
                }
            }
        }
    }
}

/// A list of tools that is cut by a line with a restraint allows no more tools than before.
#[test]
fn a_list_of_tools_that_is_cut_still_limits() {
    for fields in [
        "allowed-tools: # c\n  user-invocable: false\n  - Read\n",
        "allowed-tools:\n  user-invocable: false\n  - Read\n",
    ] {
        let text = format!("---\nname: x\ndescription: y\n{fields}---\nGo.\n");
        let file = crate::SkillFile::read("SKILL.md", "x", text.as_bytes());
        let skill = file.lenient().0.expect(&text);
        assert!(!skill.fields.allowed_tools.is_empty(), "{text}");
        assert!(!skill.fields.user_invocable, "{text}");
    }
}

#[test]
fn a_key_is_a_word_or_stands_before_a_space() {
    for (text, json) in [
        ("\"a: b\": c: d\nn: x", "{\"a: b\":\"c: d\",\"n\":\"x\"}"),
        (
            "d: a: b\nhttps://x.y\nn: x",
            "{\"d\":\"a: b https://x.y\",\"n\":\"x\"}",
        ),
        (
            "d: a: b\nsee it:now\nn: x",
            "{\"d\":\"a: b see it:now\",\"n\":\"x\"}",
        ),
        (
            "d: a: b\nsee it: now\nn: x",
            "{\"d\":\"a: b\",\"see it\":\"now\",\"n\":\"x\"}",
        ),
        (
            "d: a: b\n\"see it: now\nn: x",
            "{\"d\":\"a: b \\\"see it: now\",\"n\":\"x\"}",
        ),
        (
            "d: a: b\n- x: y\nn: z",
            "{\"d\":\"a: b - x: y\",\"n\":\"z\"}",
        ),
        ("d: a: b\n# x: y\nn: z", "{\"d\":\"a: b\",\"n\":\"z\"}"),
        ("d: a: b\n[x: y\nn: z", "{\"d\":\"a: b [x: y\",\"n\":\"z\"}"),
        ("d: a: b\n--- #c\nn: x", "{\"d\":\"a: b\",\"n\":\"x\"}"),
        ("d: a: b\n--- c\nn: x", "{\"d\":\"a: b --- c\",\"n\":\"x\"}"),
        (
            "name:x\nversion:1.0\nd: a: b",
            "{\"name\":\"x\",\"version\":\"1.0\",\"d\":\"a: b\"}",
        ),
    ] {
        assert_eq!(read(text).0, json, "{text}");
    }
}

#[test]
fn metadata_is_read_key_by_key_three_levels_deep() {
    for (text, json) in [
        (
            "metadata:\n  a:\n    b:\n      d: x: y\n",
            "{\"metadata\":{\"a\":{\"b\":{\"d\":\"x: y\"}}}}",
        ),
        (
            "metadata:\n  a:\n    b:\n      c:\n        d: x: y\n",
            "{\"metadata\":{\"a\":{\"b\":{\"c\":\"d: x: y\"}}}}",
        ),
        ("metadata: |\n\tk: v\n", "{\"metadata\":\"k: v\"}"),
        ("metadata:\n\t- k: v\n", "{\"metadata\":\"- k: v\"}"),
        ("m:\n  a:\n    d: x: y\n", "{\"m\":\"a: d: x: y\"}"),
    ] {
        assert_eq!(read(text).0, json, "{text}");
    }
}

/// Any other value ends where the field begins.
#[test]
fn only_a_list_of_tools_keeps_the_text_of_the_fields_inside() {
    for (key, value, kept) in [
        ("allowed-tools", "\n  user-invocable: false\n  - Read", true),
        ("allowed-tools", " Read\n  user-invocable: false", false),
        ("d", "\n  user-invocable: false\n  - Read", false),
    ] {
        let text = format!("{key}:{value}\n");
        let recovered = front_matter(&text, Span::new(0, text.len()));
        let entries = recovered.node.entries().iter();
        let entries = entries.filter(|(name, _)| name.as_str() == Some(key));
        assert_eq!(entries.count(), if kept { 2 } else { 1 }, "{text}");
    }
}

#[test]
fn fields_that_are_taken_as_text_are_broken() {
    for (text, broken) in [
        ("d: a: b\nname: x", &[][..]),
        ("d: one\ntwo\n- three\nname: x", &[]),
        ("m:\n  k: a: b\nname: x", &["m:\n  k: a: b"]),
        ("? [a]\n: b\nn: x", &["? [a]\n: b"]),
    ] {
        let recovered = front_matter(text, Span::new(0, text.len()));
        let found = recovered.broken.iter().map(|span| span.of(text));
        assert_eq!(found.collect::<Vec<_>>(), broken, "{text}");
    }
}
