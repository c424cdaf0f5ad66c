//! Tests of the placeholders.

use super::*;
use proptest::prelude::*;

fn with(arguments: &str, listed: &[&'static str], body: &str) -> (String, bool) {
    let listed: Vec<Text> = listed.iter().map(|name| (*name).into()).collect();
    let variable = |name: &str| match name {
        "FILE" => Some("src/$ARGUMENTS.rs"),
        "SECRET" => Some("s"),
        "CLAUDE_EFFORT" => Some("high"),
        _ => None,
    };
    let values = Values {
        arguments,
        typed: None,
        listed: &listed,
        variable: &variable,
    };
    let mut out = String::new();
    let placed = values.fill(&mut out, body).expect("not too long");
    (out, placed)
}

fn filled(body: &str) -> (String, bool) {
    with("a $FILE $ARGUMENTS", &["FILE", "$gone", "SELECTION"], body)
}

#[test]
fn arguments() {
    let args = "a $FILE $ARGUMENTS";
    for (body, expected) in [
        ("go: $ARGUMENTS.", format!("go: {args}.")),
        ("`x $ARGUMENTS`", format!("`x {args}`")),
        ("```\n$ARGUMENTS\n```", format!("```\n{args}\n```")),
        ("$ARGUMENTS$ARGUMENTS", format!("{args}{args}")),
        (r"\\$ARGUMENTS", format!(r"\\{args}")),
        ("处理$ARGUMENTS的", format!("处理{args}的")),
        ("$ARGUMENTS[x] $ARGUMENTS[", format!("{args}[x] {args}[")),
        ("$gone and $ARGUMENTS", format!("a and {args}")),
    ] {
        assert_eq!(filled(body), (expected, true), "{body}");
    }
}

#[test]
fn what_stays() {
    for body in [
        "$$gone $ARGUMENTS[9]",
        "$ARGUMENTS_DIR $ARGUMENTSX $ARGUMENTS1 $ARGUMENTSé",
        "$9 $10 $HOME $PATH ${ARGUMENTS} ${GONE} $(ls) $$ARGUMENTS $arguments $",
        "$SECRET $goner $Gone $gone[0] $SELECTION",
        "no placeholder",
    ] {
        assert_eq!(filled(body), (body.to_owned(), false), "{body}");
    }
}

#[test]
fn variables() {
    assert_eq!(
        filled("in $FILE, $FILES"),
        ("in src/$ARGUMENTS.rs, $FILES".to_owned(), false)
    );
}

#[test]
fn words_by_place() {
    let ab = &["a", "b"][..];
    for (arguments, listed, body, expected, placed) in [
        ("x y", ab, "$b, $a; $a", "y, x; x", true),
        ("x y", ab, "$ab $a_b $abc $A a", "$ab $a_b $abc $A a", false),
        ("x y", ab, "$a-b $a.b", "x-b x.b", false),
        ("'x y' z", ab, "$a|$b", "x y|z", true),
        ("$b \\$a", ab, "$a $b", "$b $a", true),
        ("x", ab, "[$a][$b]", "[x][]", true),
        ("", ab, "[$a][$b]", "[][]", false),
        ("x y z", ab, "$a $b", "x y", false),
        ("x y", ab, "$a", "x", false),
        ("x y z", ab, "$a $b $ARGUMENTS", "x y x y z", true),
        ("x y z", &[], "$ARGUMENTS[1] $ARGUMENTS[0]", "y x", false),
        ("x y", &[], "$ARGUMENTS[1] $ARGUMENTS[0]", "y x", true),
        (
            "x",
            &[],
            "[$ARGUMENTS[1]$ARGUMENTS[99999999999999999999]]",
            "[$ARGUMENTS[1]$ARGUMENTS[99999999999999999999]]",
            false,
        ),
        (
            "x y",
            &["FILE", "a"],
            "$a in $FILE",
            "x in src/$ARGUMENTS.rs",
            false,
        ),
        (
            "x y",
            &["ARGUMENTS", "a"],
            "$a of $ARGUMENTS",
            "x of x y",
            true,
        ),
        ("x y", &["0", "1", "a"], "$a $0 $1", "x x y", true),
        (
            "x y",
            &["REPO_ROOT", "a"],
            "$a $REPO_ROOT",
            "x $REPO_ROOT",
            false,
        ),
        ("x y", &["a", "a", "b"], "$a $b", "x ", false),
        (
            "x y",
            &["issue-no", "issue"],
            "$issue-no $issue $issue-x",
            "x y y-x",
            true,
        ),
    ] {
        let (text, found) = with(arguments, listed, body);
        assert_eq!((&*text, found), (expected, placed), "{arguments} {body}");
    }
}

#[test]
fn values_have_a_limit_together() {
    let long = "x".repeat(MAX_INSERTED);
    let length = |arguments: &str, times: usize| {
        let values = Values {
            arguments,
            typed: None,
            listed: &[],
            variable: &|_| None,
        };
        let mut out = String::new();
        let placed = values.fill(&mut out, &"$ARGUMENTS ".repeat(times));
        placed.map(|_| out.len())
    };
    assert_eq!(length(&long, 1), Some(MAX_INSERTED + 1));
    assert_eq!(length(&long, 2), None);
    assert_eq!(length(&format!("{long}x"), 1), Some(MAX_INSERTED + 2));
    assert_eq!(
        length("12345678", MAX_INSERTED / 8),
        Some(MAX_INSERTED / 8 * 9)
    );
    assert_eq!(length("12345678", MAX_INSERTED / 8 + 1), None);
    assert_eq!(length("", 90_000), Some(90_000));
}

proptest! {
    #[test]
    fn nothing_put_in_is_scanned(parts in prop::collection::vec("[a-z \\\\\\[\\]0-9é]{0,5}", 1..5), arguments in "(\\$ARGUMENTS|\\$FILE|\\$a|[a$ ]){0,6}") {
        let body = parts.join(" $ARGUMENTS ");
        let (text, _) = with(&arguments, &["a"], &body);
        prop_assert_eq!(text, parts.join(&format!(" {arguments} ")));
        let word = words(&arguments).into_iter().next().unwrap_or_default();
        let (text, _) = with(&arguments, &["a"], &parts.join(" $a "));
        prop_assert_eq!(text, parts.join(&format!(" {word} ")));
    }
}

/// Appends `+` if a line with the arguments follows.
fn marked(arguments: &str, listed: &[&'static str], body: &str) -> String {
    let (text, is_placed) = with(arguments, listed, body);
    if is_placed { text } else { text + "+" }
}

#[test]
fn guarded_positions_escapes_and_braces() {
    for (listed, body, expected) in [
        // Without names and without an index, a position is no placeholder.
        (&[][..], r"$0 $1 \$1", r"$0 $1 \$1+"),
        (&["a"], "$0, $1, $2", "one, two, $2"),
        (
            &["a"],
            "`$1` and $1,000 for $1.50, $1st, x$1",
            "`$1` and $1,000 for $1.50, $1st, x$1+",
        ),
        (
            &["a"],
            "```\necho $1\n```\n\n    echo $1\n\n$1",
            "```\necho $1\n```\n\n    echo $1\n\ntwo+",
        ),
        (&[], "$ARGUMENTS[1] and $0", "two and one"),
        (&[], "$ARGUMENTS[7], $ARGUMENTS[1]", "$ARGUMENTS[7], two+"),
        (
            &["a"],
            r"\$ARGUMENTS \$ARGUMENTS[0] \$a \$1 \$HOME",
            r"$ARGUMENTS $ARGUMENTS[0] $a $1 \$HOME+",
        ),
        (&["a"], r"\\$a \\\$a", r"\\one \\$a+"),
        (&["a"], "$$a $$1 $$ARGUMENTS", "$$a $$1 $$ARGUMENTS+"),
        (
            &[],
            "${CLAUDE_EFFORT} ${CLAUDE_SESSION_ID} ${HOME} ${}",
            "high ${CLAUDE_SESSION_ID} ${HOME} ${}+",
        ),
        (
            &[],
            r"\${CLAUDE_EFFORT} $${CLAUDE_EFFORT} ${CLAUDE_EFFORT",
            "${CLAUDE_EFFORT} $${CLAUDE_EFFORT} ${CLAUDE_EFFORT+",
        ),
    ] {
        assert_eq!(marked("one two", listed, body), expected, "{body}");
    }
}

proptest! {
    /// No text panics, and a body without `$` is copied.
    #[test]
    fn odd_texts(body in "[$\\\\{}\\[\\]0-9aA-Z_`\n é-]{0,60}", arguments in "[$a '\"\\\\]{0,9}") {
        marked(&arguments, &["a", "é", ""], &body);
        let plain = body.replace('$', "");
        prop_assert_eq!(marked(&arguments, &["a"], &plain), format!("{plain}+"));
    }
}
