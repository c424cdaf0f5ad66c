//! Turns a paragraph or a heading into plain text.

use crate::markdown::blocks::{Block, Blocks, joined};
use crate::markdown::emphasis;
use crate::markdown::inline::{Inline, InlineKind};
use crate::markdown::link::unescaped;
use crate::text::order::sort_by_number;
use std::ops::Range;

/// Returns the text of a paragraph or heading on one line: without marks, addresses and HTML.
pub(crate) fn plain(markdown: &str, blocks: &Blocks, block: &Block) -> String {
    let text = joined(markdown, blocks.lines(block));
    let parts = blocks.inlines(&text);
    let mut replaced: Vec<(Range<usize>, String)> = emphasis::marks(&text, &parts)
        .into_iter()
        .map(|mark| (mark, String::new()))
        .collect();
    for part in parts {
        let Inline { kind, range } = part;
        let written = text.get(range.clone()).unwrap_or_default();
        let (opening, shown) = match kind {
            InlineKind::Code => (None, code(written)),
            InlineKind::Autolink => (None, written.trim_matches(['<', '>']).to_owned()),
            InlineKind::Comment | InlineKind::Tag => (None, String::new()),
            InlineKind::Link { open, .. } => (Some(open..open + "[".len()), String::new()),
            InlineKind::Image { open } => (Some(open..open + "![".len()), String::new()),
        };
        replaced.extend(opening.map(|opening| (opening, String::new())));
        replaced.push((range, shown));
    }
    sort_by_number(&mut replaced, |(range, _)| range.start);
    let mut plain = String::with_capacity(text.len());
    let mut at = 0;
    for (range, shown) in replaced {
        push_text(text.get(at..range.start).unwrap_or_default(), &mut plain);
        plain.push_str(&shown);
        at = range.end;
    }
    push_text(text.get(at..).unwrap_or_default(), &mut plain);
    plain
}

/// Adds text with its escapes resolved. Each line end becomes one space.
fn push_text(text: &str, plain: &mut String) {
    let mut lines = text.split('\n').peekable();
    while let Some(line) = lines.next() {
        if lines.peek().is_none() {
            plain.push_str(&unescaped(line));
            return;
        }
        let content = line.trim_end_matches([' ', '\t']);
        let slashes = content.len() - content.trim_end_matches('\\').len();
        // An odd number: the last backslash is a hard line break, not part of an escaped backslash.
        let breaks = content == line && slashes % 2 == 1;
        let end = content.len() - usize::from(breaks);
        plain.push_str(&unescaped(content.get(..end).unwrap_or_default()));
        plain.push(' ');
    }
}

/// Returns the inside of a code span. One space at both ends is removed, unless the inside is only spaces.
fn code(written: &str) -> String {
    let code = written.trim_matches('`').replace('\n', " ");
    let inside = code
        .strip_prefix(' ')
        .and_then(|code| code.strip_suffix(' '));
    match inside.filter(|_| !code.trim_matches(' ').is_empty()) {
        Some(inside) => inside.to_owned(),
        None => code,
    }
}
