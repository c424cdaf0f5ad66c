use super::*;

fn json(text: &str) -> String {
    parse(text)
        .expect("parses")
        .map_or_else(|| "nothing".to_owned(), |node| node.to_json())
}

#[test]
fn core_schema() {
    assert_eq!(
        json(
            "a: 1.10\nb: 007\nc: yes\nd: 0x1F\ne: ~\nf: 1e3\ng: 2020-01-02\nh: True\ni: .5\nj: '1'"
        ),
        r#"{"a":1.1,"b":7,"c":"yes","d":31,"e":null,"f":1000.0,"g":"2020-01-02","h":true,"i":0.5,"j":"1"}"#
    );
    assert_eq!(json(""), "nothing");
    assert_eq!(json("a: 1\na: 2"), r#"{"a":2}"#);
}

#[test]
fn what_other_readers_refuse() {
    for (text, at, message) in [
        ("a: !b c", 6, "tags (`!name`) are not read here"),
        (
            "a: !!python/name:b c",
            19,
            "tags (`!name`) are not read here",
        ),
        ("a: !b [c]", 6, "tags (`!name`) are not read here"),
        ("a: {{ b }}", 4, "a mapping cannot be a key here"),
        (": b", 0, "the key before the colon is missing"),
        ("? [a]\n: b", 2, "a list cannot be a key here"),
        ("a: b\u{FFFE}", 3, "the character U+FFFE cannot stand here"),
    ] {
        let error = parse(text).expect_err(text);
        assert_eq!(
            (error.offset, error.message.as_str()),
            (at, message),
            "{text}"
        );
    }
    assert_eq!(json("a: !!str 1\nb: !!seq [c]"), r#"{"a":1,"b":["c"]}"#);
    let deep: Vec<String> = (0..300).map(|i| format!("{}k:", " ".repeat(i))).collect();
    let deep = deep.join(
        "
",
    );
    assert_eq!(parse(&deep).expect_err("deep").message, TOO_DEEP);
}

#[test]
fn spans_are_exact() {
    let text = "name: x\ndescription: 'a ''b'\nmetadata:\n  aliases: tdd  # c\nlist: [a, b]\n";
    let node = parse(text).expect("parses").expect("a document");
    let of = |key: &str| node.get(key).map(|n| n.span.of(text));
    assert_eq!(of("name"), Some("x"));
    assert_eq!(of("description"), Some("'a ''b'"));
    assert_eq!(of("metadata"), Some("aliases: tdd"));
    assert_eq!(of("list"), Some("[a, b]"));
}

#[test]
fn an_anchor_is_read_over() {
    let text = "description: &d Text\nlist: &l [a]\nmap: &m {b: c}\n";
    assert_eq!(
        json(text),
        r#"{"description":"Text","list":["a"],"map":{"b":"c"}}"#
    );
    let node = parse(text).expect("parses").expect("a document");
    let span = node.get("description").map(|node| node.span.of(text));
    assert_eq!(span, Some("Text"));
}

#[test]
fn an_alias_is_the_value_of_its_anchor() {
    let text = "description: &d \"1\"\nmetadata: &m {short: *d, l: [a]}\nother: *m\n";
    assert_eq!(
        json(text),
        r#"{"description":"1","metadata":{"short":"1","l":["a"]},"other":{"short":"1","l":["a"]}}"#
    );
    let node = parse(text).expect("parses").expect("a document");
    let span = node.get("other").map(|node| node.span.of(text));
    assert_eq!(span, Some("*m"));
}

#[test]
fn what_aliases_repeat_has_an_end() {
    let many = |text: &str, count: usize| format!("a: &x {text}\nb: [{}]\n", "*x, ".repeat(count));
    assert!(parse(&many(&"x".repeat(1_000), 60)).is_ok());
    assert!(parse(&many(&"x".repeat(1_000), 70)).is_err());
    assert!(parse(&many("[[], [], []]", 20_000)).is_err());
    let mut deep = String::from("a0: &a0 [x]\n");
    for level in 1..200 {
        let line = format!("a{level}: &a{level} [*a{}]\n", level - 1);
        deep.push_str(&line);
    }
    assert_eq!(parse(&deep).expect_err("too deep").message, TOO_DEEP);
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..20 {
        let before = format!("*a{}, ", level - 1).repeat(10);
        let line = format!("a{level}: &a{level} [{before}]\n");
        bomb.push_str(&line);
    }
    assert!(parse(&bomb).is_err());
}

#[test]
fn refusals() {
    for text in [
        "b: *x\na: &x 1",
        "a: &x [*x]",
        "%YAML 1.2\n---\na: 1",
        "a: 1\n---\nb: 2",
        "a: b: c",
    ] {
        assert!(parse(text).is_err(), "{text}");
    }
    assert!(parse(&"[".repeat(100_000)).is_err());
    assert!(parse(&format!("{}a", "- ".repeat(100_000))).is_err());
}

#[test]
fn lines_that_the_parser_need_not_read() {
    let long = format!(
        "{}: {}z\n",
        "k".repeat(128),
        "x: y ".replace(": ", ":").repeat(3_000)
    );
    let quoted = format!("a: '{}'\n", "x: y ".repeat(3_000));
    for text in [
        &*long,
        &*quoted,
        "name: a",
        "name: a\n",
        "name: tidy-up\ndescription: Tidies (twice), e.g. http://x:1#y [a] {b} 'c' \"d\" -e & f * ! | > % @ ` ? ~\n",
        "a: true\nb: null\nc: 1.10\nd: 2020-01-02\na: x y",
        "a: \"b: c # d 'e'\"\nf: ''\ng: 'h \"i\" '",
    ] {
        let node = lines::mapping(text, 7);
        assert!(node.is_some(), "{text}");
        assert_eq!(node, parse_whole(text, 7).expect(text), "{text}");
    }
    for text in [
        "",
        "\n",
        "a",
        "a:",
        "a: ",
        "a:  b",
        "a: b ",
        "a: b\n\n",
        "a: b\n\nc: d",
        "a: b\n  c",
        "a: b\r\n",
        "a: b: c",
        "a: b:",
        "a: b # c",
        "a: [b]",
        "a: -1",
        "a: \"b\\n\"",
        "a: \"b",
        "a: \"",
        "a: 'b''c'",
        "a: 'b' c",
        "a: \u{e9}",
        "1: b",
        "- a: b",
        "a b: c",
        "a: b\t",
    ] {
        assert_eq!(lines::mapping(text, 0), None, "{text}");
    }
}

proptest::proptest! {
    #[test]
    fn lines_are_what_the_parser_reads(text in "([a-z?-]{1,3}:? ?[a-z0-9 :#'\"\\\\,{}&*!|>%@`?.~\\[\\]\t\r-]{0,9}\n?){0,3}", base in 0..9_usize) {
        if let Some(node) = lines::mapping(&text, base) {
            proptest::prop_assert_eq!(Ok(Some(node)), parse_whole(&text, base));
        }
    }

    #[test]
    fn quoted_lines_are_what_the_parser_reads(text in "(a|b): [\"'][ -~]{0,9}[\"']\n?") {
        if let Some(node) = lines::mapping(&text, 0) {
            proptest::prop_assert_eq!(Ok(Some(node)), parse_whole(&text, 0));
        }
    }
}
