//! The placeholders of a skill's body in the forms that profiles have. The form of the core is [`Values::fill`].

use crate::options::Placeholders;
use skills_format::foreign::BRACED;
use skills_format::text::places_of;
use skills_format::text::words::words;
use skills_render::{ARGUMENTS, At, Values, digits, fill_with, index, longest_name, position};
use std::cell::Cell;
use std::collections::BTreeMap;

/// Appends the body with its placeholders filled. Returns whether the body has a place for the arguments: any of them, but
/// for [`Placeholders::Guarded`]. Returns `None` if the values are too long.
pub(crate) fn fill(
    form: Placeholders,
    out: &mut String,
    body: &str,
    values: &Values<'_>,
) -> Option<bool> {
    if form == Placeholders::Guarded {
        return values.fill(out, body);
    }
    if form == Placeholders::None || places_of(body, b'$').next().is_none() {
        out.push_str(body);
        return Some(false);
    }
    let words = match values.typed {
        Some(typed) => typed.values.to_vec(),
        None => words(values.arguments).into_iter().map(Some).collect(),
    };
    let is_placed = Cell::new(false);
    if form == Placeholders::Numbered {
        let numbered = Numbered::new(body, values, words, &is_placed);
        fill_with(out, body, &|body, dollar| numbered.at(&body[dollar + 1..]))?;
    } else {
        let everywhere = Everywhere::new(values, &words, &is_placed);
        fill_with(out, body, &|body, dollar| everywhere.at(body, dollar))?;
    }
    Some(is_placed.get())
}

/// The placeholders of Claude Code: also in code, in prices and as the beginning of a word.
struct Everywhere<'v, 'a> {
    arguments: &'v str,
    variable: &'a dyn Fn(&str) -> Option<&'a str>,
    words: &'v [Option<String>],
    /// The words by name: every listed name has a position, also a number or a name in capitals.
    names: BTreeMap<&'v str, usize>,
    has_positions: bool,
    is_placed: &'v Cell<bool>,
}

impl<'v, 'a: 'v> Everywhere<'v, 'a> {
    fn new(values: &'v Values<'a>, words: &'v [Option<String>], is_placed: &'v Cell<bool>) -> Self {
        let listed = values.typed.map_or(values.listed, |typed| typed.names);
        let mut names = BTreeMap::new();
        for (place, name) in listed.iter().enumerate() {
            names.entry(&**name).or_insert(place);
        }
        Self {
            arguments: values.arguments,
            variable: values.variable,
            words,
            names,
            has_positions: values.typed.is_none_or(|typed| typed.by_position),
            is_placed,
        }
    }

    fn at(&self, body: &str, dollar: usize) -> Option<At<'v>> {
        let (before, text) = (&body[..dollar], &body[dollar + 1..]);
        if text.starts_with('{') {
            // No backslash keeps a name in braces. The longest of the names ends before this.
            let end = text.bytes().take(24).position(|byte| byte == b'}')?;
            let name = text.get(1..end).filter(|name| BRACED.contains(name))?;
            return Some(At::Value(end + 1, (self.variable)(name)?));
        }
        // Only a single backslash keeps a placeholder.
        let is_escaped = before.ends_with('\\') && !before.ends_with("\\\\");
        let (length, found) = if let Some(after) = text.strip_prefix(ARGUMENTS) {
            match index(after) {
                Some((length, place)) => (ARGUMENTS.len() + length, Found::Position(place)),
                None => (ARGUMENTS.len(), Found::All),
            }
        } else if let Some(name) = longest_name(text, &|name| self.names.contains_key(name)) {
            (name.len(), Found::Named(self.names[name]))
        } else {
            let length = position(text).filter(|_| self.has_positions)?;
            (length, Found::Position(text[..length].parse().ok()))
        };
        // An escaped placeholder inserts nothing, so it places no argument.
        if is_escaped {
            return Some(At::Escaped(length));
        }
        let value = match found {
            Found::All => {
                self.is_placed.set(true);
                self.arguments
            }
            Found::Named(place) => self.word(place).unwrap_or_default(),
            Found::Position(place) => self.word(place.filter(|_| self.has_positions)?)?,
        };
        Some(At::Value(length, value))
    }

    fn word(&self, place: usize) -> Option<&'v str> {
        let word = self.words.get(place)?.as_deref();
        self.is_placed.set(self.is_placed.get() || word.is_some());
        word
    }
}

/// What a placeholder stands for: all arguments, or the word at a position.
enum Found {
    All,
    Named(usize),
    Position(Option<usize>),
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
    fn new<'a: 'v>(
        body: &str,
        values: &Values<'a>,
        words: Vec<Option<String>>,
        is_placed: &'v Cell<bool>,
    ) -> Self {
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
