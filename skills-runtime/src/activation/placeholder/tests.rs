//! Tests of every form of placeholders.

use super::*;
use crate::activation::placeholder::folder::Folder;
use proptest::prelude::*;
use skills_format::Text;
use skills_format::text::words::words;
use std::collections::BTreeMap;

fn with(arguments: &str, listed: &[&'static str], body: &str) -> (String, Arguments) {
    let variables = [("FILE", "src/$ARGUMENTS.rs"), ("SECRET", "s")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
    let listed: Vec<Text> = listed.iter().map(|name| (*name).into()).collect();
    let values = Values {
        placeholders: Placeholders::Guarded,
        arguments,
        typed: None,
        variables: &variables,
        listed: &listed,
        folder: &Folder::of(None),
    };
    let mut out = String::new();
    let placed = fill(&mut out, body, &values).expect("not too long");
    (out, placed)
}

fn filled(body: &str) -> (String, Arguments) {
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
        assert_eq!(filled(body), (expected, Arguments::Placed), "{body}");
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
        assert_eq!(
            filled(body),
            (body.to_owned(), Arguments::NotPlaced),
            "{body}"
        );
    }
}

#[test]
fn variables() {
    assert_eq!(
        filled("in $FILE, $FILES"),
        (
            "in src/$ARGUMENTS.rs, $FILES".to_owned(),
            Arguments::NotPlaced
        )
    );
}

#[test]
fn words_by_place() {
    use Arguments::{NotPlaced, Placed};
    let ab = &["a", "b"][..];
    for (arguments, listed, body, expected, placed) in [
        ("x y", ab, "$b, $a; $a", "y, x; x", Placed),
        (
            "x y",
            ab,
            "$ab $a_b $abc $A a",
            "$ab $a_b $abc $A a",
            NotPlaced,
        ),
        ("x y", ab, "$a-b $a.b", "x-b x.b", NotPlaced),
        ("'x y' z", ab, "$a|$b", "x y|z", Placed),
        ("$b \\$a", ab, "$a $b", "$b $a", Placed),
        ("x", ab, "[$a][$b]", "[x][]", Placed),
        ("", ab, "[$a][$b]", "[][]", NotPlaced),
        ("x y z", ab, "$a $b", "x y", NotPlaced),
        ("x y", ab, "$a", "x", NotPlaced),
        ("x y z", ab, "$a $b $ARGUMENTS", "x y x y z", Placed),
        (
            "x y z",
            &[],
            "$ARGUMENTS[1] $ARGUMENTS[0]",
            "y x",
            NotPlaced,
        ),
        ("x y", &[], "$ARGUMENTS[1] $ARGUMENTS[0]", "y x", Placed),
        (
            "x",
            &[],
            "[$ARGUMENTS[1]$ARGUMENTS[99999999999999999999]]",
            "[$ARGUMENTS[1]$ARGUMENTS[99999999999999999999]]",
            NotPlaced,
        ),
        (
            "x y",
            &["FILE", "a"],
            "$a in $FILE",
            "x in src/$ARGUMENTS.rs",
            NotPlaced,
        ),
        (
            "x y",
            &["ARGUMENTS", "a"],
            "$a of $ARGUMENTS",
            "x of x y",
            Placed,
        ),
        ("x y", &["0", "1", "a"], "$a $0 $1", "x x y", Placed),
        (
            "x y",
            &["REPO_ROOT", "a"],
            "$a $REPO_ROOT",
            "x $REPO_ROOT",
            NotPlaced,
        ),
        ("x y", &["a", "a", "b"], "$a $b", "x ", NotPlaced),
        (
            "x y",
            &["issue-no", "issue"],
            "$issue-no $issue $issue-x",
            "x y y-x",
            Placed,
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
        let none = BTreeMap::new();
        let (variables, listed) = (&none, [].as_slice());
        let values = Values {
            placeholders: Placeholders::Guarded,
            arguments,
            typed: None,
            variables,
            listed,
            folder: &Folder::of(None),
        };
        let mut out = String::new();
        fill(&mut out, &"$ARGUMENTS ".repeat(times), &values).map(|_| out.len())
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

fn in_form(
    placeholders: Placeholders,
    arguments: &str,
    listed: &[&'static str],
    body: &str,
) -> String {
    let listed: Vec<Text> = listed.iter().map(|name| (*name).into()).collect();
    let values = Values {
        placeholders,
        arguments,
        typed: None,
        variables: &[("CLAUDE_EFFORT", "high")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
        listed: &listed,
        folder: &Folder::of(None),
    };
    let mut out = String::new();
    let placed = fill(&mut out, body, &values).expect("not too long");
    if placed == Arguments::NotPlaced {
        out.push('+');
    }
    out
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
        assert_eq!(
            in_form(Placeholders::Guarded, "one two", listed, body),
            expected,
            "{body}"
        );
    }
}

#[test]
fn every_position_is_filled_as_claude_code_does() {
    for (listed, body, expected) in [
        (
            &[][..],
            "`$1` costs $1,000, $5, $1st, x$1, $1_, $01",
            "`two` costs two,000, $5, $1st, xtwo, $1_, two",
        ),
        (
            &[],
            "$ARGUMENTSX $ARGUMENTS[5] $$ARGUMENTS",
            "one twoX $ARGUMENTS[5] $one two",
        ),
        (
            &[],
            r"\$ARGUMENTS \$1 \$9 \$HOME",
            r"$ARGUMENTS $1 $9 \$HOME+",
        ),
        (&[], r"\\$1 \\\$1", r"\\two \\\two"),
        (
            &["a", "1x", "FILE", "a"],
            "$a $1x $FILE $a[0] $$a",
            "one two  $a[0] $one",
        ),
        (&["$a"], "$a", "$a+"),
        (&[], r"${CLAUDE_EFFORT} \${CLAUDE_EFFORT}", r"high \high+"),
    ] {
        assert_eq!(
            in_form(Placeholders::Everywhere, "one two", listed, body),
            expected,
            "{body}"
        );
    }
    assert_eq!(
        in_form(
            Placeholders::Everywhere,
            "",
            &[],
            "$1 $ARGUMENTS[0] $ARGUMENTS"
        ),
        "$1 $ARGUMENTS[0] "
    );
}

#[test]
fn numbers_are_filled_as_opencode_does() {
    for (body, expected) in [
        (
            "One $1, two $2, zero $0, all $ARGUMENTS, $ARGUMENTS[0].",
            "One one, two two three four, zero $0, all one two three four, one two three four[0].",
        ),
        (r"\$1 $1,000 `$1` $1st $10", r"\one one,000 `one` onest "),
        ("Only $2.", "Only two three four."),
        ("None ${CLAUDE_EFFORT} $a.", "None ${CLAUDE_EFFORT} $a.+"),
    ] {
        assert_eq!(
            in_form(Placeholders::Numbered, "one two three four", &["a"], body),
            expected,
            "{body}"
        );
    }
}

#[test]
fn without_placeholders_a_body_stays() {
    let body = r"$ARGUMENTS $1 $a \$1 ${CLAUDE_SKILL_DIR}";
    assert_eq!(
        in_form(Placeholders::None, "one", &["a"], body),
        format!("{body}+")
    );
}

proptest! {
    /// No text panics, and a body without `$` is copied.
    #[test]
    fn odd_texts(body in "[$\\\\{}\\[\\]0-9aA-Z_`\n é-]{0,60}", arguments in "[$a '\"\\\\]{0,9}") {
        for form in [Placeholders::Guarded, Placeholders::Everywhere, Placeholders::Numbered, Placeholders::None] {
            in_form(form, &arguments, &["a", "é", ""], &body);
            let plain = body.replace('$', "");
            prop_assert_eq!(in_form(form, &arguments, &["a"], &plain), format!("{plain}+"));
        }
    }
}
