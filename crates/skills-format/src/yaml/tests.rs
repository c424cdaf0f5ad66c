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
        (": b", 0, "no key stands before the colon"),
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
fn refusals() {
    for text in [
        "a: &x [1]\nb: *x",
        "%YAML 1.2\n---\na: 1",
        "a: 1\n---\nb: 2",
        "a: b: c",
    ] {
        assert!(parse(text).is_err(), "{text}");
    }
    assert!(parse(&"[".repeat(100_000)).is_err());
    assert!(parse(&format!("{}a", "- ".repeat(100_000))).is_err());
}
