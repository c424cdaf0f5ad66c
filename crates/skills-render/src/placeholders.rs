//! Fills the placeholders in a body: `$ARGUMENTS`, the names that the skill declares, positions, and the names in braces
//! that stand for folders and variables.

// `$ARGUMENTS[0]` needs no declared name. Names in capitals (variables of the host such as `$REPO_ROOT`), numbers and
// names that the host supplies take no position in `arguments`. Words without a position are not lost: a line with all
// arguments follows the body then.

use skills_format::Text;
use skills_format::foreign::{BRACED, SKILL_DIR};
use skills_format::mention::mask::are_code;
use skills_format::text::places_of;
use skills_format::text::words::words;
use std::cell::Cell;
use std::collections::BTreeMap;

/// The values of the placeholders of one skill, where no other meaning of a `$` is possible:
///
/// - `$ARGUMENTS`, as a whole word: all arguments. `$ARGUMENTS[0]`: their first word.
/// - A name that the skill lists in `arguments`: the host's variable, else the word at the name's position.
/// - `$0`, `$1`: a word by its position, only if `arguments` lists a name or the body has a
///   `$ARGUMENTS[0]`. Never in code, and never in a price that its characters show: `$1,000`, `US$1`.
/// - `${SKILL_DIR}` and the names of [`BRACED`]: the host's variables, if it has them.
///
/// A position without a word stays as it is; a name without a word becomes empty. A backslash before a
/// placeholder keeps the placeholder, and is removed. Inserted text is never scanned again.
pub struct Values<'a> {
    /// The arguments, without white space at their ends.
    pub arguments: &'a str,
    /// The values of typed arguments, in place of the words.
    pub typed: Option<TypedValues<'a>>,
    /// The names that the skill lists in `arguments`, with or without `$`.
    pub listed: &'a [Text],
    /// Returns a variable of the host, or a folder of the skill, by its name.
    pub variable: &'a dyn Fn(&str) -> Option<&'a str>,
}

/// The values of typed arguments.
#[derive(Clone, Copy)]
pub struct TypedValues<'a> {
    /// The names, in order of the positions.
    pub names: &'a [Text],
    /// The value of each name. `None`: nothing was given, and nothing is filled in.
    pub values: &'a [Option<String>],
    /// True if values can be given by position.
    pub by_position: bool,
}

/// The placeholder of all arguments, without `$`.
pub const ARGUMENTS: &str = "ARGUMENTS";

/// The maximum number of bytes in all inserted values together, unless only one value is inserted. A
/// body can repeat a placeholder a hundred thousand times.
pub const MAX_INSERTED: usize = 1024 * 1024;

/// Returns the error of a skill whose body inserts more than [`MAX_INSERTED`] bytes.
pub fn too_long(id: &str) -> String {
    format!(
        "skill '{id}' repeats its placeholders: their values would have more than {MAX_INSERTED} bytes; give shorter arguments"
    )
}

/// A placeholder at a `$`: the number of bytes after the `$`, and what becomes of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At<'v> {
    /// The value takes the place of the `$` and of these bytes.
    Value(usize, &'v str),
    /// The backslash before the `$` goes, and the placeholder stays.
    Escaped(usize),
}

/// Appends the body and fills its placeholders in one pass: `at` returns the placeholder whose `$` is at a place of the
/// body. Inserted text is never scanned. Returns `None` if the values have more than [`MAX_INSERTED`] bytes.
pub fn fill_with<'v>(
    out: &mut String,
    body: &str,
    at: &dyn Fn(&str, usize) -> Option<At<'v>>,
) -> Option<()> {
    let (mut inserted, mut start, mut next) = (0, 0, 0);
    while let Some(found) = places_of(&body[next..], b'$').next() {
        let dollar = next + found;
        next = dollar + 1;
        match at(body, dollar) {
            None => {}
            Some(At::Escaped(length)) => {
                // The placeholder is not read again: `\$ARGUMENTS[0]` is one placeholder.
                out.push_str(&body[start..dollar - 1]);
                start = dollar;
                next += length;
            }
            Some(At::Value(length, value)) => {
                // The first value is inserted at any length: a single insertion cannot multiply the arguments.
                if inserted > 0 && inserted + value.len() > MAX_INSERTED {
                    return None;
                }
                inserted += value.len();
                out.push_str(&body[start..dollar]);
                out.push_str(value);
                next += length;
                start = next;
            }
        }
    }
    out.push_str(&body[start..]);
    Some(())
}

