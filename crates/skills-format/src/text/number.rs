//! Numbers of YAML 1.2's core schema: single scalars, and the numbers of JSON that keeps numbers as they are
//! written.

use std::borrow::Cow;
use std::cmp::Ordering;

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

/// Returns whether a plain scalar is a number that JSON can hold. Only the digits are compared, so a program that
/// never computes with numbers does not link std's parser of floats, 15 KB.
pub(crate) fn is_number(text: &str) -> bool {
    integer(text).is_some() || float_parts(text).is_some()
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

fn float(text: &str) -> Option<f64> {
    float_parts(text).and_then(|_| text.parse().ok())
}

/// A number with a point or an exponent.
struct Parts<'a> {
    whole: &'a str,
    fraction: &'a str,
    /// The exponent with its sign.
    exponent: &'a str,
}

/// Splits a finite number of the form `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`.
fn float_parts(text: &str) -> Option<Parts<'_>> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let without_sign = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    let is_right = all_digits(whole)
        && all_digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && digits(without_sign, u8::is_ascii_digit).is_some();
    let parts = Parts {
        whole,
        fraction,
        exponent,
    };
    (is_right && parts.is_finite()).then_some(parts)
}

/// The smallest integer that is infinite as a 64-bit float: 2¹⁰²⁴ - 2⁹⁷⁰, half a step above the largest float.
const INFINITE: &str = "179769313486231580793728971405303415079934132710037826936173778980444968292764\
    750946649017977587207096330286416692887910946555547851940402630657488671505820\
    681908902000708383676273854845817711531764475730270069855571366959622842914819\
    860834936475292719074168444365510704342711559699508093042880177904174497792";

impl Parts<'_> {
    fn is_finite(&self) -> bool {
        let digits = self.whole.bytes().chain(self.fraction.bytes());
        let zeros = digits.clone().take_while(|digit| *digit == b'0').count();
        if zeros == self.whole.len() + self.fraction.len() {
            return true;
        }
        // An exponent beyond 64 bits is infinite or zero, by its sign.
        let Ok(exponent) = self.exponent.parse::<i64>() else {
            return self.exponent.starts_with('-');
        };
        let places = i64::try_from(self.whole.len()).unwrap_or(i64::MAX)
            - i64::try_from(zeros).unwrap_or(i64::MAX);
        // `INFINITE` has 309 digits: with as many digits before the point, the digits themselves decide.
        match places.saturating_add(exponent).cmp(&309) {
            Ordering::Less => true,
            Ordering::Equal => digits.skip(zeros).lt(INFINITE.bytes()),
            Ordering::Greater => false,
        }
    }
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
    use proptest::prelude::*;

    fn agrees(text: &str) {
        let number = Number::read(text);
        assert_eq!(is_number(text), number.is_some(), "{text}");
        if let Some(parsed) = text.parse::<f64>().ok().filter(|_| integer(text).is_none()) {
            let finite = Some(parsed).filter(|parsed| parsed.is_finite());
            assert_eq!(number, finite.map(Number::Float), "{text}");
        }
    }

    #[test]
    fn the_largest_numbers() {
        let zeros = "0".repeat(400);
        for text in [
            INFINITE,
            &INFINITE.replace("80", "79"),
            &format!("{INFINITE}.0"),
            &format!("0.{INFINITE}e309"),
            &format!("0.{INFINITE}e308"),
            &format!("0.{zeros}1e708"),
            &format!("0.{zeros}1e709"),
            &format!("0.{zeros}1e710"),
            &format!("1{zeros}e-100"),
            &format!("1{zeros}e-92"),
            &format!("1{zeros}e-91"),
            &format!("{}.5", INFINITE.strip_suffix('0').unwrap_or_default()),
            "1.7976931348623157e308",
            "1.7976931348623158e+308",
            "1.7976931348623159e308",
            "-1e999",
            "0e99999999999999999999",
            "1e99999999999999999999",
            "1e-99999999999999999999",
            "170141183460469231731687303715884105728",
            "0xffffffffffffffffffffffffffffffffff",
        ] {
            agrees(text);
        }
        assert!(!is_number("0xffffffffffffffffffffffffffffffffff"));
        assert!(!is_number(INFINITE) && is_number("1.7976931348623158e308"));
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

    proptest! {
        #[test]
        fn a_number_is_finite_as_std_says(
            text in "[-+]?(0o|0x)?[0-9]{0,3}(\\.[0-9]{0,20})?([eE][-+]?(30[5-9]|31[0-2]|[0-9]{0,4}))?"
        ) {
            agrees(&text);
        }

        #[test]
        fn near_the_largest(last in "[0-9]{4}", at in 0_usize..309) {
            let digits = format!("{}{last}", INFINITE.get(..at).unwrap_or_default());
            agrees(&format!("{}.{}e308", digits.get(..1).unwrap_or_default(), digits.get(1..).unwrap_or_default()));
        }
    }
}
