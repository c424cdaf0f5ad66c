//! Compares a value with the type of its argument, and returns the canonical text.

use crate::schema::{Argument, Kind};
use skills_format::text::distance::nearest;
use std::fmt::{self, Write as _};

/// The maximum number of values that a message lists: an `enum` can have hundreds.
const LISTED: usize = 10;

impl Kind {
    /// Returns the canonical text of a value that was written as text. `None`: the value does not fit.
    ///
    /// ```
    /// use skills_arguments::Kind;
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
                is_inside(*minimum, *maximum, number).then(|| number.to_string())
            }
            Self::Number { minimum, maximum } => {
                let number = number(written)?;
                is_inside(*minimum, *maximum, number).then(|| number_text(written))?
            }
            Self::Text {
                min_length,
                max_length,
            } => {
                let length = u32::try_from(written.chars().count()).unwrap_or(u32::MAX);
                is_inside(*min_length, *max_length, length).then(|| written.to_owned())
            }
            Self::Choice { numbers, values } => {
                let text = if *numbers {
                    number_text(written)?
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
            } => {
                let what = range("text", *min_length, *max_length).replace(" from ", " of ");
                match max_length.or(*min_length) {
                    None => what,
                    Some(1) => format!("{what} character"),
                    Some(_) => format!("{what} characters"),
                }
            }
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
                    // Between commas an empty text would be overlooked, and a text of two words be taken for one of
                    // them.
                    match &**value {
                        "" => words.push_str("an empty text"),
                        value if value.contains(|c: char| c.is_whitespace() || c == ',') => {
                            let _ = write!(words, "'{value}'");
                        }
                        value => words.push_str(value),
                    }
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

fn is_inside<N: PartialOrd + Copy>(minimum: Option<N>, maximum: Option<N>, number: N) -> bool {
    minimum.is_none_or(|least| least <= number) && maximum.is_none_or(|most| number <= most)
}

fn range<N: fmt::Display>(what: &str, minimum: Option<N>, maximum: Option<N>) -> String {
    match (minimum, maximum) {
        (None, None) => what.to_owned(),
        (Some(least), None) => format!("{what} of at least {least}"),
        (None, Some(most)) => format!("{what} of at most {most}"),
        (Some(least), Some(most)) => format!("{what} from {least} to {most}"),
    }
}

/// Reads a whole number. `1.0` and `1e3` are whole numbers too, as in JSON Schema.
pub(super) fn integer(written: &str) -> Option<i64> {
    number_text(written)?.parse().ok()
}

/// Reads a number: digits, and what JSON allows beside them. `inf` and `nan` are texts.
pub(super) fn number(written: &str) -> Option<f64> {
    let is_part = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
    let number: f64 = written.parse().ok()?;
    (number.is_finite() && written.chars().all(is_part)).then_some(number)
}

/// Returns the canonical text of a number: its digits without an exponent, a sign of zero, or zeros that say nothing.
pub(super) fn number_text(written: &str) -> Option<String> {
    // As a float, a number above 2^53 would become another one.
    if let Ok(whole) = written.parse::<i64>() {
        return Some(whole.to_string());
    }
    // Without the sign of a zero.
    number(written).map(|number| (number + 0.0).to_string())
}
