//! Compares the places of words with those of comrak.

use super::{CODE_SPAN, COMMENT, FENCE, INDENTED, by_our_parser, words};
use crate::mention::mask::Place;
use crate::mention::mask::blocks::Block;
use crate::mention::mask::inline::parts;
use comrak::nodes::{AstNode, NodeValue};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Tokens that form Markdown's structure, and words (`w`, made unique) whose places are compared.
#[rustfmt::skip]
const TOKENS: &[&str] = &[
    "w", "w", "w", " ", "\n", "\n\n", "    ", "  ", "\t", "`", "``", "```", "\n```\n", "\n~~~\n", "~~~",
    "\n    w", "\n\n    w", "> ", "\n> ", "\n>", "- ", "\n- ", "\n1. ", "* ", "+ ", "\\", "<!--w-->",
    " <!-- w", "-->", "\n<!--", "<div>", "\n<div>\n", "</div>", "a<a w='", "'>", "a<", ">", "<?w?>",
    "[", "](", ")", "[w](", "![", "[w]", "\n[w]: ", "*", "_", "**", "#", "\n# ", "\n***\n", "\n===\n",
    "\r\n", "\r", "&amp;", "\"", "'", "<http:w>", "<w@x.y>", "\n<pre>", "ä", "\u{a0}",
];

fn markdown() -> impl Strategy<Value = String> {
    let token = prop::sample::select(TOKENS);
    prop::collection::vec(token, 0..24)
        .prop_map(|tokens| {
            let mut text = String::new();
            for (number, token) in tokens.into_iter().enumerate() {
                text += &token.replace('w', &format!("w{number}x"));
            }
            text
        })
        .prop_filter("comrak is known to differ", |text| !is_disputed(text))
}

/// Returns whether comrak is known to read a text differently from the specification.
fn is_disputed(text: &str) -> bool {
    let text = &text.replace("\r\n", "\n").replace('\r', "\n");
    let disputes = [
        begins_an_item_with_two_blank_lines(text),
        // An address in angle brackets holds no line end, also no escaped one.
        text.contains('<') && text.contains("]:") && text.contains("\\\n"),
        // A title ends at an escaped quotation mark.
        text.contains("\\\"") || text.contains("\\'") || text.contains("\\)"),
        // After a run of backticks without a partner, later partners are forgotten.
        has_many_backticks(text),
    ];
    disputes.contains(&true)
}

fn begins_an_item_with_two_blank_lines(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    let is_marker = |line: &str| !line.trim().is_empty() && line.chars().all(is_container);
    let is_blank = |line: &str| !line.is_empty() && line.trim_matches([' ', '\t', '>']).is_empty();
    lines
        .windows(2)
        .any(|pair| matches!(pair, [item, blank] if is_marker(item) && is_blank(blank)))
}

/// Returns whether a character is an indent, or a part of the marker of a quotation or a list item.
fn is_container(c: char) -> bool {
    matches!(
        c,
        ' ' | '\t' | '>' | '-' | '+' | '*' | '.' | ')' | '0'..='9'
    )
}

fn has_many_backticks(text: &str) -> bool {
    let mut runs = BTreeMap::new();
    for run in text.split(|c| c != '`').filter(|run| !run.is_empty()) {
        *runs.entry(run.len()).or_insert(0) += 1;
    }
    runs.values().any(|runs| *runs >= 4)
}

proptest! {
    #[test]
    fn what_another_parser_calls_code_is_masked(text in markdown()) {
        prop_assert_eq!(unmasked(&text), Vec::<&str>::new());
    }
}

