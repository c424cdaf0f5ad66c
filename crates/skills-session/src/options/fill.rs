//! The placeholders of a skill's body in the forms that profiles have. The form of the core is [`Values::fill`].

use crate::options::Placeholders;
use skills_format::text::places_of;
use skills_format::text::words::words;
use skills_render::{ARGUMENTS, At, Values, digits, fill_with};
use std::cell::Cell;

/// Appends the body with its placeholders filled. Returns whether the body has a place for the arguments: any of them, but
/// for [`Placeholders::Guarded`]. Returns `None` if the values are too long.
pub(crate) fn fill(
    form: Placeholders,
    out: &mut String,
    body: &str,
    values: &Values<'_>,
) -> Option<bool> {
    match form {
        Placeholders::Guarded => values.fill(out, body),
        Placeholders::Everywhere => values.fill_everywhere(out, body),
        Placeholders::Numbered if places_of(body, b'$').next().is_some() => {
            let is_placed = Cell::new(false);
            let numbered = Numbered::new(body, values, &is_placed);
            fill_with(out, body, &|body, dollar| numbered.at(&body[dollar + 1..]))?;
            Some(is_placed.get())
        }
        Placeholders::Numbered | Placeholders::None => {
            out.push_str(body);
            Some(false)
        }
    }
}

/// The placeholders of `OpenCode`'s commands: the highest number in the body has all words that are left. Nothing escapes a
/// placeholder.
struct Numbered<'v> {
    arguments: &'v str,
    words: Vec<String>,
    /// The highest number in the body, and its words.
    last: (usize, String),
    is_placed: &'v Cell<bool>,
}

impl<'v> Numbered<'v> {
    fn new<'a: 'v>(body: &str, values: &Values<'a>, is_placed: &'v Cell<bool>) -> Self {
        let words = match values.typed {
            Some(typed) => typed.values.to_vec(),
            None => words(values.arguments).into_iter().map(Some).collect(),
        };
        let by_position = values.typed.is_none_or(|typed| typed.by_position);
        let words: Vec<String> = words
            .into_iter()
            .filter(|_| by_position)
            .map(Option::unwrap_or_default)
            .collect();
        let numbers = places_of(body, b'$').filter_map(|at| number(&body[at + 1..])?.1);
        let last = numbers.max().unwrap_or_default();
        let rest = words.get(last.saturating_sub(1)..).unwrap_or_default();
        Self {
            arguments: values.arguments,
            last: (last, rest.join(" ")),
            words,
            is_placed,
        }
    }

    /// Returns the placeholder at the start of a text that follows a `$`.
    fn at(&self, text: &str) -> Option<At<'_>> {
        let (length, value) = if text.starts_with(ARGUMENTS) {
            (ARGUMENTS.len(), self.arguments)
        } else {
            let (length, number) = number(text)?;
            // The program writes `undefined` for `$0`, which helps nobody: it stays.
            let place = number?.checked_sub(1)?;
            let value = match &self.last {
                (last, rest) if *last == place + 1 => &**rest,
                _ => self.words.get(place).map_or("", |word| word),
            };
            (length, value)
        };
        self.is_placed.set(true);
        Some(At::Value(length, value))
    }
}

/// Returns the length and the value of the number at the start of a text. The value is `None` if the number is
/// too large for a position.
fn number(text: &str) -> Option<(usize, Option<usize>)> {
    let length = digits(text);
    (length > 0).then(|| (length, text[..length].parse().ok()))
}

#[cfg(test)]
mod tests;
