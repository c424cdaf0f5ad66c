//! Compares the paragraphs and headings with those of pulldown-cmark.

use crate::markdown::blocks::BlockKind;
use crate::markdown::parser_input::parser_input;
use crate::markdown::plain::plain;
use crate::markdown::reader::blocks;
use proptest::prelude::*;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

/// Tokens that form lists, emphasis, links and breaks.
#[rustfmt::skip]
const TOKENS: &[&str] = &[
    "a", "b", "c ", "d", "*", "**", "_", "__", "***", "*a", "b*", "_a", "b_", "**a", "b**", ".", "\"", "é", "—", "\u{a0}", "€",
    " ", "  ", "\n", "\n\n", "\\\n", "  \n", "\t\n", "\\", "\\*", "\\\\", "&amp;", "&#42;", "&ouml;", "&", "&x;",
    "`", "``", "` a ", "`*`", "<b>", "<!-- a -->", "<http:a>", "<a@b.c>", "<", ">",
    "[", "]", "](a)", "![", "[a](b \"c\")", "![a *b*](c)", "[a]", "[*a*][a]", "\n[a]: b", "](<a> 'b')",
    "\n- a", "\n- ", "\n\n- a", "\n\n  b", "\n  b", "\n  - c", "\n\n  - c", "\n1. a", "\n\n2. b", "\n1) c", "\n* d", "\n-", "\n\n    d",
    "\n> a", "\n>", "\n> - a", "\n  > a", "\n# a", "\n## *b* #", "# ", " #", "\n===", "\n---", "\n***", "\n```\n", "\n    x", "\n<div>\n", "\n  [a]: b",
];

fn markdown() -> impl Strategy<Value = String> {
    let token = prop::sample::select(TOKENS);
    prop::collection::vec(token, 0..24)
        .prop_map(|tokens| tokens.concat())
        .prop_filter("pulldown-cmark is known to differ", |text| {
            !is_disputed(text)
        })
}

proptest! {
    #[test]
    fn texts_are_those_of_pulldown_cmark(text in markdown()) {
        prop_assert_eq!(ours(&text), theirs(&text));
    }
}

/// Returns whether pulldown-cmark 0.13 is known to read a text differently from the specification.
fn is_disputed(text: &str) -> bool {
    [
        // Long titles are not read.
        parser_input(text).contains("^("),
        // A code span holds no indents of lines.
        text.contains('`') && (text.contains("\n ") || text.contains("\t\n")),
        // A line can be broken at the end of a label.
        text.contains("\\\n]"),
        // A heading can end with a tab.
        text.lines()
            .any(|line| line.contains('#') && line.ends_with('\t')),
    ]
    .contains(&true)
}

/// Returns the paragraphs, with level 0, and the headings with their levels.
fn ours(text: &str) -> Vec<(usize, String)> {
    let blocks = blocks(text);
    let mut texts = Vec::new();
    for block in &blocks.all {
        let level = match block.kind {
            BlockKind::Heading(level) => level,
            _ if blocks.is_paragraph(block) => 0,
            _ => continue,
        };
        texts.push((level, plain(text, &blocks, block).trim().to_owned()));
    }
    texts
}

fn theirs(text: &str) -> Vec<(usize, String)> {
    let mut texts = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for event in Parser::new(&parser_input(text)) {
        match (event, &mut open) {
            (Event::Start(Tag::Paragraph), _) => open = Some((0, String::new())),
            (Event::Start(Tag::Heading { level, .. }), _) => {
                open = Some((level as usize, String::new()));
            }
            (Event::End(TagEnd::Paragraph | TagEnd::Heading(_)), _) => {
                let closed = open.take();
                texts.extend(closed.map(|(level, text)| (level, text.trim().to_owned())));
            }
            (Event::Text(part) | Event::Code(part), Some((_, text))) => text.push_str(&part),
            (Event::SoftBreak | Event::HardBreak, Some((_, text))) => text.push(' '),
            _ => {}
        }
    }
    texts
}
