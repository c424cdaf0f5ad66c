//! Finds the marks of emphasis: the `*` and `_` that are not text.

use crate::markdown::inline::{Inline, InlineKind};
use crate::text::category::Category;
use std::ops::Range;

/// Returns the marks of emphasis in a paragraph with these inline parts.
///
/// # Cost
///
/// Linear in the text.
pub(super) fn marks(text: &str, parts: &[Inline]) -> Vec<Range<usize>> {
    let mut pairs = Pairs::default();
    let mut runs = Vec::new();
    let mut at = 0;
    for part in parts {
        find_runs(text, at..part.range.start, &mut runs);
        at = part.range.end;
        if let InlineKind::Link { open, .. } | InlineKind::Image { open } = part.kind {
            // Emphasis that begins in a label cannot end after the label, so the runs of a label are
            // paired alone.
            let outside = runs.partition_point(|run| run.start < open);
            pairs.pair(runs.split_off(outside));
        }
    }
    find_runs(text, at..text.len(), &mut runs);
    pairs.pair(runs);
    pairs.marks
}

/// A run of `*` or `_`. Pairs take marks from the end of an opening run, and from the start of a closing run.
#[derive(Clone, Copy, Debug)]
struct Run {
    byte: u8,
    start: usize,
    end: usize,
    /// The length before any mark was taken.
    length: usize,
    opens: bool,
    closes: bool,
}

impl Run {
    fn new(text: &str, byte: u8, range: Range<usize>) -> Self {
        let before = text
            .get(..range.start)
            .and_then(|text| text.chars().next_back());
        let after = text.get(range.end..).and_then(|text| text.chars().next());
        let (white_before, white_after) = (is_white(before), is_white(after));
        let (mark_before, mark_after) = (is_mark(before), is_mark(after));
        let left = !white_after && (!mark_after || white_before || mark_before);
        let right = !white_before && (!mark_before || white_after || mark_after);
        let between_words = left && right && byte == b'_';
        Self {
            byte,
            length: range.len(),
            opens: left && (!between_words || mark_before),
            closes: right && (!between_words || mark_after),
            start: range.start,
            end: range.end,
        }
    }

    /// Returns whether `other` can close emphasis that this run opens.
    fn matches(&self, other: &Self) -> bool {
        // CommonMark's rules 9 and 10: the lengths of runs that can both open and close must not add up to
        // a multiple of 3, unless both are multiples of 3.
        let by_three = |length: usize| length.is_multiple_of(3);
        let is_ambiguous = (self.closes || other.opens) && by_three(self.length + other.length);
        self.byte == other.byte
            && (!is_ambiguous || by_three(self.length) && by_three(other.length))
    }

    fn is_empty(&self) -> bool {
        self.start == self.end
    }
}

/// The pairs of runs found so far.
#[derive(Default)]
struct Pairs {
    marks: Vec<Range<usize>>,
    /// The runs that can open emphasis and are not closed.
    open: Vec<Run>,
    /// For each kind of closing run, the place before which no run matches. Without this bound, runs that
    /// find no match would make the search quadratic. The kinds: `*` or `_`, opens too or not, length modulo 3.
    bottoms: [usize; 12],
}

impl Pairs {
    fn pair(&mut self, runs: Vec<Run>) {
        self.open.clear();
        self.bottoms = Default::default();
        for mut run in runs {
            if run.closes {
                self.close(&mut run);
            }
            if run.opens && !run.is_empty() {
                self.open.push(run);
            }
        }
    }

    fn close(&mut self, run: &mut Run) {
        let kind = usize::from(run.byte == b'*') * 6 + usize::from(run.opens) * 3 + run.length % 3;
        while !run.is_empty() {
            let bottom = self.bottoms.get(kind).copied().unwrap_or_default();
            let opens = |open: &&Run| open.start >= bottom;
            let above = self.open.iter().rev().take_while(opens);
            let Some(passed) = above.clone().position(|open| open.matches(run)) else {
                if let Some(bottom) = self.bottoms.get_mut(kind) {
                    *bottom = run.start;
                }
                return;
            };
            self.open.truncate(self.open.len() - passed);
            let Some(open) = self.open.last_mut() else {
                return;
            };
            let taken = (open.end - open.start).min(run.end - run.start).min(2);
            self.marks.push(open.end - taken..open.end);
            self.marks.push(run.start..run.start + taken);
            open.end -= taken;
            run.start += taken;
            if open.is_empty() {
                self.open.pop();
            }
        }
    }
}

/// Adds the runs in a part of the text.
fn find_runs(text: &str, part: Range<usize>, runs: &mut Vec<Run>) {
    let mut at = part.start;
    while let Some(byte) = text
        .as_bytes()
        .get(at..part.end)
        .and_then(|rest| rest.first())
    {
        let start = at;
        match *byte {
            b'\\' => at += 2,
            byte @ (b'*' | b'_') => {
                let rest = text.as_bytes().get(at..part.end).unwrap_or_default();
                at += rest.iter().take_while(|other| **other == byte).count();
                runs.push(Run::new(text, byte, start..at));
            }
            _ => at += 1,
        }
    }
}

/// Returns whether a character is white space. The start and the end of the text count as white space.
fn is_white(c: Option<char>) -> bool {
    c.is_none_or(char::is_whitespace)
}

fn is_mark(c: Option<char>) -> bool {
    c.is_some_and(|c| {
        if c.is_ascii() {
            return c.is_ascii_punctuation();
        }
        matches!(Category::of(c), Category::Punctuation | Category::Symbol)
    })
}