impl Values<'_> {
    /// Appends the body with its placeholders filled. Returns whether the body has a place for all arguments:
    /// `$ARGUMENTS`, or each of their words. Returns `None` if the values have more than [`MAX_INSERTED`] bytes.
    pub fn fill(&self, out: &mut String, body: &str) -> Option<bool> {
        self.fill_where(out, body, false)
    }

    /// Appends the body with its placeholders filled wherever they stand: also in code, in prices and as the beginning of a
    /// word. Each listed name has a position, a backslash keeps a placeholder only if it is single, and `${SKILL_DIR}`
    /// stays. Returns whether the body has a place for any argument, and `None` as [`fill`](Self::fill).
    pub fn fill_everywhere(&self, out: &mut String, body: &str) -> Option<bool> {
        self.fill_where(out, body, true)
    }

    fn fill_where(&self, out: &mut String, body: &str, everywhere: bool) -> Option<bool> {
        // Most bodies have no placeholder: they are searched once.
        if places_of(body, b'$').next().is_none() {
            out.push_str(body);
            return Some(false);
        }
        let words: Vec<(Option<String>, Cell<bool>)> = match self.typed {
            // A value that is not given has nothing to place.
            Some(typed) => typed
                .values
                .iter()
                .map(|value| (value.clone(), Cell::new(value.is_none())))
                .collect(),
            None => words(self.arguments)
                .into_iter()
                .map(|word| (Some(word), Cell::new(false)))
                .collect(),
        };
        let named = Named::new(self, body, &words, everywhere);
        fill_with(out, body, &|body, dollar| named.at(body, dollar))?;
        let mut placed = words.iter().filter(|(_, is_placed)| is_placed.get());
        let is_placed = if everywhere {
            placed.any(|(word, _)| word.is_some())
        } else {
            !words.is_empty() && placed.count() == words.len()
        };
        Some(named.is_placed.get() || is_placed)
    }
}

/// The values by the words after `$`.
struct Named<'v, 'a> {
    arguments: &'v str,
    variable: &'a dyn Fn(&str) -> Option<&'a str>,
    /// The words of the arguments, each with `true` once it has been inserted.
    words: &'v [(Option<String>, Cell<bool>)],
    names: BTreeMap<&'v str, Name<'v>>,
    /// The places of the positions that are filled, in order.
    positions: Vec<usize>,
    /// `$ARGUMENTS[0]` is filled.
    has_positions: bool,
    /// `$ARGUMENTS` was filled.
    is_placed: Cell<bool>,
    /// The placeholders are filled wherever they stand.
    everywhere: bool,
}

#[derive(Clone, Copy)]
enum Name<'v> {
    Variable(&'v str),
    /// The word at this position.
    Word(usize),
}

