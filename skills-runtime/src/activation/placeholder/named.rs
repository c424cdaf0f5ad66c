//! The values of `$ARGUMENTS`, of declared names and of positions.

use crate::activation::placeholder::money::is_money;
use crate::activation::placeholder::values::TypedValues;
use crate::activation::placeholder::values::{ARGUMENTS, Escape, Found, Values, is_of_host};
use crate::activation::placeholders::Placeholders;
use skills_format::mention::mask::are_code;
use skills_format::text::order::sort_by_text;
use skills_format::text::places_of;
use skills_format::text::words::words;

/// The maximum number of bytes in a name. Longer names are never filled: the search for them would not
/// be linear.
const LONGEST_NAME: usize = 64;

/// The values by the words after `$`.
pub(super) struct Named<'a> {
    placeholders: Placeholders,
    arguments: &'a str,
    /// The words of the arguments, each with `true` once it has been inserted.
    words: Vec<(Option<String>, bool)>,
    /// The listed names, sorted.
    names: Vec<(&'a str, Name<'a>)>,
    /// The places of the positions that are filled, in order. `None`: every position is filled.
    positions: Option<Vec<usize>>,
    /// `$ARGUMENTS[0]` is filled.
    has_positions: bool,
    is_placed: bool,
}

#[derive(Clone, Copy)]
enum Name<'a> {
    Variable(&'a str),
    /// The word at this position.
    Word(usize),
}

impl<'a> Named<'a> {
    pub(super) fn new(body: &str, values: &Values<'a>) -> Self {
        let is_guarded = values.placeholders == Placeholders::Guarded;
        let mut names = Vec::new();
        let mut place = 0;
        if let Some(typed) = values.typed {
            let places = typed.names.iter().enumerate();
            names.extend(places.map(|(place, name)| (&**name, Name::Word(place))));
        }
        for listed in values.listed {
            let name = match listed.strip_prefix('$') {
                Some(name) if is_guarded => name,
                _ => listed,
            };
            let variable = values.variables.get(name).filter(|_| is_guarded);
            if is_guarded && name == ARGUMENTS {
                continue;
            }
            if let Some(variable) = variable {
                names.push((name, Name::Variable(variable.as_str())));
            } else if values.typed.is_none() && (!is_guarded || !is_of_host(name)) {
                names.push((name, Name::Word(place)));
                place += 1;
            }
        }
        let has_positions = values.typed.is_none_or(|typed| typed.by_position);
        let is_listed = place > 0 || values.typed.is_some();
        let positions = (is_guarded || !has_positions).then(|| {
            if has_positions && (is_listed || has_index(body)) {
                positions(body)
            } else {
                Vec::new()
            }
        });
        // A repeated name has the value of its first occurrence: the sort is stable.
        sort_by_text(&mut names, |(name, _)| name.as_bytes());
        names.dedup_by_key(|(name, _)| *name);
        let words = match values.typed {
            Some(typed) => typed_words(typed),
            None => words(values.arguments)
                .into_iter()
                .map(|word| (Some(word), false))
                .collect(),
        };
        Self {
            placeholders: values.placeholders,
            arguments: values.arguments,
            words,
            has_positions,
            names,
            positions,
            is_placed: false,
        }
    }

    pub(super) fn is_guarded(&self) -> bool {
        self.placeholders == Placeholders::Guarded
    }

