//! The hours and days in the words of a person: `9:30 pm`, `monday`.

use jiff::civil::{Time, Weekday};

const DAYS: [(&str, Weekday); 7] = [
    ("monday", Weekday::Monday),
    ("tuesday", Weekday::Tuesday),
    ("wednesday", Weekday::Wednesday),
    ("thursday", Weekday::Thursday),
    ("friday", Weekday::Friday),
    ("saturday", Weekday::Saturday),
    ("sunday", Weekday::Sunday),
];

/// Whether a number alone is an hour.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bare {
    /// After `at`.
    Hour,
    /// Elsewhere `9` could be minutes, or a day.
    Refused,
}

/// Parses `09:00`, `9:30`, `9am`, `9:30 pm`, and after `at` also `9`.
pub(crate) fn time_of_day(words: &[&str], bare: Bare) -> Option<Time> {
    let text = match words {
        [clock] => (*clock).to_owned(),
        [clock, half @ ("am" | "pm")] => format!("{clock}{half}"),
        _ => return None,
    };
    let (digits, half) = match (text.strip_suffix("am"), text.strip_suffix("pm")) {
        (Some(digits), _) => (digits, Some(0)),
        (_, Some(digits)) => (digits, Some(12)),
        _ => (text.as_str(), None),
    };
    let (hour, minute) = match digits.split_once(':') {
        Some((hour, minute)) if minute.len() == 2 => (number(hour)?, number(minute)?),
        None if half.is_some() || bare == Bare::Hour => (number(digits)?, 0),
        _ => return None,
    };
    let hour = match half {
        None => hour,
        // Twelve comes before one.
        Some(half) if (1..=12).contains(&hour) => hour % 12 + half,
        Some(_) => return None,
    };
    Time::new(hour, minute, 0, 0).ok()
}

/// Parses one or two digits.
pub(crate) fn number(text: &str) -> Option<i8> {
    let is_number = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

/// Finds a day by its name, or by the first three letters of the name.
pub(crate) fn weekday(word: &str) -> Option<Weekday> {
    let is_day = |name: &str| name == word || name.get(..3) == Some(word);
    DAYS.iter()
        .find(|(name, _)| is_day(name))
        .map(|(_, day)| *day)
}
