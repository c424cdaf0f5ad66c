//! The words that differ between two texts, by heading.

use serde::Serialize;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use skills_lint::render::masked;
use std::collections::BTreeMap;

/// The most words of two blocks, multiplied, that are compared word by word. Longer blocks are replaced as a whole, so
/// that the time stays linear in the text.
const MAX_PRODUCT: usize = 4_000_000;

/// The differences below one heading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SectionDifference {
    /// The heading, without its marks; empty before the first heading.
    pub heading: String,
    /// The line of the heading in the new text, or in the old text if the new text has no such heading.
    pub line: usize,
    /// The differing words, with some words around them.
    pub pieces: Vec<Piece>,
}

/// Words that belong together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Piece {
    /// The side of the words: added, removed, or in both versions.
    pub kind: PieceKind,
    /// The words, separated by spaces.
    pub text: String,
}

/// The kind of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum PieceKind {
    /// Both texts have the words.
    Same,
    /// Only the old text has the words.
    Removed,
    /// Only the new text has the words.
    Added,
}

/// The most words that are shown before and after a difference.
const AROUND: usize = 4;

/// Compares two texts word by word. Empty if they have the same words in the same order.
pub fn of_texts(old: &str, new: &str) -> Vec<Piece> {
    let old: Vec<&str> = old.split_whitespace().collect();
    let new: Vec<&str> = new.split_whitespace().collect();
    let mut pieces = Vec::new();
    compare_words(&old, &new, &mut pieces);
    shortened(pieces)
}

/// Compares the bodies of two skills, heading by heading. White space and the wrapping of lines do not count.
pub fn of_bodies(old: &str, new: &str) -> Vec<SectionDifference> {
    let (old, new) = (sections(old), sections(new));
    let mut found = Vec::new();
    for (key, section) in &new {
        let before = old
            .get(key)
            .map_or(&[][..], |section| section.blocks.as_slice());
        found.extend(section.difference(before));
    }
    for (key, section) in &old {
        if !new.contains_key(key) {
            let pieces = section
                .blocks
                .iter()
                .map(|block| piece(PieceKind::Removed, block));
            found.push(SectionDifference {
                heading: section.heading.clone(),
                line: section.line,
                pieces: pieces.collect(),
            });
        }
    }
    found.sort_by_key(|section| section.line);
    found
}

/// The text below a heading, in blocks whose white space is made one space.
struct Section {
    heading: String,
    line: usize,
    blocks: Vec<String>,
}

impl Section {
    fn difference(&self, before: &[String]) -> Option<SectionDifference> {
        let mut pieces = Vec::new();
        for operation in capture_diff_slices(Algorithm::Patience, before, &self.blocks) {
            let words = |blocks: &[String], range: std::ops::Range<usize>| {
                blocks.get(range).unwrap_or_default().join(" ")
            };
            match operation {
                DiffOp::Equal { .. } => {}
                DiffOp::Delete {
                    old_index, old_len, ..
                } => {
                    pieces.push(piece(
                        PieceKind::Removed,
                        &words(before, old_index..old_index + old_len),
                    ));
                }
                DiffOp::Insert {
                    new_index, new_len, ..
                } => {
                    pieces.push(piece(
                        PieceKind::Added,
                        &words(&self.blocks, new_index..new_index + new_len),
                    ));
                }
                DiffOp::Replace {
                    old_index,
                    old_len,
                    new_index,
                    new_len,
                } => {
                    let old = words(before, old_index..old_index + old_len);
                    let new = words(&self.blocks, new_index..new_index + new_len);
                    let old: Vec<&str> = old.split(' ').collect();
                    let new: Vec<&str> = new.split(' ').collect();
                    let mut here = Vec::new();
                    compare_words(&old, &new, &mut here);
                    pieces.extend(shortened(here));
                }
            }
        }
        let is_changed = pieces.iter().any(|piece| piece.kind != PieceKind::Same);
        is_changed.then(|| SectionDifference {
            heading: self.heading.clone(),
            line: self.line,
            pieces,
        })
    }
}

fn piece(kind: PieceKind, text: &str) -> Piece {
    Piece {
        kind,
        // Text and JSON print the words, and a word can be a key.
        text: masked(text).into_owned(),
    }
}

/// Cuts a body at its headings. Equal headings are told apart by their number.
fn sections(body: &str) -> BTreeMap<(String, usize), Section> {
    let mut found: BTreeMap<(String, usize), Section> = BTreeMap::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut now = Section {
        heading: String::new(),
        line: 1,
        blocks: Vec::new(),
    };
    let mut fence: Option<&str> = None;
    let mut block: Vec<&str> = Vec::new();
    let mut finish = |section: Section, found: &mut BTreeMap<(String, usize), Section>| {
        let count = counts.entry(section.heading.clone()).or_default();
        found.insert((section.heading.clone(), *count), section);
        *count += 1;
    };
    for (at, line) in body.lines().enumerate() {
        let trimmed = line.trim();
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|mark| trimmed.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        let level = trimmed.len() - trimmed.trim_start_matches('#').len();
        let is_heading = fence.is_none()
            && (1..=6).contains(&level)
            && trimmed.as_bytes().get(level) == Some(&b' ');
        if is_heading {
            push(&mut block, &mut now.blocks);
            let heading = trimmed.trim_matches('#').trim().to_owned();
            let next = Section {
                heading,
                line: at + 1,
                blocks: Vec::new(),
            };
            finish(std::mem::replace(&mut now, next), &mut found);
        } else if trimmed.is_empty() || fence.is_some() {
            // Lines of code count one by one.
            push(&mut block, &mut now.blocks);
            if !trimmed.is_empty() {
                now.blocks.push(trimmed.to_owned());
            }
        } else {
            block.push(trimmed);
        }
    }
    push(&mut block, &mut now.blocks);
    finish(now, &mut found);
    found
}

