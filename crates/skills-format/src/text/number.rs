//! Numbers of YAML 1.2's core schema.

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
}
