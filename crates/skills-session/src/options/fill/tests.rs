//! Tests of the forms that profiles have.

use super::*;
use proptest::prelude::*;
use skills_format::Text;

fn in_form(form: Placeholders, arguments: &str, listed: &[&'static str], body: &str) -> String {
    let listed: Vec<Text> = listed.iter().map(|name| (*name).into()).collect();
    let values = Values {
        arguments,
        typed: None,
        listed: &listed,
        variable: &|name| (name == "CLAUDE_EFFORT").then_some("high"),
    };
    let mut out = String::new();
    if !fill(form, &mut out, body, &values).expect("not too long") {
        out.push('+');
    }
    out
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
