mod by_comrak;

use super::*;
use crate::mention::mask::tests::by_comrak::unmasked;
use std::collections::BTreeMap;

const FENCE: Place = Place::Masked(Mask::Fence);
const INDENTED: Place = Place::Masked(Mask::Indented);
const CODE_SPAN: Place = Place::Masked(Mask::CodeSpan);
const COMMENT: Place = Place::Masked(Mask::Comment);

/// Each case is a text with words `w…x`, and the places of the words.
#[test]
#[expect(clippy::too_many_lines, reason = "one table of cases")]
fn words_have_their_places() {
    use Place::{Prose, Unseen};
    for (text, expected) in [
        ("```\nw1x\n```\nw2x", &[FENCE, Prose][..]),
        ("~~~\nw1x\n```\nw2x\n~~~\nw3x", &[FENCE, FENCE, Prose]),
        ("````\nw1x\n```\nw2x", &[FENCE, FENCE]),
        ("``\nw1x\n``", &[CODE_SPAN]),
        (
            "``` w1x\nw2x\n ``` w3x\nw4x\n   ```\nw5x",
            &[FENCE, FENCE, FENCE, FENCE, Prose],
        ),
        ("   ```\nw1x\n    ```\nw2x", &[FENCE, FENCE]),
        ("- ```\n  w1x\n\nw2x", &[FENCE, Prose]),
        ("> ```\n> w1x\nw2x", &[FENCE, Prose]),
        ("a\n\n    w1x\n   w2x", &[INDENTED, Prose]),
        ("a\n    w1x", &[Prose]),
        ("a\n\n\tw1x\n\nw2x", &[INDENTED, Prose]),
        ("- a\n\n    w1x\n\n      w2x", &[Prose, INDENTED]),
        (">     w1x\n>    w2x", &[INDENTED, Prose]),
        ("a\n\n    # w1x\n\n    > w2x\n\n    - w3x", &[INDENTED; 3]),
        ("- a\n\n     w1x", &[Prose]),
        ("aaaa\n\n## w1x", &[Prose]),
        ("-\tw1x", &[Prose]),
        ("-   a\n\n      w1x", &[Prose]),
        ("-    a\n\n       w1x", &[Prose]),
        ("-     a\n\n       w1x", &[INDENTED]),
        ("#w1x\n    w2x", &[Prose, Prose]),
        ("####### w1x\n    w2x", &[Prose, Prose]),
        ("> ```\n    > w1x", &[INDENTED]),
        ("~~~ `\nw1x", &[FENCE]),
        ("``` `\nw1x", &[Prose]),
        ("a\n- b\n\n    w1x", &[Prose]),
        ("a\n1. b\n\n    w1x", &[Prose]),
        ("a\n2. b\n\n    w1x", &[INDENTED]),
        ("2. a\n\n     w1x", &[Prose]),
        (">\t w1x", &[Prose]),
        (">\t  w1x", &[INDENTED]),
        (
            "a\n\n    w1x\n\n        w2x\n     \n    w3x",
            &[INDENTED; 3],
        ),
        ("<pre>a</pre>\n`w1x`", &[CODE_SPAN]),
        ("<pre>\n\n`w1x`\n</pre>\n`w2x`", &[Prose, CODE_SPAN]),
        ("<!1\n`w1x` >", &[CODE_SPAN]),
        ("a <? ` ?> `w1x`", &[CODE_SPAN]),
        ("a <?> ` ?> `w1x`", &[CODE_SPAN]),
        ("a ``<!-- `w1x`", &[CODE_SPAN]),
        ("<a:b w1x>", &[Prose]),
        ("<a+w1x>", &[Prose]),
        ("`w1x` ![a](b)", &[CODE_SPAN]),
        ("`w1x` ![`a`](b)", &[CODE_SPAN]),
        ("a][w1x", &[Prose]),
        ("a <![CDATA[`]]> `w1x`", &[CODE_SPAN]),
        ("a <b c=\"`\"> `w1x`", &[CODE_SPAN]),
        ("a <b c='`'/> `w1x`", &[CODE_SPAN]),
        ("a <b c=d e='`'> `w1x`", &[CODE_SPAN]),
        ("a <b c= e='`'> `w1x`", &[Prose]),
        ("a <b c=\"d `\"> `w1x`", &[CODE_SPAN]),
        ("a <b _c=\"`\"> `w1x`", &[CODE_SPAN]),
        ("a <b 1=\"`\"> `w1x`", &[Prose]),
        ("<b c=>\n`w1x`", &[CODE_SPAN]),
        ("</b/>\n`w1x`", &[CODE_SPAN]),
        ("<b>\n`w1x`", &[Prose]),
        ("</b>\n`w1x`", &[Prose]),
        ("</b c>\n`w1x`", &[CODE_SPAN]),
        ("[abc][defg]w1x", &[Prose]),
        ("[a][b](w1x) w2x", &[Unseen, Prose]),
        ("`w1x` w2x", &[CODE_SPAN, Prose]),
        ("`w1x w2x", &[Prose, Prose]),
        ("`` w1x ` w2x `` w3x", &[CODE_SPAN, CODE_SPAN, Prose]),
        ("`` w1x ` w2x", &[Prose, Prose]),
        (
            "`w1x\nw2x` `w3x\n\nw4x`",
            &[CODE_SPAN, CODE_SPAN, Prose, Prose],
        ),
        ("\\`w1x` w2x`", &[Prose, CODE_SPAN]),
        ("<!-- w1x --> w2x", &[COMMENT, Prose]),
        ("a <!-- w1x\nw2x --> w3x", &[COMMENT, COMMENT, Prose]),
        ("a <!-- w1x", &[Prose]),
        ("<!-- w1x\n\nw2x", &[COMMENT, COMMENT]),
        ("<!--> w1x <!---> w2x <!-- w3x", &[Prose, Prose, COMMENT]),
        (
            "<div>w1x <!-- w2x --> w3x\n`w4x` w5x</div>",
            &[Prose, COMMENT, Prose, Prose, Prose],
        ),
        ("> <!-- w1x\n> w2x\n\nw3x", &[COMMENT, COMMENT, Prose]),
        ("[w1x](w2x \"w3x\") w4x", &[Prose, Unseen, Unseen, Prose]),
        (
            "[w1x](<w2x w3x>)[w4x][w5x]\n\n[w5x]: w6x 'w7x'\nw8x",
            &[
                Prose, Unseen, Unseen, Prose, Unseen, Unseen, Unseen, Unseen, Prose,
            ],
        ),
        ("![w1x](w2x) w3x", &[Unseen, Unseen, Prose]),
        ("[![w1x](w2x) w3x](w4x)", &[Unseen, Unseen, Prose, Unseen]),
        ("[a]: `\n===\n- \n    w1x", &[FENCE]),
        ("[a]:\n1.\n- \n===\n    w1x", &[FENCE]),
        ("[a]: b\n---\nw1x", &[Prose]),
        (
            "<http:w1x> <w2x@x.y> <w3x y> w4x",
            &[Unseen, Unseen, Prose, Prose],
        ),
        (
            "# w1x #\nw2x\n===\n- w3x\n  1. w4x\n\n**w5x** &amp; w6x",
            &[Prose, Prose, Prose, Prose, Prose, Prose],
        ),
    ] {
        assert_eq!(by_our_parser(text), with_words(text, expected), "{text:?}");
        assert_eq!(unmasked(text), Vec::<&str>::new(), "{text:?}");
    }
}