fn push(block: &mut Vec<&str>, blocks: &mut Vec<String>) {
    if !block.is_empty() {
        let words: Vec<&str> = block
            .iter()
            .flat_map(|line| line.split_whitespace())
            .collect();
        blocks.push(words.join(" "));
        block.clear();
    }
}

fn compare_words(old: &[&str], new: &[&str], pieces: &mut Vec<Piece>) {
    if old.len().saturating_mul(new.len()) > MAX_PRODUCT {
        pieces.push(piece(PieceKind::Removed, &old.join(" ")));
        pieces.push(piece(PieceKind::Added, &new.join(" ")));
        return;
    }
    for operation in capture_diff_slices(Algorithm::Myers, old, new) {
        let of = |words: &[&str], range: std::ops::Range<usize>| {
            words.get(range).unwrap_or_default().join(" ")
        };
        let (before, after) = (
            of(old, operation.old_range()),
            of(new, operation.new_range()),
        );
        match operation {
            DiffOp::Equal { .. } => pieces.push(piece(PieceKind::Same, &before)),
            DiffOp::Delete { .. } => pieces.push(piece(PieceKind::Removed, &before)),
            DiffOp::Insert { .. } => pieces.push(piece(PieceKind::Added, &after)),
            DiffOp::Replace { .. } => {
                pieces.push(piece(PieceKind::Removed, &before));
                pieces.push(piece(PieceKind::Added, &after));
            }
        }
    }
}

/// Shortens the words that are the same to those around a difference.
fn shortened(pieces: Vec<Piece>) -> Vec<Piece> {
    if pieces.iter().all(|piece| piece.kind == PieceKind::Same) {
        return Vec::new();
    }
    let last = pieces.len().saturating_sub(1);
    let short = pieces.into_iter().enumerate().map(|(at, piece)| {
        if piece.kind != PieceKind::Same {
            return piece;
        }
        let words: Vec<&str> = piece.text.split(' ').collect();
        let (first, end) = (
            if at == 0 { 0 } else { AROUND },
            if at == last { 0 } else { AROUND },
        );
        if words.len() <= first + end + 1 {
            return piece;
        }
        let before = words.get(..first).unwrap_or_default().join(" ");
        let after = words.get(words.len() - end..).unwrap_or_default().join(" ");
        let parts: Vec<String> = [before, "…".to_owned(), after]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect();
        Piece {
            text: parts.join(" "),
            ..piece
        }
    });
    short.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pieces: &[Piece]) -> String {
        let words = pieces.iter().map(|piece| match piece.kind {
            PieceKind::Same => piece.text.clone(),
            PieceKind::Removed => format!("[-{}-]", piece.text),
            PieceKind::Added => format!("{{+{}+}}", piece.text),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn no_piece_shows_a_key() {
        let key = "ghp_R7qk2ZsW9pLmX4vT8bNcY3hJ6fGdA1eU5oQi";
        let old = format!("Use {key} now.");
        let shown = shown(&of_texts(&old, "Use it now."));
        assert_eq!(shown, "Use [-ghp_R7…-] {+it+} now.");
    }

    #[test]
    fn words_that_differ() {
        assert_eq!(shown(&of_texts("a b c", "a x c")), "a [-b-] {+x+} c");
        assert_eq!(
            shown(&of_texts("1 2 3 4 5 6 7", "1 2 3 4 5 6 8")),
            "… 3 4 5 6 [-7-] {+8+}"
        );
        assert!(of_texts("a  b\nc", "a b c").is_empty());
    }

    #[test]
    fn sections_that_differ() {
        let old = "Intro.\n\n## A\n\none two\nthree\n\n## B\n\nsame\n";
        assert!(of_bodies(old, "Intro.\n\n## A\n\none\ntwo three\n\n## B\n\nsame\n").is_empty());
        let new = "Intro.\n\n## A\n\none four three\n\n## C\n\nsame\n\n```\n## B\n```\n";
        let found = of_bodies(old, new);
        let shown: Vec<String> = found
            .iter()
            .map(|it| format!("{}: {}", it.heading, shown(&it.pieces)))
            .collect();
        assert_eq!(
            shown,
            [
                "A: one [-two-] {+four+} three",
                "C: {+same ``` ## B ```+}",
                "B: [-same-]"
            ]
        );
    }

    #[test]
    fn the_time_is_linear() {
        // Every line differs: without the bounds this takes minutes.
        for end in ["\n", "\n\n"] {
            let body = |word: &str| {
                let lines = (0..10_000).map(|n| format!("{word} {n} of many words"));
                lines.collect::<Vec<_>>().join(end)
            };
            assert!(!of_bodies(&body("old"), &body("new")).is_empty());
        }
    }
}
