//! Front matter as other programs read it.

use skills_format::yaml::{Node, Style, Value};

/// A value by YAML's core schema.
pub(super) enum Kind<'n> {
    /// Missing or null.
    Nothing,
    Text(&'n str),
    /// A number or a truth value, as it is written.
    Plain(&'n str),
    /// A list or a mapping.
    Many,
}

pub(super) fn kind(value: Option<&Node>) -> Kind<'_> {
    let Some(node) = value.filter(|node| !node.is_null()) else {
        return Kind::Nothing;
    };
    match &node.value {
        Value::Scalar(scalar) if node.kind() == "text" => Kind::Text(&scalar.text),
        Value::Scalar(scalar) => Kind::Plain(&scalar.text),
        _ => Kind::Many,
    }
}

/// Returns the text of a value that `js-yaml` reads as a text.
pub(super) fn text<'n>(root: &'n Node, key: &str) -> Option<&'n str> {
    match &root.get(key)?.value {
        Value::Scalar(scalar) if scalar.style != Style::Plain => Some(&scalar.text),
        Value::Scalar(scalar) => is_text(&scalar.text).then_some(&scalar.text),
        _ => None,
    }
}

/// Splits a line `key: value`. The key is not indented.
pub(super) fn pair(line: &str, is_key: impl Fn(char) -> bool) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let is_name = !key.is_empty() && key.chars().all(is_key);
    is_name.then_some((key, value))
}

/// Returns the text with `tab` for each tab at the start of a line. Such a tab is an error of YAML that the parsers of
/// JavaScript let pass.
pub(super) fn without_tabs(front: &str, tab: &str) -> String {
    let lines = front.split_inclusive('\n').map(|line| {
        let rest = line.trim_start_matches('\t');
        format!("{}{rest}", tab.repeat(line.len() - rest.len()))
    });
    lines.collect()
}

/// Returns the text with the replacement character for each escape of half a pair of UTF-16, such as `\ud83d`. Programs
/// in JavaScript hold the half, and write that character in its place.
pub(super) fn without_half_pairs(front: &str) -> String {
    let mut text = String::with_capacity(front.len());
    let mut rest = front;
    while let Some(at) = rest.find("\\u") {
        let (before, escape) = rest.split_at(at);
        text.push_str(before);
        let length = match (half(escape), escape.get(6..).and_then(half)) {
            (Some(Half::First), Some(Half::Second)) => 12,
            (Some(_), _) => {
                text.push_str("\\ufffd");
                rest = escape.get(6..).unwrap_or_default();
                continue;
            }
            (None, _) => 2,
        };
        let (kept, after) = escape.split_at_checked(length).unwrap_or((escape, ""));
        text.push_str(kept);
        rest = after;
    }
    text + rest
}

/// Returns whether a text has an escape of half a pair of UTF-16.
pub(super) fn has_half_pair(front: &str) -> bool {
    front
        .match_indices("\\u")
        .any(|(at, _)| front.get(at..).and_then(half).is_some())
}

enum Half {
    First,
    Second,
}

/// Returns the half of a pair with whose escape a text begins.
fn half(text: &str) -> Option<Half> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    match u32::from_str_radix(digits, 16) {
        Ok(0xd800..0xdc00) => Some(Half::First),
        Ok(0xdc00..0xe000) => Some(Half::Second),
        _ => None,
    }
}

/// Returns whether `js-yaml` 3 reads a plain scalar as a text: it knows the numbers and dates of YAML 1.1. Where it reads
/// no text, Gemini CLI takes the line as it is written, which is the same text.
fn is_text(plain: &str) -> bool {
    let is_word = matches!(
        plain,
        "" | "~"
            | "null"
            | "Null"
            | "NULL"
            | "true"
            | "True"
            | "TRUE"
            | "false"
            | "False"
            | "FALSE"
    );
    !(is_word || is_integer(plain) || is_float(plain) || is_date(plain))
}

/// `0b11`, `0x1f`, `017`, `1_000`, `190:20:30`
fn is_integer(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let digits = |text: &str, radix| {
        text.chars().any(|c| c.is_digit(radix))
            && text.chars().all(|c| c == '_' || c.is_digit(radix))
            && !text.ends_with('_')
    };
    if unsigned == "0" {
        return true;
    }
    if let Some(rest) = unsigned.strip_prefix('0') {
        return match rest.split_at_checked(1) {
            Some(("b", bits)) => digits(bits, 2),
            Some(("x", hex)) => digits(hex, 16),
            _ => digits(rest, 8),
        };
    }
    let (first, sixtieths) = unsigned.split_once(':').unwrap_or((unsigned, ""));
    let is_sixty = first.len() == unsigned.len() || sixtieths.split(':').all(is_sixtieth);
    !first.starts_with('_') && digits(first, 10) && is_sixty
}

