//! Runs of hidden characters in a text.

use crate::rules::file::joiners::{belongs, is_mark, selects};
use skills_format::text::appearance::hides;
use skills_format::text::appearance::is_filler;
use skills_format::text::span::Span;

/// Adjacent hidden characters, or a turn of direction up to its end.
pub(super) struct Run {
    pub(super) span: Span,
    /// The hidden characters.
    characters: Vec<char>,
    /// The character directly before.
    before: Option<char>,
    /// Each character at its place.
    pub(super) pieces: Vec<Span>,
}

impl Run {
    fn first(&self) -> char {
        self.characters.first().copied().unwrap_or_default()
    }

    /// Returns the message about the run.
    pub(super) fn message(&self) -> String {
        let more = match self.pieces.len() {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        let (kind, code) = (kind(self.first()), u32::from(self.first()));
        format!("{kind} U+{code:04X}{more}")
    }

    /// Returns the character that the run belongs to, with its place, if the text was encoded as UTF-8 twice: `â`, U+0094
    /// and U+009C are the three bytes of `├`. Nobody hides text in this way, a program read the file wrongly.
    pub(super) fn garbled(&self, text: &str) -> Option<(Span, char)> {
        // A text can hold a million runs, and hardly one of them consists of characters that stand for bytes.
        u8::try_from(u32::from(self.first())).ok()?;
        let before = text.get(..self.span.start)?.char_indices().rev();
        before.take(3).find_map(|(at, _)| {
            let rest = text.get(at..)?.chars();
            let bytes = rest.map_while(|c| u8::try_from(u32::from(c)).ok());
            let bytes: Vec<u8> = bytes.take(4).collect();
            // What follows the character is no part of it.
            let valid = bytes.utf8_chunks().next()?.valid();
            let meant = valid.chars().next().filter(|c| !c.is_ascii())?;
            let written = text.get(at..)?.chars().take(meant.len_utf8());
            let end = at + written.map(char::len_utf8).sum::<usize>();
            (end >= self.span.end && !hides(meant)).then_some((Span::new(at, end), meant))
        })
    }

    /// Returns whether the run is the tags of the flag of England, Scotland or Wales: a black flag, the tags of the letters,
    /// and the tag that ends them. Other tags after a flag can spell a text.
    fn is_flag(&self) -> bool {
        const FLAGS: [&str; 3] = ["gbeng", "gbsct", "gbwls"];
        let letter = |tag: char| char::from_u32(u32::from(tag).checked_sub(0xE0000)?);
        let is_of = |flag: &str| {
            let tags = self.characters.iter().copied().map(letter);
            tags.eq(flag.chars().chain(['\u{7F}']).map(Some))
        };
        self.before == Some('\u{1F3F4}') && FLAGS.iter().any(|flag| is_of(flag))
    }

    /// Returns whether `c` at `at` ends the turn of direction of this run, on the same line.
    fn is_closed_by(&self, c: char, text: &str, at: usize) -> bool {
        let between = text.get(self.span.end..at).unwrap_or_default();
        matches!(c, '\u{202C}' | '\u{2069}')
            && matches!(self.first(), '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2068}')
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
        if is_counted(place, c) && !works && !is_start {
            match runs.last_mut() {
                Some(run)
                    if run.span.end == place.start || run.is_closed_by(c, text, place.start) =>
                {
                    run.span.end = place.end;
                    run.pieces.push(place);
                    run.characters.push(c);
                }
                _ => runs.push(Run {
                    span: place,
                    characters: vec![c],
                    before: last,
                    pieces: vec![place],
                }),
            }
        } else if !is_mark(c) {
            before = Some(c);
        }
        last = Some(c);
    }
    runs.retain(|run| !run.is_flag());
    runs
}
