//! The words of a person for times: `weekday at 9`, `tomorrow 9am`, `2 hours`.
//!
//! A small grammar, and nothing beyond it: a guess about a time is noticed only when the run is missing.

use crate::schedule::cron::{CronText, moment};
use crate::schedule::hour::{Bare, time_of_day, weekday};
use crate::schedule::printed;
use crate::schedule::zone::Zone;
use jiff::civil::{Date, DateTime, Time, Weekday};
use jiff::{Timestamp, ToSpan as _};
use skills_store::{Error, ErrorKind};

/// The forms of `--every`.
pub(crate) const EVERY: &str = "write --every 'weekday at 9', 'weekend at 10:30', 'monday at 9am', 'day at 18:00', \
                                '09:00', '30 minutes' or '2 hours'; or --cron '0 9 * * 1-5'";
/// The forms of `--at`.
pub(crate) const AT: &str = "write --at '09:00', '9am', 'tomorrow 9am', 'monday at 9', '2026-12-24 09:00' or \
                             '2026-12-24T09:00'";
/// The forms of `--in`.
pub(crate) const IN: &str = "write --in '2 hours', '30m', '1h 30m' or '2 days'";

/// Parses the words of `--every` to a cron expression.
///
/// # Errors
///
/// [`ErrorKind::Usage`], with the forms.
pub(crate) fn every(text: &str) -> Result<CronText, Error> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    if let Some(interval) = interval(&words) {
        return interval.cron(text);
    }
    let (days, clock) = match words.as_slice() {
        ["weekday", rest @ ..] => ("1-5".to_owned(), clock_of_day(rest)),
        ["weekend", rest @ ..] => ("0,6".to_owned(), clock_of_day(rest)),
        ["day", rest @ ..] => ("*".to_owned(), clock_of_day(rest)),
        [day, rest @ ..] if weekday(day).is_some() => {
            let number = weekday(day).map_or(0, Weekday::to_sunday_zero_offset);
            (number.to_string(), clock_of_day(rest))
        }
        clock => ("*".to_owned(), time_of_day(clock, Bare::Refused)),
    };
    let Some(clock) = clock else {
        let printed = printed::cron(text).ok_or_else(|| refused("--every", text, EVERY))?;
        return CronText::parse(&printed);
    };
    CronText::parse(&format!("{} {} * * {days}", clock.minute(), clock.hour()))
}

/// Parses the words of `--at` to a moment. A time without a day is the next one on the clock.
///
/// # Errors
///
/// [`ErrorKind::Usage`], with the forms.
pub(crate) fn at(text: &str, zone: &Zone, now: Timestamp) -> Result<Timestamp, Error> {
    if let Ok(exact) = text.parse::<Timestamp>() {
        return Ok(exact);
    }
    // A date without a time would mean midnight, which the user did not write.
    let has_time = text.contains(['T', 't', ':']);
    if has_time && let Ok(civil) = text.parse::<DateTime>() {
        return moment(civil, zone.zone()).ok_or_else(|| refused("--at", text, AT));
    }
    words_at(text, zone, now).ok_or_else(|| refused("--at", text, AT))
}

fn words_at(text: &str, zone: &Zone, now: Timestamp) -> Option<Timestamp> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let today = now.to_zoned(zone.zone().clone()).date();
    let on = |date: Date, clock: Time| moment(date.to_datetime(clock), zone.zone());
    // The first day from today on which the time is still to come.
    let next = |from: Date, days: i64, clock: Time| {
        let first = on(from, clock)?;
        if first > now {
            Some(first)
        } else {
            on(from.checked_add(days.days()).ok()?, clock)
        }
    };
    match words.as_slice() {
        ["today", rest @ ..] => on(today, clock_of_day(rest)?),
        ["tomorrow", rest @ ..] => on(today.tomorrow().ok()?, clock_of_day(rest)?),
        [day, rest @ ..] if weekday(day).is_some() => {
            let ahead = weekday(day)?.since(today.weekday());
            next(
                today.checked_add(i64::from(ahead).days()).ok()?,
                7,
                clock_of_day(rest)?,
            )
        }
        [date, rest @ ..] if date.len() == 10 && date.parse::<Date>().is_ok() => {
            on(date.parse().ok()?, clock_of_day(rest)?)
        }
        clock => next(today, 1, time_of_day(clock, Bare::Refused)?),
    }
}

