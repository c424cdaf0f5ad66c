//! The values of `$ARGUMENTS` and `$1`, where the highest number has all words that are left.

use crate::activation::placeholder::values::{ARGUMENTS, Escape, Found, Values};
use skills_format::text::places_of;
use skills_format::text::words::words;

/// The values by number.
pub(super) struct Numbered<'a> {
    arguments: &'a str,
    words: Vec<String>,
    /// The highest number in the body, and its words.
    last: (usize, String),
    pub(super) is_placed: bool,
}

impl<'a> Numbered<'a> {
    pub(super) fn new(body: &str, values: &Values<'a>) -> Self {
        let words = match values.typed {
            Some(typed) if !typed.by_position => Vec::new(),
            Some(typed) => typed
                .values
                .iter()
                .cloned()
                .map(Option::unwrap_or_default)
                .collect(),
            None => words(values.arguments),
        };
        let numbers = places_of(body, b'$').filter_map(|at| number(body.get(at + 1..)?)?.1);
        let last = numbers.max().unwrap_or_default();
        let rest = words.get(last.saturating_sub(1)..).unwrap_or_default();
        Self {
            arguments: values.arguments,
            last: (last, rest.join(" ")),
            words,
            is_placed: false,
        }
    }

    /// Returns the placeholder at the start of a text that follows a `$`.
    pub(super) fn at(&mut self, text: &str) -> Option<Found<'_>> {
        let (length, value) = if text.starts_with(ARGUMENTS) {
            (ARGUMENTS.len(), self.arguments)
        } else {
            let (length, number) = number(text)?;
            // OpenCode writes `undefined` for `$0`, which helps nobody: it stays.
            let place = number?.checked_sub(1)?;
            let value = match &self.last {
                (last, rest) if *last == place + 1 => &**rest,
                _ => self.words.get(place).map_or("", |word| word),
            };
            (length, value)
        };
        self.is_placed = true;
        Some(Found {
            length,
            value: Some(value),
            escape: Escape::Never,
        })
    }
}

/// Returns the length and the value of the number at the start of a text. The value is `None` if the number is
/// too large for a position.
fn number(text: &str) -> Option<(usize, Option<usize>)> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let digits = text.get(..length).filter(|digits| !digits.is_empty())?;
    Some((length, digits.parse().ok()))
}