fn is_sixtieth(text: &str) -> bool {
    matches!(text.as_bytes(), [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9'])
}

/// `1.5`, `1_000.5e3`, `.5`, `12:30.5`, `-.inf`, `.nan`
fn is_float(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    if text.ends_with('_') {
        return false;
    }
    let is_digits = |text: &str| text.chars().all(|c| c == '_' || c.is_ascii_digit());
    let (number, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let power = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    let is_power = !power.is_empty() && power.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if let Some((hours, minutes)) = whole.split_once(':') {
        let begins = hours.starts_with(|c: char| c.is_ascii_digit()) && is_digits(hours);
        return number.contains('.')
            && number.len() == unsigned.len()
            && begins
            && minutes.split(':').all(is_sixtieth)
            && is_digits(fraction);
    }
    let is_whole = match whole.as_bytes() {
        // A sign cannot stand before a point.
        [] => number.len() > 1 && text.starts_with('.') && !fraction.is_empty(),
        [b'0'] => true,
        [b'1'..=b'9', ..] => is_digits(whole),
        _ => false,
    };
    is_whole && is_digits(fraction) && is_power
}

/// `2026-01-02`, or with a time that has seconds: `2026-1-2 3:04:05.6 +01:00`
fn is_date(text: &str) -> bool {
    let numbers = |text: &str, lengths: &[std::ops::RangeInclusive<usize>], mark: char| {
        let parts: Vec<&str> = text.split(mark).collect();
        parts.len() == lengths.len()
            && parts.iter().zip(lengths).all(|(part, lengths)| {
                lengths.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
            })
    };
    if numbers(text, &[4..=4, 2..=2, 2..=2], '-') {
        return true;
    }
    let Some((day, time)) = text.split_once(['T', 't', ' ', '\t']) else {
        return false;
    };
    let time = time.trim_start_matches([' ', '\t']);
    let (clock, zone) = match time.find([' ', '\t', 'Z', '-', '+']) {
        Some(at) => time.split_at(at),
        None => (time, ""),
    };
    let (clock, parts) = clock.split_once('.').unwrap_or((clock, ""));
    let zone = zone.trim_start_matches([' ', '\t']);
    let is_zone = match zone.strip_prefix(['-', '+']) {
        Some(offset) => numbers(offset, &[1..=2], ':') || numbers(offset, &[1..=2, 2..=2], ':'),
        None => matches!(zone, "" | "Z"),
    };
    numbers(day, &[4..=4, 1..=2, 1..=2], '-')
        && numbers(clock, &[1..=2, 2..=2, 2..=2], ':')
        && parts.bytes().all(|byte| byte.is_ascii_digit())
        && is_zone
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `OpenCode` 1.18.33 lists a skill with such a name or description, or drops the skill.
    #[test]
    fn texts_of_yaml_1_1() {
        for other in [
            "1e3",
            "0x1f",
            "0b11",
            "007",
            "12",
            "2026-01-02",
            "-5",
            "+12",
            ".nan",
            "1_000.5",
            "12:30:45",
            "190:20:30",
            "1.",
            ".5",
            "TRUE",
            "~",
            "NULL",
            "12e03",
            "00",
            "1e+3",
            "-0x1f",
            "2026-01-02 10:00:00",
            "-1:30",
            "1_000",
            "1:30",
            ".inf",
            "2026-01-02T03:04:05Z",
            "0777",
            "0",
            "2026-1-2 3:04:05.6 +01:00",
            "1:30.5",
        ] {
            assert!(!is_text(other), "{other}");
        }
        for text in [
            "0o17",
            "08",
            "1-2",
            "yes",
            "no",
            "on",
            "off",
            "y",
            "n",
            "1e",
            "0x",
            "e5",
            "nan",
            "inf",
            "12-30",
            "2026-1-2",
            "-.5",
            "2026-01-02 10:00",
            "=",
            "<<",
            "0.1e",
            "0_",
            "-",
            "---x",
            "12:60",
            "0o7",
            "1.2.3",
            "0b",
            "0b12",
            "1_",
            "+.nan",
            "_1",
            "12:",
            "1:30.5e1",
            "é2026-01-02",
        ] {
            assert!(is_text(text), "{text}");
        }
    }

    #[test]
    fn halves_of_pairs() {
        for (text, expected) in [
            ("a\\ud83d\\ude00b", "a\\ud83d\\ude00b"),
            ("a\\ud83d.", "a\\ufffd."),
            ("\\ude00\\u0041\\u", "\\ufffd\\u0041\\u"),
            ("\\ud83d\\ud83d\\ude00", "\\ufffd\\ud83d\\ude00"),
        ] {
            assert_eq!(without_half_pairs(text), expected);
        }
        assert!(has_half_pair("x \\uD83D") && !has_half_pair("x \\u0041 \\u"));
    }
}