#[test]
fn white_space_at_the_start_is_no_indent() {
    for (text, place) in [
        ("    w", Place::Prose),
        ("\tw", Place::Prose),
        (" \n\r\n     w", Place::Prose),
        ("-     w", INDENTED),
        ("    - \n\n      w", INDENTED),
        ("     ```\nw", FENCE),
    ] {
        assert_eq!(by_our_parser(text), with_words(text, &[place]), "{text:?}");
    }
}

/// In each group, the first cases have line feeds and plain fences, for comparison.
#[test]
fn every_line_end_is_one_and_a_closing_fence_may_have_a_tab() {
    for (text, expected) in [
        ("```\nw1x\n```\nw2x", [FENCE, Place::Prose]),
        ("```\nw1x\n``` \nw2x", [FENCE, Place::Prose]),
        ("```\nw1x\n```\t\nw2x", [FENCE, Place::Prose]),
        ("```\r\nw1x\r\n```\t \r\nw2x", [FENCE, Place::Prose]),
        ("~~~\rw1x\r~~~ \t\rw2x", [FENCE, Place::Prose]),
        ("> <!-- w1x\nw2x", [COMMENT, Place::Prose]),
        ("> <!-- w1x\r\nw2x", [COMMENT, Place::Prose]),
        ("> <!-- w1x\rw2x", [COMMENT, Place::Prose]),
        ("a\n\n    w1x\nw2x", [INDENTED, Place::Prose]),
        ("a\r\r    w1x\rw2x", [INDENTED, Place::Prose]),
    ] {
        assert_eq!(by_our_parser(text), with_words(text, &expected), "{text:?}");
    }
}