/// Parses the time after a day, with `at` or without it.
fn clock_of_day(words: &[&str]) -> Option<Time> {
    match words {
        ["at", clock @ ..] => time_of_day(clock, Bare::Hour),
        clock => time_of_day(clock, Bare::Refused),
    }
}

/// A repeated length of time.
enum Interval {
    Minutes(u16),
    Hours(u16),
}

/// Parses `30 minutes`, `2h` or `hour`.
fn interval(words: &[&str]) -> Option<Interval> {
    let (count, unit) = match words {
        [one] => {
            let digits = one.bytes().take_while(u8::is_ascii_digit).count();
            one.split_at(digits)
        }
        [count, unit] => (*count, *unit),
        _ => return None,
    };
    let count = if count.is_empty() {
        1
    } else {
        count.parse().ok()?
    };
    match unit {
        "m" | "min" | "minute" | "minutes" => Some(Interval::Minutes(count)),
        "h" | "hour" | "hours" => Some(Interval::Hours(count)),
        _ => None,
    }
}

impl Interval {
    /// Returns the cron expression. A clock repeats only what divides the hour or the day.
    fn cron(&self, text: &str) -> Result<CronText, Error> {
        let cron = match *self {
            Self::Minutes(1) => "* * * * *".to_owned(),
            Self::Minutes(60) | Self::Hours(1) => "0 * * * *".to_owned(),
            Self::Hours(24) => "0 0 * * *".to_owned(),
            Self::Minutes(n) if n > 0 && n < 60 && 60 % n == 0 => format!("*/{n} * * * *"),
            Self::Hours(n) if n > 0 && n < 24 && 24 % n == 0 => format!("0 */{n} * * *"),
            Self::Minutes(_) | Self::Hours(_) => {
                let message = format!("--every '{}' does not fit the clock", text.escape_debug());
                return Err(Error::new(ErrorKind::Usage, message).help(
                    "write minutes that divide an hour (5, 10, 15, 20, 30), hours that divide a day (1, 2, 3, 4, 6, \
                     8, 12), or times: --cron '0 9,17 * * *'",
                ));
            }
        };
        CronText::parse(&cron)
    }
}

