//! Compares a value with the type of its argument, and returns the canonical text.

use crate::arguments::{Argument, Kind};
use crate::text::distance::nearest;
use std::fmt::Write as _;

/// The maximum number of values that a message lists: an `enum` can have hundreds.
const LISTED: usize = 10;

impl Kind {
    /// Returns the canonical text of a value that was written as text. `None`: the value does not fit.
    ///
    /// ```
    /// use skills_format::arguments::Kind;
    ///
    /// let port = Kind::Integer { minimum: Some(1), maximum: Some(65_535) };
    /// assert_eq!(port.fit("+080").as_deref(), Some("80"));
    /// assert_eq!(port.fit("0"), None);
    /// assert_eq!(port.fits(), "a whole number from 1 to 65535");
    /// ```
    pub fn fit(&self, written: &str) -> Option<String> {
        match self {
            Self::Boolean => matches!(written, "true" | "false").then(|| written.to_owned()),
            Self::Integer { minimum, maximum } => {
                let number = integer(written)?;
                let is_inside = minimum.is_none_or(|least| least <= number)
                    && maximum.is_none_or(|most| number <= most);
                is_inside.then(|| number.to_string())
            }
            Self::Number { minimum, maximum } => {
                let number = number(written)?;
                let is_inside = minimum.is_none_or(|least| least <= number)
                    && maximum.is_none_or(|most| number <= most);
                is_inside.then(|| number_text(number))
            }
            Self::Text {
                min_length,
                max_length,
            } => {
                if min_length.is_some() || max_length.is_some() {
                    let length = u32::try_from(written.chars().count()).unwrap_or(u32::MAX);
                    let is_inside = min_length.is_none_or(|least| least <= length)
                        && max_length.is_none_or(|most| length <= most);
                    if !is_inside {
                        return None;
                    }
                }
                Some(written.to_owned())
            }
            Self::Choice { numbers, values } => {
                let text = if *numbers {
                    number_text(number(written)?)
                } else {
                    written.to_owned()
                };
                values.iter().any(|value| *value == text).then_some(text)
            }
        }
    }

    /// Returns the values that fit, in words: `staging or production`.
    pub fn fits(&self) -> String {
        match self {
            Self::Boolean => "true or false".to_owned(),
            Self::Integer { minimum, maximum } => range("a whole number", *minimum, *maximum),
            Self::Number { minimum, maximum } => range("a number", *minimum, *maximum),
            Self::Text {
                min_length,
                max_length,
            } => match (min_length, max_length) {
                (None, None) => "a text".to_owned(),
                (Some(least), None) => format!("a text of at least {}", characters(*least)),
                (None, Some(most)) => format!("a text of at most {}", characters(*most)),
                (Some(least), Some(most)) => {
                    format!("a text of {least} to {}", characters(*most))
                }
            },
            Self::Choice { values, .. } => {
                let mut words = String::new();
                let listed = values.len().min(LISTED);
                for (place, value) in values.iter().take(LISTED).enumerate() {
                    let before = match place {
                        0 => "",
                        _ if place + 1 == values.len() => " or ",
                        _ => ", ",
                    };
                    words.push_str(before);
                    // An empty text between commas would be overlooked.
                    words.push_str(if value.is_empty() {
                        "an empty text"
                    } else {
                        value
                    });
                }
                if values.len() > listed {
                    let _ = write!(words, " or {} more", values.len() - listed);
                }
                words
            }
        }
    }

    /// Returns the value that was probably meant by a text that does not fit.
    pub fn near(&self, written: &str) -> Option<&str> {
        let Self::Choice { values, .. } = self else {
            return None;
        };
        let values = || values.iter().map(|value| &**value);
        values()
            .find(|value| value.eq_ignore_ascii_case(written))
            .or_else(|| nearest(written, values()))
    }
}

impl Argument {
    /// Returns the values that fit, in words. A listed value can hold any character.
    pub fn fits(&self) -> String {
        let fits = self.kind.fits();
        if self.is_list {
            format!("a list, each item {fits}")
        } else {
            fits
        }
    }
}

fn characters(count: u32) -> String {
    match count {
        1 => "1 character".to_owned(),
        count => format!("{count} characters"),
    }
}

fn range(what: &str, minimum: Option<impl ToString>, maximum: Option<impl ToString>) -> String {
    let minimum = minimum.map(|number| number.to_string());
    let maximum = maximum.map(|number| number.to_string());
    match (minimum, maximum) {
        (None, None) => what.to_owned(),
        (Some(least), None) => format!("{what} of at least {least}"),
        (None, Some(most)) => format!("{what} of at most {most}"),
        (Some(least), Some(most)) => format!("{what} from {least} to {most}"),
    }
}

/// Up to here each whole number is exact as a float, and its text is the number.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Reads a whole number. `1.0` and `1e3` are whole numbers too, as in JSON Schema.
pub(super) fn integer(written: &str) -> Option<i64> {
    if let Ok(number) = written.parse() {
        return Some(number);
    }
    let number = number(written)?;
    let is_exact = number.fract() == 0.0 && number.abs() <= EXACT;
    number_text(number).parse().ok().filter(|_| is_exact)
}

/// Reads a number: digits, and what JSON allows beside them. `inf` and `nan` are texts.
pub(super) fn number(written: &str) -> Option<f64> {
    let is_part =
        |byte: u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
    let number: f64 = written
        .bytes()
        .all(is_part)
        .then(|| written.parse().ok())??;
    number.is_finite().then_some(number)
}

/// Returns the canonical text of a number: the shortest digits, without an exponent and without a negative zero.
pub(super) fn number_text(number: f64) -> String {
    let number = if number == 0.0 { 0.0 } else { number };
    number.to_string()
}
