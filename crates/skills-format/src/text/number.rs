//! Numbers of YAML 1.2's core schema: single scalars, and the numbers of JSON that keeps numbers as they are
//! written.

use std::borrow::Cow;

/// A number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Int(i128),
    Float(f64),
}

impl Number {
    /// Reads a plain scalar. Returns `None` if the scalar is a text. A number that is infinite as a 64-bit float is
    /// a text too, since JSON has no infinity.
    pub(crate) fn read(text: &str) -> Option<Self> {
        if !text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.')) {
            return None;
        }
        let int = integer(text).map(Self::Int);
        int.or_else(|| float(text).map(Self::Float))
    }

    /// Returns the number as JSON.
    pub(crate) fn to_json(self) -> String {
        match self {
            Self::Int(value) if i64::try_from(value).is_ok() || u64::try_from(value).is_ok() => {
                value.to_string()
            }
            #[expect(clippy::cast_precision_loss, reason = "JSON has no larger integers")]
            Self::Int(value) => format!("{:?}", value as f64),
            Self::Float(value) => format!("{value:?}"),
        }
    }
}

/// Returns whether a plain scalar is a number that JSON can hold.
pub(crate) fn is_number(text: &str) -> bool {
    Number::read(text).is_some()
}

fn integer(text: &str) -> Option<i128> {
    if let Some(octal) = text.strip_prefix("0o") {
        return digits(octal, |b| matches!(b, b'0'..=b'7'))
            .and_then(|d| i128::from_str_radix(d, 8).ok());
    }
    if let Some(hex) = text.strip_prefix("0x") {
        return digits(hex, u8::is_ascii_hexdigit).and_then(|d| i128::from_str_radix(d, 16).ok());
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    digits(unsigned, u8::is_ascii_digit).and_then(|_| text.parse().ok())
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`, if it is finite. Words such as `inf` and `nan`, which std
/// reads too, hold a letter beside `e`.
fn float(text: &str) -> Option<f64> {
    let is_of_number = |b: u8| b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.' | b'e' | b'E');
    let number: f64 = text
        .bytes()
        .all(is_of_number)
        .then(|| text.parse().ok())??;
    number.is_finite().then_some(number)
}

fn digits(text: &str, is_digit: impl Fn(&u8) -> bool) -> Option<&str> {
    (!text.is_empty() && text.bytes().all(|b| is_digit(&b))).then_some(text)
}

/// Writes the numbers of [`FrontMatter::as_written`](crate::FrontMatter::as_written) as texts.
pub fn number_texts(written: &str) -> Cow<'_, str> {
    numbers(written, |number| format!("\"{number}\""))
}

/// Writes the numbers of [`FrontMatter::as_written`](crate::FrontMatter::as_written) as JSON numbers.
pub fn number_values(written: &str) -> Cow<'_, str> {
    numbers(written, |number| {
        Number::read(number).map_or_else(|| number.to_owned(), Number::to_json)
    })
}

/// Replaces each number outside of JSON strings.
fn numbers(written: &str, replace: impl Fn(&str) -> String) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    let mut rest = written;
    while let Some(at) = rest.find(|c: char| c == '"' || is_first(c)) {
        let start = written.len() - rest.len() + at;
        let token = rest.get(at..).unwrap_or_default();
        let length = if let Some(text) = token.strip_prefix('"') {
            2 + end_of_text(text)
        } else {
            let length = token.find([',', ']', '}']).unwrap_or(token.len());
            let number = token.get(..length).unwrap_or_default();
            out.push_str(written.get(copied..start).unwrap_or_default());
            out.push_str(&replace(number));
            copied = start + length;
            length
        };
        rest = token.get(length..).unwrap_or_default();
    }
    if copied == 0 {
        return written.into();
    }
    out.push_str(written.get(copied..).unwrap_or_default());
    out.into()
}

fn is_first(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '-' | '+' | '.')
}

/// Returns the end of the text of a JSON string.
fn end_of_text(text: &str) -> usize {
    let mut is_escaped = false;
    let mut bytes = text.bytes();
    let end = bytes.position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    });
    end.unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_texts() {
        for (text, number) in [
            ("007", Some(Number::Int(7))),
            ("-0o7", None),
            ("0o17", Some(Number::Int(15))),
            ("0x1F", Some(Number::Int(31))),
            ("+1.", Some(Number::Float(1.0))),
            ("-.5e1", Some(Number::Float(-5.0))),
            ("1e-99999999999999999999", Some(Number::Float(0.0))),
            ("1.7976931348623158e308", Some(Number::Float(f64::MAX))),
            ("1.7976931348623159e308", None),
            ("0xffffffffffffffffffffffffffffffffff", None),
            ("1e", None),
            (".", None),
            ("-inf", None),
            (".nan", None),
            ("1_000", None),
            ("1.2.3", None),
        ] {
            assert_eq!(Number::read(text), number, "{text}");
        }
    }

    #[test]
    fn numbers_are_texts_or_values() {
        let written = r#"{"a":1.10,"b\"1":[007,"8\\"],"c":{"d":0x1F},"e":-.5,"f":true,"g":1e3}"#;
        assert_eq!(
            number_texts(written),
            r#"{"a":"1.10","b\"1":["007","8\\"],"c":{"d":"0x1F"},"e":"-.5","f":true,"g":"1e3"}"#
        );
        assert_eq!(
            number_values(written),
            r#"{"a":1.1,"b\"1":[7,"8\\"],"c":{"d":31},"e":-0.5,"f":true,"g":1000.0}"#
        );
        assert!(matches!(number_texts(r#"{"a":"1"}"#), Cow::Borrowed(_)));
    }
}