fn refused(option: &str, text: &str, forms: &str) -> Error {
    let message = format!(
        "{option} '{}' is not a time that is understood",
        text.escape_debug()
    );
    Error::new(ErrorKind::Usage, message).help(forms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::timing::Timing;

    #[test]
    fn every_form_and_no_other() {
        for (text, cron) in [
            ("weekday at 9", "0 9 * * 1-5"),
            ("Weekday 9am", "0 9 * * 1-5"),
            ("weekend at 10:30", "30 10 * * 0,6"),
            ("monday at 9:05 pm", "5 21 * * 1"),
            ("sun 00:00", "0 0 * * 0"),
            ("day at 18:00", "0 18 * * *"),
            ("09:00", "0 9 * * *"),
            ("12am", "0 0 * * *"),
            ("12:15pm", "15 12 * * *"),
            ("30 minutes", "*/30 * * * *"),
            ("minute", "* * * * *"),
            ("2h", "0 */2 * * *"),
            ("60m", "0 * * * *"),
            ("24 hours", "0 0 * * *"),
        ] {
            assert_eq!(every(text).unwrap().as_str(), cron, "{text}");
        }
        for text in [
            "",
            "weekday",
            "weekday 9",
            "9",
            "at 9",
            "monday and friday at 9",
            "13pm",
            "0am",
            "24:00",
            "9:5",
            "9:60",
            "noon",
            "45 minutes",
            "5 hours",
            "0 minutes",
            "2 weeks",
            "1 day",
            "day",
            "montag at 9",
            "weekday at 9 sharp",
            "99999999 hours",
            "-5 minutes",
            "monday at at 9",
            "9 am pm",
        ] {
            assert_eq!(every(text).unwrap_err().kind(), ErrorKind::Usage, "{text}");
        }
    }

    #[test]
    fn what_is_printed_is_read() {
        let zone = Zone::named("UTC").unwrap();
        for text in [
            "0 9 * * *",
            "30 8 * * 1-5",
            "0 9,17 * * 0,6",
            "0,30 9,17 * * *",
            "0 9 * * 1",
            "0 9 * * MON,WED",
            "@weekly",
            "* * * * *",
            "*/30 * * * *",
            "*/15 * * * 1-5",
            "*/20 * * * 2,4",
            "0 * * * *",
            "5 * * * *",
            "0 */2 * * *",
            "0 */12 * * *",
            "0 9 1 * *",
            "0 9 1,15 * *",
        ] {
            let words = Timing::Cron(CronText::parse(text).unwrap()).words(&zone);
            let read = every(&words).unwrap_or_else(|error| panic!("{words}: {error}"));
            assert_eq!(Timing::Cron(read).words(&zone), words, "{text}");
        }
    }

    #[test]
    fn at_is_the_next_such_moment() {
        let zone = Zone::named("Europe/Berlin").unwrap();
        // A Wednesday, 10:00 in Berlin.
        let now: Timestamp = "2026-05-06T08:00:00Z".parse().unwrap();
        for (text, shown) in [
            ("11:00", "2026-05-06 11:00 +02:00"),
            ("10:00", "2026-05-07 10:00 +02:00"),
            ("9am", "2026-05-07 09:00 +02:00"),
            ("today 23:59", "2026-05-06 23:59 +02:00"),
            ("tomorrow 9am", "2026-05-07 09:00 +02:00"),
            ("tomorrow at 9", "2026-05-07 09:00 +02:00"),
            ("wednesday at 9", "2026-05-13 09:00 +02:00"),
            ("wed 11:00", "2026-05-06 11:00 +02:00"),
            ("tuesday 9am", "2026-05-12 09:00 +02:00"),
            ("2026-12-24 at 9", "2026-12-24 09:00 +01:00"),
            ("2026-12-24 9:30am", "2026-12-24 09:30 +01:00"),
            ("2026-12-24T09:00", "2026-12-24 09:00 +01:00"),
            ("2026-12-24T09:00Z", "2026-12-24 10:00 +01:00"),
            // The past is found, and refused by the caller.
            ("today 9am", "2026-05-06 09:00 +02:00"),
        ] {
            assert_eq!(zone.shown(at(text, &zone, now).unwrap()), shown, "{text}");
        }
        for text in [
            "",
            "9",
            "tomorrow",
            "tomorrow 9",
            "next week",
            "2026-12-24",
            "2026-02-30 9am",
            "weekday at 9",
            "5m",
        ] {
            assert_eq!(
                at(text, &zone, now).unwrap_err().kind(),
                ErrorKind::Usage,
                "{text}"
            );
        }
    }

    #[test]
    fn days_on_which_the_clock_jumps() {
        let zone = Zone::named("Europe/Berlin").unwrap();
        let shown =
            |text: &str, now: &str| zone.shown(at(text, &zone, now.parse().unwrap()).unwrap());
        // 02:30 does not exist on 2026-03-29: the first moment after the jump.
        assert_eq!(
            shown("tomorrow 2:30am", "2026-03-28T12:00:00Z"),
            "2026-03-29 03:00 +02:00"
        );
        assert_eq!(
            shown("02:30", "2026-03-29T00:59:00Z"),
            "2026-03-29 03:00 +02:00"
        );
        // 02:30 comes twice on 2026-10-25: its first moment, and after it the next day.
        assert_eq!(
            shown("sunday 02:30", "2026-10-24T12:00:00Z"),
            "2026-10-25 02:30 +02:00"
        );
        assert_eq!(
            shown("02:30", "2026-10-25T00:45:00Z"),
            "2026-10-26 02:30 +01:00"
        );
        // A day has 23 or 25 hours, and the wall clock counts.
        assert_eq!(
            shown("tomorrow 12:00", "2026-10-24T12:00:00Z"),
            "2026-10-25 12:00 +01:00"
        );
    }
}
