//! Runs of hidden characters in a text.

use crate::rules::file::joiners::{belongs, is_mark, selects};
use skills_format::text::appearance::is_filler;
use skills_format::text::span::Span;

/// Adjacent hidden characters, or a turn of direction up to its end.
pub(super) struct Run {
    pub(super) span: Span,
    first: char,
    /// Each character at its place.
    pub(super) pieces: Vec<Span>,
}

impl Run {
    /// Returns the message about the run.
    pub(super) fn message(&self) -> String {
        let more = match self.pieces.len() {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        let (kind, code) = (kind(self.first), u32::from(self.first));
        format!("{kind} U+{code:04X}{more}")
    }

    /// Returns whether `c` at `at` ends the turn of direction of this run, on the same line.
    fn is_closed_by(&self, c: char, text: &str, at: usize) -> bool {
        let between = text.get(self.span.end..at).unwrap_or_default();
        matches!(c, '\u{202C}' | '\u{2069}')
            && matches!(self.first, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2068}')
            && !between.contains('\n')
    }
}

fn kind(c: char) -> &'static str {
    match c {
        c if c.is_control() => "hidden: the control character",
        c if is_filler(c) => "hidden: the invisible letter",
        '\u{200E}'
        | '\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2066}'..='\u{206F}'
        | '\u{061C}' => "a character that turns the direction of text,",
        '\u{E0000}'..='\u{E007F}' => "hidden: the Unicode tag",
        '\u{AD}' => "hidden: the soft hyphen",
        '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' => "hidden: the variation selector",
        _ => "hidden: the zero-width character",
    }
}

/// Iterates over the characters of a text, each with its place.
pub(super) fn characters(text: &str) -> impl Iterator<Item = (Span, char)> {
    text.char_indices()
        .map(|(at, c)| (Span::new(at, at + c.len_utf8()), c))
}

/// Collects the hidden characters that are not legitimate at their place. `is_counted` returns whether a
/// character is hidden.
pub(super) fn runs(
    text: &str,
    characters: impl IntoIterator<Item = (Span, char)>,
    is_counted: impl Fn(Span, char) -> bool,
) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut before = None;
    // Directly before, marks included.
    let mut last = None;
    let mut characters = characters.into_iter().peekable();
    while let Some((place, c)) = characters.next() {
        let after = characters.peek().map(|(_, next)| *next);
        let is_start = place.start == 0 && c == '\u{FEFF}';
        let works = belongs(c, before, after) || selects(c, last);
        last = Some(c);
        if is_counted(place, c) && !works && !is_start {
            match runs.last_mut() {
                Some(run)
                    if run.span.end == place.start || run.is_closed_by(c, text, place.start) =>
                {
                    run.span.end = place.end;
                    run.pieces.push(place);
                }
                _ => runs.push(Run {
                    span: place,
                    first: c,
                    pieces: vec![place],
                }),
            }
        } else if !is_mark(c) {
            before = Some(c);
        }
    }
    runs
}
