use super::parser_input;
use proptest::prelude::*;

#[test]
fn deep_markers_are_text() {
    for (text, mended_text) in [
        (">".repeat(50), ">".repeat(50)),
        (">".repeat(60), ">".repeat(50) + "x" + &">".repeat(9)),
        (
            "[^a]:".repeat(60),
            "[^a]:".repeat(50) + "x^a]:" + &"[^a]:".repeat(9),
        ),
        ("[^a] ".repeat(60), "[^a] ".repeat(60)),
        ("> ".repeat(40), "> ".repeat(34) + "x " + &"> ".repeat(5)),
        (
            "a".to_owned() + &">".repeat(60),
            "a".to_owned() + &">".repeat(60),
        ),
        ("- ".repeat(34) + "a", "- ".repeat(34) + "a"),
        ("1) ".repeat(35), "1) ".repeat(34) + "x) "),
        (" ".repeat(98) + "- a", " ".repeat(98) + "- a"),
        (" ".repeat(100) + "- a\n- b", " ".repeat(100) + "x a\n- b"),
        ("\t".repeat(25) + "> a", "\t".repeat(25) + "x a"),
        (" ".repeat(200) + "-->", " ".repeat(200) + "-->"),
        (" ".repeat(200) + "1.5", " ".repeat(200) + "1.5"),
        (" ".repeat(200) + "```", " ".repeat(200) + "```"),
    ] {
        assert_eq!(parser_input(&text), mended_text, "{text:?}");
    }
}

#[test]
fn links_with_long_titles_are_text() {
    let link = |open: &str, lines: usize, close: &str| {
        format!("a [a](b {open}{}c{close}) \"w\" (c)", "c\n".repeat(lines))
    };
    for (open, close) in [
        ("\"", "\""),
        ("'", "'"),
        ("(", ")"),
        ("\"\\\"", "\""),
        ("\n> '", "'"),
        ("\"", ""),
    ] {
        let short = link(open, 8 - open.matches('\n').count(), close);
        let long = link(open, 9, close);
        if !close.is_empty() {
            assert_eq!(parser_input(&short), short);
        }
        assert_eq!(parser_input(&long), long.replacen("](", "^(", 1));
    }
    let lines = "\n".repeat(20);
    for (link, is_read) in [
        ("[a](b) \"c", true),
        ("[a](b) 'c", true),
        ("[a](<b c>) 'c", true),
        ("[a](b 'c') 'c", true),
        ("[a](b 'c ') \"c\"", true),
        ("[a](b\n\"c\n\"\n) \"c\"", true),
        ("[a](b(c) \"", false),
        ("[a](b\\) \"", false),
        ("[a](<b> '", false),
        ("[a](<b>'", false),
        ("[a](<b\\>c> '", false),
        ("[a]( \n> b\t\n> (", false),
        ("[a](b[c](d \"", false),
        ("[a](b (c[d](e", true),
        ("[a]: ](\nb '", false),
    ] {
        let text = format!("{link}{lines}");
        let mended = parser_input(&text);
        assert_eq!(mended == text, is_read, "{link}");
    }
}

proptest! {
    #[test]
    fn mending_moves_nothing(text in "[\r\n\t `~aä]*") {
        let mended = parser_input(&text);
        prop_assert_eq!(mended.len(), text.len());
        prop_assert!(!mended.contains('\r'));
    }
}