impl<'v, 'a: 'v> Named<'v, 'a> {
    fn new(
        values: &'v Values<'a>,
        body: &str,
        words: &'v [(Option<String>, Cell<bool>)],
        everywhere: bool,
    ) -> Self {
        let mut names = BTreeMap::new();
        let mut place = 0;
        if let Some(typed) = values.typed {
            for (place, name) in typed.names.iter().enumerate() {
                names.entry(&**name).or_insert(Name::Word(place));
            }
        }
        for listed in values.listed {
            if everywhere {
                if values.typed.is_none() {
                    names.entry(&**listed).or_insert(Name::Word(place));
                    place += 1;
                }
                continue;
            }
            let name = listed.strip_prefix('$').unwrap_or(listed);
            if name == ARGUMENTS {
                continue;
            }
            // A repeated name has the value of its first occurrence.
            if let Some(variable) = (values.variable)(name) {
                names.entry(name).or_insert(Name::Variable(variable));
            } else if values.typed.is_none() && !is_of_host(name) {
                names.entry(name).or_insert(Name::Word(place));
                place += 1;
            }
        }
        let has_positions = values.typed.is_none_or(|typed| typed.by_position);
        let is_listed = place > 0 || values.typed.is_some();
        Self {
            arguments: values.arguments,
            variable: values.variable,
            words,
            names,
            positions: if !everywhere && has_positions && (is_listed || has_index(body)) {
                positions(body)
            } else {
                Vec::new()
            },
            has_positions,
            is_placed: Cell::new(false),
            everywhere,
        }
    }

    /// Returns the placeholder whose `$` is at a place of the body.
    fn at(&self, body: &str, dollar: usize) -> Option<At<'v>> {
        let (before, text) = (&body[..dollar], &body[dollar + 1..]);
        if before.ends_with('$') && !self.everywhere {
            return None;
        }
        let backslashes = before.bytes().rev().take_while(|&b| b == b'\\').count();
        // An escaped placeholder inserts nothing, so it places no argument.
        let is_escaped = if self.everywhere {
            backslashes == 1 && !text.starts_with('{')
        } else {
            backslashes % 2 == 1
        };
        let at_place = |place: Option<usize>| -> Option<&'v str> {
            self.word(place.filter(|_| self.has_positions && !is_escaped)?)
        };
        let (length, value) = if text.starts_with('{') {
            self.braced(text)?
        } else if word(text) == ARGUMENTS || self.everywhere && text.starts_with(ARGUMENTS) {
            if let Some((length, place)) = index(&text[ARGUMENTS.len()..]) {
                (ARGUMENTS.len() + length, at_place(place))
            } else {
                self.is_placed.set(self.is_placed.get() || !is_escaped);
                (ARGUMENTS.len(), Some(self.arguments))
            }
        } else if let Some(name) = longest_name(text, &|name| self.names.contains_key(name)) {
            let value = match self.names[name] {
                _ if is_escaped => None,
                Name::Variable(value) => Some(value),
                Name::Word(place) => Some(self.word(place).unwrap_or_default()),
            };
            (name.len(), value)
        } else {
            let length = position(text).filter(|_| self.has_positions)?;
            if !self.everywhere {
                self.positions.binary_search(&dollar).ok()?;
            }
            (length, at_place(text[..length].parse().ok()))
        };
        match value {
            _ if is_escaped => Some(At::Escaped(length)),
            Some(value) => Some(At::Value(length, value)),
            None => None,
        }
    }

    /// Returns the length and the value of a name in braces at the start of a text. The value is `None` if the host does
    /// not supply it.
    fn braced(&self, text: &str) -> Option<(usize, Option<&'v str>)> {
        let is_known =
            |name: &&str| BRACED.contains(name) || *name == SKILL_DIR && !self.everywhere;
        // The longest of the names ends before this.
        let end = text.bytes().take(24).position(|byte| byte == b'}')?;
        let name = text.get(1..end).filter(is_known)?;
        Some((end + 1, (self.variable)(name)))
    }

    /// Returns the word at a position. Returns `None` if the arguments have fewer words.
    fn word(&self, place: usize) -> Option<&'v str> {
        let (word, is_placed) = self.words.get(place)?;
        is_placed.set(true);
        word.as_deref()
    }
}

/// Returns whether a name has the form of a host's variable, such as `$REPO_ROOT`, or is a number.
/// Arguments never replace such a name, even if the host does not have the variable.
pub fn is_of_host(name: &str) -> bool {
    let is_of_variable =
        |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    name.bytes().all(is_of_variable)
}

/// Returns whether the body has a `$ARGUMENTS[0]`, with any number. Its author then means positions by `$0` too.
fn has_index(body: &str) -> bool {
    places_of(body, b'$').any(|dollar| {
        let after = body[dollar + 1..].strip_prefix(ARGUMENTS);
        after.is_some_and(|after| index(after).is_some())
    })
}