/// Words at the ends of the lines of real files: what comrak calls code is masked, and how much more is.
#[test]
#[expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "reads the corpus and counts"
)]
fn real_files_have_no_unmasked_code() {
    let Some(corpus) = std::env::var_os("SKILLS_CORPUS") else {
        return;
    };
    let (mut files, mut all, mut kinds, mut less) = (0, 0, BTreeMap::new(), Vec::new());
    let mut folders = vec![std::path::PathBuf::from(corpus)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md")
                && let Ok(text) = std::fs::read_to_string(&path)
                && text.len() < 100_000
            {
                let text = text.replace('w', "v").replace('x', "y");
                let lines = text.lines().enumerate();
                let text: String = lines
                    .map(|(number, line)| match line.rfind(' ') {
                        Some(at) if number % 2 == 0 => {
                            format!("{} w{number}x{}\n", &line[..at], &line[at..])
                        }
                        _ => format!("{line}\n"),
                    })
                    .collect();
                let (ours, theirs) = (by_our_parser(&text), by_comrak(&text));
                files += 1;
                all += ours.len();
                for (word, place) in &ours {
                    let (here, there) = (kind(place), kind(&theirs[word]));
                    if here != there {
                        let example = || (0, format!("{}: {word}", path.display()));
                        let counted = kinds.entry(format!("{here} here, {there} there"));
                        counted.or_insert_with(example).0 += 1;
                    }
                }
                less.extend(
                    unmasked(&text)
                        .into_iter()
                        .map(|word| format!("{}: {word}", path.display())),
                );
            }
        }
    }
    println!(
        "{files} files, {all} words, {} less masked here; {kinds:#?}",
        less.len()
    );
    assert_eq!(less, Vec::<String>::new());
}

/// Returns a place without its address. The label of a link is text.
fn kind(place: &Place) -> String {
    match place {
        Place::Label(..) => format!("{:?}", Place::Prose),
        place => format!("{place:?}"),
    }
}

/// Returns the words that comrak calls code or a comment, and that are text here.
pub(super) fn unmasked(text: &str) -> Vec<&str> {
    let ours = by_our_parser(text);
    let theirs = by_comrak(text).into_iter();
    theirs
        .filter(|(word, place)| {
            matches!(place, Place::Masked(_))
                && matches!(ours[word], Place::Prose | Place::Label(..))
        })
        .map(|(word, _)| word)
        .collect()
}

/// Returns the places by comrak's tree. Words are found in the texts of the nodes, which need no offsets.
pub(super) fn by_comrak(text: &str) -> BTreeMap<&str, Place> {
    let arena = comrak::Arena::new();
    // Without a line end, comrak misreads a definition in the last line.
    let markdown = format!("{}\n", text.trim_start_matches([' ', '\t', '\n', '\r']));
    let root = comrak::parse_document(&arena, &markdown, &comrak::Options::default());
    let words = words(text).into_iter();
    let mut places = words.map(|(_, word)| (word, Place::Unseen)).collect();
    visit(root, &mut places);
    places
}

fn visit<'a>(node: &'a AstNode<'a>, places: &mut BTreeMap<&str, Place>) {
    let mut put = |literal: &str, place: Place| {
        for (_, word) in words(literal) {
            if let Some(known) = places.get_mut(word) {
                *known = place.clone();
            }
        }
    };
    match &node.data.borrow().value {
        NodeValue::CodeBlock(code) => {
            let place = if code.fenced { FENCE } else { INDENTED };
            put(&code.info, place.clone());
            put(&code.literal, place);
        }
        NodeValue::Code(code) => put(&code.literal, CODE_SPAN),
        NodeValue::HtmlBlock(html) => {
            put(&html.literal, Place::Prose);
            for comment in parts(
                html.literal.as_bytes(),
                Block::Html(&[]),
                0..html.literal.len(),
                html.literal.len(),
            ) {
                put(&html.literal[comment.range], COMMENT);
            }
        }
        NodeValue::HtmlInline(html) if html.starts_with("<!--") => put(html, COMMENT),
        NodeValue::HtmlInline(html) => put(html, Place::Prose),
        NodeValue::Text(text) => put(text, Place::Prose),
        NodeValue::Link(link) if is_autolink(node, &link.url) => return,
        NodeValue::Image(_) => return,
        _ => {}
    }
    for child in node.children() {
        visit(child, places);
    }
}

/// Returns whether the label of a link is its address.
fn is_autolink<'a>(link: &'a AstNode<'a>, url: &str) -> bool {
    let address = url.strip_prefix("mailto:").unwrap_or(url);
    let only_child = link
        .first_child()
        .filter(|label| label.next_sibling().is_none());
    only_child.is_some_and(
        |label| matches!(&label.data.borrow().value, NodeValue::Text(text) if text == address),
    )
}