    /// Returns the placeholder whose `$` is at a place of the body.
    pub(super) fn at(&mut self, body: &str, dollar: usize) -> Option<Found<'_>> {
        let text = body.get(dollar + 1..)?;
        if self.is_guarded() && body.get(..dollar)?.ends_with('$') {
            return None;
        }
        let escape = if self.is_guarded() {
            Escape::Odd
        } else {
            Escape::Single
        };
        // An escaped placeholder inserts nothing, so it places no argument.
        let is_escaped = escape.holds(body, dollar);
        let (length, value) = if self.is_argument_word(text) {
            self.arguments(text, is_escaped)
        } else if let Some((name, found)) = self.name(text) {
            let value = match found {
                _ if is_escaped => None,
                Name::Variable(value) => Some(value),
                Name::Word(place) => Some(self.word(place).unwrap_or_default()),
            };
            (name.len(), value)
        } else {
            let (length, place) = self.position(text, dollar)?;
            (length, self.word_unless(is_escaped, place))
        };
        Some(Found {
            length,
            value,
            escape,
        })
    }

    /// Returns whether a text begins with `ARGUMENTS`: a whole word in the guarded form.
    fn is_argument_word(&self, text: &str) -> bool {
        if self.is_guarded() {
            word(text) == ARGUMENTS
        } else {
            text.starts_with(ARGUMENTS)
        }
    }

    /// Returns the length and the value of `ARGUMENTS` and its index.
    fn arguments(&mut self, text: &str, is_escaped: bool) -> (usize, Option<&str>) {
        let after = text.get(ARGUMENTS.len()..).unwrap_or_default();
        let Some((length, place)) = index(after) else {
            self.is_placed |= !is_escaped;
            return (ARGUMENTS.len(), Some(self.arguments));
        };
        let length = ARGUMENTS.len() + length;
        (length, self.word_unless(is_escaped, place))
    }

    fn word_unless(&mut self, is_escaped: bool, place: Option<usize>) -> Option<&str> {
        let place = place.filter(|_| !is_escaped && self.has_positions)?;
        self.word(place)
    }

    /// Returns the longest listed name at the start of a text. A name can hold hyphens, so it can be
    /// longer than the first word.
    fn name<'t>(&self, text: &'t str) -> Option<(&'t str, Name<'a>)> {
        let word = word(text);
        if word.is_empty() || self.names.is_empty() {
            return None;
        }
        let mut found = None;
        let mut name = word;
        while name.len() <= LONGEST_NAME {
            let after = text.get(name.len()..).unwrap_or_default();
            if let Some(known) = self.known(name).filter(|_| index(after).is_none()) {
                found = Some((name, known));
            }
            let hyphens = after.len() - after.trim_start_matches('-').len();
            let next = self::word(after.get(hyphens..).unwrap_or_default());
            if hyphens == 0 || next.is_empty() {
                break;
            }
            name = text.get(..name.len() + hyphens + next.len())?;
        }
        found
    }

    fn known(&self, name: &str) -> Option<Name<'a>> {
        let place = self.names.binary_search_by_key(&name, |(known, _)| known);
        place
            .ok()
            .and_then(|place| self.names.get(place))
            .map(|(_, known)| *known)
    }

    /// Returns the length and the number of a position such as `0` at the start of a text, if it is filled.
    fn position(&self, text: &str, dollar: usize) -> Option<(usize, Option<usize>)> {
        let length = position(text)?;
        let is_filled = self
            .positions
            .as_ref()
            .is_none_or(|positions| positions.binary_search(&dollar).is_ok());
        is_filled.then(|| {
            (
                length,
                text.get(..length).and_then(|digits| digits.parse().ok()),
            )
        })
    }

    /// Returns the word at a position. Returns `None` if the arguments have fewer words.
    fn word(&mut self, place: usize) -> Option<&str> {
        let (word, is_placed) = self.words.get_mut(place)?;
        *is_placed = true;
        word.as_deref()
    }

    pub(super) fn is_placed(&self) -> bool {
        let mut words = self.words.iter();
        self.is_placed
            || if self.is_guarded() {
                !self.words.is_empty() && words.all(|(_, is_placed)| *is_placed)
            } else {
                words.any(|(word, is_placed)| *is_placed && word.is_some())
            }
    }
}

/// Returns the values of typed arguments. A value that is not given has nothing to place.
fn typed_words(typed: TypedValues<'_>) -> Vec<(Option<String>, bool)> {
    let values = typed.values.iter();
    values
        .map(|value| (value.clone(), value.is_none()))
        .collect()
}

/// Returns whether the body has a `$ARGUMENTS[0]`, with any number. Its author then means positions by `$0` too.
fn has_index(body: &str) -> bool {
    let mut dollars = places_of(body, b'$');
    dollars.any(|dollar| {
        let text = body.get(dollar + 1..).unwrap_or_default();
        let after = text.strip_prefix(ARGUMENTS);
        after.is_some_and(|after| index(after).is_some())
    })
}

/// Returns the places of the positions in prose that are not prices.
fn positions(body: &str) -> Vec<usize> {
    let dollars = places_of(body, b'$').filter(|dollar| {
        let length = body.get(dollar + 1..).and_then(position);
        length.is_some_and(|length| !is_money(body, *dollar, length))
    });
    let places: Vec<usize> = dollars.collect();
    let code = are_code(body, places.iter().copied());
    let places = places.into_iter().zip(code);
    places
        .filter(|(_, is_code)| !is_code)
        .map(|(place, _)| place)
        .collect()
}

/// Returns the length of the digits at the start of a text that no letter, digit or `_` follows.
fn position(text: &str) -> Option<usize> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let after = text.get(length..)?;
    let goes_on = after.starts_with(|c: char| c == '_' || c.is_ascii_alphanumeric());
    (length > 0 && !goes_on).then_some(length)
}

/// Returns the word of letters, digits and `_` at the start of a text. Letters of scripts that are
/// written without spaces end the word.
fn word(text: &str) -> &str {
    let end = text
        .find(|c: char| !(c == '_' || c.is_alphanumeric() && c < '\u{e00}'))
        .unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// Returns the length and the number of an index such as `[0]` at the start of a text. The number is
/// `None` if it is too large for a position.
fn index(text: &str) -> Option<(usize, Option<usize>)> {
    // Reads the digits first: a search for `]` could reach the end of the body each time.
    let inside = text.strip_prefix('[')?;
    let rest = inside.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = inside.get(..inside.len() - rest.len())?;
    let is_index = !digits.is_empty() && rest.starts_with(']');
    is_index.then(|| (digits.len() + 2, digits.parse().ok()))
}