/// Returns the places of the positions in prose that are not prices.
fn positions(body: &str) -> Vec<usize> {
    let dollars = places_of(body, b'$').filter(|dollar| {
        let length = position(&body[dollar + 1..]);
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

/// Returns whether the `$` at a place of the body, with so many digits after it, is a sum of money by the characters around
/// it: `$1,000`, `$1.50`, `$1/month`, `US$1`, `<$1`, `$100`. In doubt it is: a position that stays is seen by its author, a
/// price that a word replaces is not.
fn is_money(body: &str, dollar: usize, digits: usize) -> bool {
    let mut after = body[dollar + 1 + digits..].chars();
    let is_sum = match after.next() {
        Some('.' | ',') => after.next().is_some_and(|c| c.is_ascii_digit()),
        next => next.is_some_and(|c| "/+-–—%$~".contains(c)),
    };
    let is_mark = |c: char| c.is_alphanumeric() || "$<>~+-=".contains(c);
    digits > 2 || is_sum || body[..dollar].ends_with(is_mark)
}

/// Returns the number of digits at the start of a text.
pub fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// Returns the length of the digits at the start of a text that no letter, digit or `_` follows.
fn position(text: &str) -> Option<usize> {
    let length = digits(text);
    let goes_on = text[length..].starts_with(|c: char| c == '_' || c.is_ascii_alphanumeric());
    (length > 0 && !goes_on).then_some(length)
}

/// Returns the word of letters, digits and `_` at the start of a text. Letters of scripts that are
/// written without spaces end the word.
fn word(text: &str) -> &str {
    let end = text
        .find(|c: char| !(c == '_' || c.is_alphanumeric() && c < '\u{e00}'))
        .unwrap_or(text.len());
    &text[..end]
}

/// Returns the length and the number of an index such as `[0]` at the start of a text. The number is
/// `None` if it is too large for a position.
fn index(text: &str) -> Option<(usize, Option<usize>)> {
    // Reads the digits first: a search for `]` could reach the end of the body each time.
    let inside = text.strip_prefix('[')?;
    let length = digits(inside);
    let is_index = length > 0 && inside[length..].starts_with(']');
    is_index.then(|| (length + 2, inside[..length].parse().ok()))
}

/// Returns the longest known name at the start of a text, of at most 64 bytes, that no index follows. A name can hold
/// hyphens, so it can be longer than the first word.
pub fn longest_name<'t>(text: &'t str, is_known: &dyn Fn(&str) -> bool) -> Option<&'t str> {
    /// The search for longer names would not be linear.
    const LONGEST: usize = 64;

    let mut found = None;
    let mut name = word(text);
    while !name.is_empty() && name.len() <= LONGEST {
        let after = &text[name.len()..];
        if is_known(name) && index(after).is_none() {
            found = Some(name);
        }
        let hyphens = after.len() - after.trim_start_matches('-').len();
        let next = word(&after[hyphens..]);
        if hyphens == 0 || next.is_empty() {
            break;
        }
        name = &text[..name.len() + hyphens + next.len()];
    }
    found
}

#[cfg(test)]
mod money_tests {
    use super::*;

    #[test]
    fn prices_and_positions() {
        for (body, expected) in [
            ("Compare $1 with it", false),
            ("from $0 to $1.", false),
            ("($1)", false),
            ("$1, then", false),
            ("$1: x", false),
            ("at $1", false),
            ("it costs $1 a month", false),
            ("$1,000", true),
            ("$1.50", true),
            ("$1/month", true),
            ("US$1", true),
            ("$100", true),
            ("$1-$5", true),
        ] {
            let dollar = body.find('$').unwrap();
            let digits = body.get(dollar + 1..).unwrap();
            let digits = digits.bytes().take_while(u8::is_ascii_digit).count();
            assert_eq!(is_money(body, dollar, digits), expected, "{body}");
        }
    }
}

#[cfg(test)]
mod tests;