/// Texts that comrak reads differently from the specification.
#[test]
fn by_the_specification() {
    for (text, expected) in [
        // "A list item can begin with at most one blank line."
        ("-\n    \n    w1x", &[INDENTED][..]),
        // A declaration ends at the first `>`.
        ("a <!A <http:w1x>", &[Place::Prose]),
        // A comment ends at the first `-->`, whatever it holds.
        ("a <!-- <!-- w1x --> w2x", &[COMMENT, Place::Prose]),
        // The second pair of backticks is a pair.
        ("` ```w1x``` ```w2x```", &[CODE_SPAN, CODE_SPAN]),
        // A tag by itself does not end a paragraph, not even in a lazy line.
        ("> a\n<b c>\n`w1x`", &[CODE_SPAN]),
        // Only a paragraph with content becomes a heading: here `---` is a thematic break.
        ("[a]: b\n---\n    w1x", &[INDENTED]),
    ] {
        assert_eq!(by_our_parser(text), with_words(text, expected), "{text:?}");
    }
}

/// Each kind of difference from `CommonMark`, with an example: more is masked or left out here.
#[test]
fn accepted_differences() {
    use Place::{Prose, Unseen};
    for (text, ours, theirs) in [
        // A line with the form of a definition is one, whatever its title holds.
        ("[a]: b \"\\\" w", Unseen, Prose),
        // A definition has one line: what follows is text.
        ("[a]:\n`w`", CODE_SPAN, Unseen),
        // After the underline of a definition, all is masked: it could be a heading.
        ("[a]: b\n===\n\nw", FENCE, Prose),
        // A label need not be defined.
        ("[a][w]", Unseen, Prose),
        // What is before a `]` is not looked for: neither the `[`, nor a link in the label, nor the end of an image.
        ("a](w)", Unseen, Prose),
        ("[a [b](c)](w)", Unseen, Prose),
        ("![a] w [b](c)", Unseen, Prose),
        // An address in angle brackets can be any word with a colon.
        ("<a:w>", Unseen, Prose),
        // After a backtick that could be in a definition, an address or a label, the paragraph is masked.
        ("[a]: b `c` w", CODE_SPAN, Prose),
        ("[a](b`c) w", CODE_SPAN, Prose),
        ("[a](b \"<c\") w", CODE_SPAN, Prose),
        ("[a][b`c] w\n\n[b`c]: d", CODE_SPAN, Prose),
        ("<http:a`b> w", CODE_SPAN, Prose),
    ] {
        let start = text.find('w').unwrap_or_default();
        assert_eq!(
            places(text, std::slice::from_ref(&(start..start + 1))),
            [ours],
            "{text:?}"
        );
        let words = text.replace('w', "wx");
        let by_comrak = by_comrak::by_comrak(&words);
        assert_eq!(by_comrak.into_values().next(), Some(theirs), "{text:?}");
    }
}

/// Whatever is repeated, four times the text is about four times the work.
#[test]
fn the_work_is_linear() {
    for (head, piece) in [
        ("", "w"),
        ("", "w\n"),
        ("", "`"),
        ("", "`w"),
        ("`` ", "`w` "),
        ("", "[w]("),
        ("", "[w](a \""),
        ("", "[w](<"),
        ("", "[w](("),
        ("", "[w]["),
        ("", "["),
        ("", "![w](a)"),
        ("", "<"),
        ("", "<a"),
        ("", "<a b=\""),
        ("", "<a b='w\" "),
        ("", "w <!-- "),
        ("", "w <? "),
        ("", "<!-- w --> "),
        ("", "<http:"),
        ("", "> "),
        ("", "> \n"),
        ("", "- "),
        ("", "- w\n"),
        ("", "  - w\n"),
        ("", "[w]: a\n"),
        ("", "```\n"),
        ("", "~~~~ w\n~~~\n"),
        ("w\n\n", "    w\n"),
        ("", "<div>\n"),
        ("", "\\"),
    ] {
        let count = |pieces: usize| {
            let text = format!("{head}{}", piece.repeat(pieces));
            let words: Vec<_> = text.match_indices('w').map(|(at, _)| at..at + 1).collect();
            crate::text::work::tests::of(|| places(&text, &words))
        };
        let (once, four_times) = (count(500), count(2000));
        assert!(
            four_times < 6 * once.max(500),
            "{piece:?}: {once}, {four_times}"
        );
    }
}

#[test]
fn code_and_addresses_are_told_by_their_places() {
    let text = "`a` [b](c)\n\n~~~\nd\n~~~\n";
    let at = || {
        ['a', 'b', 'c', 'd']
            .into_iter()
            .filter_map(|c| text.find(c))
    };
    assert_eq!(are_code(text, at()), [true, false, false, true]);
    assert_eq!(are_addresses(text, at()), [false, false, true, false]);
}

