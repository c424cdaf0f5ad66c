//! Numbers of YAML 1.2's core schema.

/// A number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Int(i128),
    Float(f64),
}

impl Number {
    /// Reads a plain scalar. `None` when it is a text.
    pub(crate) fn read(text: &str) -> Option<Self> {
        if !text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.')) {
            return None;
        }
        let int = integer(text).map(Self::Int);
        int.or_else(|| float(text).map(Self::Float))
    }

    /// Whether JSON has such a number.
    #[cfg(feature = "yaml")]
    pub(crate) fn is_finite(self) -> bool {
        match self {
            Self::Int(_) => true,
            Self::Float(value) => value.is_finite(),
        }
    }

    /// The number as JSON.
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

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
fn float(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = unsigned
        .split_once(['e', 'E'])
        .map_or((unsigned, None), |(m, e)| (m, Some(e)));
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let exponent_is_right = exponent.is_none_or(|e| {
        digits(e.strip_prefix(['-', '+']).unwrap_or(e), u8::is_ascii_digit).is_some()
    });
    let right = all_digits(whole) && all_digits(part) && !(whole.is_empty() && part.is_empty());
    (right && exponent_is_right)
        .then(|| text.parse().ok())
        .flatten()
}

fn digits(text: &str, is_digit: impl Fn(&u8) -> bool) -> Option<&str> {
    (!text.is_empty() && text.bytes().all(|b| is_digit(&b))).then_some(text)
}
