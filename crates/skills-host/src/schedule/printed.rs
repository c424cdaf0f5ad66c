//! The words that this program prints for the times of a schedule, read back: `weekdays at 09:00`, `every 2 hours`.

use crate::schedule::hour::{Bare, number, time_of_day, weekday};
use std::collections::BTreeSet;

/// The two fields of days of a cron expression: of the month, and of the week.
type Days = (String, String);

/// Returns the cron expression that is printed as these words, in any case of letters; `None` for other words.
pub(crate) fn cron(words: &str) -> Option<String> {
    let words = words.trim().to_lowercase();
    let every = words.strip_prefix("every ");
    if let Some(interval) = every.filter(|rest| !rest.starts_with("day ")) {
        let (interval, days) = match interval.split_once(", ") {
            Some((interval, days)) => (interval, days_of(days)?),
            None => (interval, every_day()),
        };
        return Some(joined(&interval_of(interval)?, days));
    }
    let (days, times) = words.split_once(" at ")?;
    let days = match days {
        "every day" => every_day(),
        days => days_of(days)?,
    };
    Some(joined(&times_of(times)?, days))
}

fn joined(clock: &str, (month, week): Days) -> String {
    format!("{clock} {month} * {week}")
}

fn every_day() -> Days {
    ("*".to_owned(), "*".to_owned())
}

fn days_of(words: &str) -> Option<Days> {
    let any = "*".to_owned();
    let month = words.strip_suffix(" of the month");
    if let Some(days) = month.and_then(|words| {
        let days = words.strip_prefix("days ");
        days.or_else(|| words.strip_prefix("day "))
    }) {
        let days: Option<Vec<String>> = days
            .split(", ")
            .map(|day| number(day).map(|day| day.to_string()))
            .collect();
        return Some((days?.join(","), any));
    }
    let week = match words {
        "weekdays" => "1-5".to_owned(),
        "weekends" => "0,6".to_owned(),
        names => {
            let days = names.split(", ").map(|name| {
                let day = weekday(name).or_else(|| weekday(name.strip_suffix('s')?))?;
                Some(day.to_sunday_zero_offset().to_string())
            });
            days.collect::<Option<Vec<String>>>()?.join(",")
        }
    };
    Some((any, week))
}

fn interval_of(words: &str) -> Option<String> {
    if let Some(minute) = words.strip_prefix("hour at minute ") {
        return Some(format!("{} *", number(minute)?));
    }
    Some(match words.split_once(' ') {
        None if words == "minute" => "* *".to_owned(),
        None if words == "hour" => "0 *".to_owned(),
        Some((count, unit)) => {
            let count = number(count).filter(|count| *count > 0)?;
            match unit {
                "minutes" => format!("*/{count} *"),
                "hours" => format!("0 */{count}"),
                _ => return None,
            }
        }
        None => return None,
    })
}

/// Reads times with commas. A cron expression holds each minute with each hour.
fn times_of(words: &str) -> Option<String> {
    let times = words.split(", ").map(|time| {
        let words: Vec<&str> = time.split_whitespace().collect();
        let time = time_of_day(&words, Bare::Hour)?;
        Some((time.hour(), time.minute()))
    });
    let times: BTreeSet<(i8, i8)> = times.collect::<Option<_>>()?;
    let hours: BTreeSet<i8> = times.iter().map(|time| time.0).collect();
    let minutes: BTreeSet<i8> = times.iter().map(|time| time.1).collect();
    if times.len() != hours.len() * minutes.len() {
        return None;
    }
    let list = |numbers: BTreeSet<i8>| {
        let numbers = numbers.iter().map(ToString::to_string);
        numbers.collect::<Vec<_>>().join(",")
    };
    Some(format!("{} {}", list(minutes), list(hours)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_words_are_not() {
        for words in [
            "weekdays",
            "weekdays at",
            "weekdays at noon",
            "every day",
            "every weekday",
            "every 0 minutes",
            "every 2 weeks",
            "mon wed at 9",
            "mon, at 9",
            "weekdays at 09:00, 10:30",
            "days 1, x of the month at 9",
        ] {
            assert_eq!(cron(words), None, "{words}");
        }
        assert_eq!(cron("Weekdays at 9").as_deref(), Some("0 9 * * 1-5"));
    }
}