#[test]
fn deep_markers_are_text() {
    for (text, place) in [
        ("> ".repeat(50) + "    w", INDENTED),
        ("> ".repeat(51) + "    w", Place::Prose),
        ("- ".repeat(50) + "    w", INDENTED),
        ("- ".repeat(51) + "    w", Place::Prose),
    ] {
        assert_eq!(
            by_our_parser(&text),
            with_words(&text, &[place]),
            "{text:?}"
        );
    }
}

#[test]
fn labels() {
    for (text, expected) in [
        (
            "[w](skill://a/w)",
            Place::Label(0..16, "skill://a/w".into()),
        ),
        ("a [w](<b c> 'd')", Place::Label(2..16, "b c".into())),
        ("[w]()", Place::Label(0..5, String::new())),
        ("[w](a\\)b&amp;c)", Place::Label(0..15, "a)b&amp;c".into())),
        ("*[w](a)*", Place::Label(1..7, "a".into())),
        ("[w](a(b)c)", Place::Label(0..10, "a(b)c".into())),
        ("[w](a>b)", Place::Label(0..8, "a>b".into())),
        ("[w](a\n)", Place::Label(0..7, "a".into())),
        ("[w](a (b))", Place::Label(0..10, "a".into())),
        ("[w](a \"b\\\"c\")", Place::Label(0..13, "a".into())),
        ("[w](a (b(c))", Place::Prose),
        ("[w](a\\ b)", Place::Prose),
        ("[w](<a>'b')", Place::Prose),
        ("[ w](a)", Place::Prose),
        ("[w ](a)", Place::Prose),
        ("[*w*](a)", Place::Prose),
        ("[`w`](a)", CODE_SPAN),
        ("[w] (a)", Place::Prose),
        ("\\[w](a)", Place::Prose),
        ("[w](a b)", Place::Prose),
        ("[w](a", Place::Prose),
        ("[w][a]\n\n[a]: b", Place::Prose),
        ("[w][]\n\n[w]: b", Place::Prose),
        ("![w](a)", Place::Unseen),
        ("[w]", Place::Prose),
        ("`[w](a)`", CODE_SPAN),
    ] {
        let start = text.find('w').unwrap_or_default();
        let places = places(text, std::slice::from_ref(&(start..start + 1)));
        assert_eq!(places, [expected], "{text:?}");
    }
}

#[test]
fn lines_are_masked_by_their_beginning() {
    let mask = |text: &str| LineMasks::new(text).mask_at(text.find('w').unwrap_or_default());
    for (text, expected) in [
        ("$ w", Some(Mask::Prompt)),
        ("a\n \t $ w", Some(Mask::Prompt)),
        ("a\r\u{a0}$ w", Some(Mask::Prompt)),
        ("$\tw", None),
        ("$w", None),
        ("a $ w", None),
        ("$ a\nw", None),
        ("!w", Some(Mask::Command)),
        ("a\n  !ls w", Some(Mask::Command)),
        ("!./a w", Some(Mask::Command)),
        ("!/a w", Some(Mask::Command)),
        ("!été w", Some(Mask::Command)),
        ("![w", None),
        ("! w", None),
        ("!1 w", None),
        ("!!w", None),
        ("a !w", None),
        ("> w", Some(Mask::Quote)),
        (">w", Some(Mask::Quote)),
        ("a\n   > w", Some(Mask::Quote)),
        ("a\n    > w", None),
        ("a\n\t> w", None),
        ("    > w", Some(Mask::Quote)),
        ("\n\n\t> w", Some(Mask::Quote)),
        ("\n\n  $ a\n    > w", None),
        ("> a\nw", None),
        ("> a\n\nw", None),
        ("a > w", None),
        ("- > w", None),
    ] {
        assert_eq!(mask(text), expected, "{text:?}");
    }
}

fn words(text: &str) -> Vec<(usize, &str)> {
    text.match_indices('w')
        .map(|(start, _)| {
            let end = text[start..]
                .find('x')
                .map_or(text.len(), |end| start + end + 1);
            (start, &text[start..end])
        })
        .collect()
}

/// Pairs each word with its place. A repeated word has its later place.
fn with_words<'t>(text: &'t str, places: &[Place]) -> BTreeMap<&'t str, Place> {
    let words: Vec<_> = words(text);
    assert_eq!(words.len(), places.len(), "{text:?}");
    words
        .iter()
        .map(|(_, word)| *word)
        .zip(places.iter().cloned())
        .collect()
}

fn by_our_parser(text: &str) -> BTreeMap<&str, Place> {
    let words = words(text);
    let ranges = words.iter().map(|(start, _)| *start..usize::MAX);
    let places = places(text, &ranges.collect::<Vec<_>>());
    words
        .into_iter()
        .map(|(_, word)| word)
        .zip(places)
        .collect()
}
