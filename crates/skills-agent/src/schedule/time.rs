//! The times of a schedule, and their zone.

use croner::Cron;
use croner::parser::{CronParser, Seconds, Year};
use jiff::civil::{DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, ToSpan as _, Zoned};
use skills_format::Prose;
use skills_store::{Error, ErrorKind};

/// The help about the times of a schedule.
pub(crate) const WHEN: &str =
    "say when it runs: --cron '0 9 * * 1-5', --every 2h, --at 09:00 or --in 5m";
const CRON: &str = "write minute, hour, day of the month, month and day of the week: \
                    '0 9 * * 1-5' is nine o'clock from Monday to Friday";
const EVERY: &str = "write --every with minutes that divide an hour (10m), hours that divide a day (2h), or 1d; \
                     for anything else --cron '0 9,17 * * 1-5'";
const A_TIME: &str = "a valid time";
const AT: &str = "write --at 09:00, or --at 2030-12-24T09:00";
const IN: &str = "write --in 5m, --in '1h 30m' or --in 2d";

/// A time zone of the IANA database, such as `Europe/Berlin` or `UTC`.
///
/// The tables of the system are used. If the system has none, the tables in this program are used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone(TimeZone);

/// A cron expression of five fields: minute, hour, day of the month, month, day of the week.
///
/// Also accepts `L`, `W` and `#` in the days, names of months and days, and nicknames such as `@daily`. If both kinds
/// of days are given, a day that matches one of them counts. Where a wall clock jumps, `croner` decides: one minute
/// of one hour runs at the first moment after the jump when it is skipped, and once when it is repeated; any other
/// expression follows the clock.
#[derive(Clone, Debug)]
pub struct CronText {
    text: String,
    cron: Box<Cron>,
}

/// The times of a schedule.
#[derive(Clone, Debug)]
pub enum Timing {
    /// Every time of a cron expression.
    Cron(CronText),
    /// One time.
    Once(Timestamp),
}

/// The user's words for the times of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeWords<'w> {
    /// A cron expression of five fields.
    Cron(&'w str),
    /// An interval that fits the clock: `10m`, `2h`, `1d`.
    Every(&'w str),
    /// The next `09:00`, or a date with a time, `2026-01-02T09:00`. It is in the schedule's zone unless it names an
    /// offset.
    At(&'w str),
    /// A duration from now: `5m`, `1h 30m`, `2d`.
    In(&'w str),
}

impl Zone {
    /// Finds a zone by name.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`]: the name is unknown.
    pub fn named(name: &str) -> Result<Self, Error> {
        // Files of the zone database that mean another zone on each machine, but the name is written down.
        let is_of_machine = ["localtime", "posixrules"]
            .iter()
            .any(|own| own.eq_ignore_ascii_case(name));
        match TimeZone::get(name) {
            Ok(zone) if !zone.is_unknown() && !is_of_machine => Ok(Self(zone)),
            _ => Err(usage(
                format!("there is no time zone '{}'", name.escape_debug()),
                "write a name such as --timezone Europe/Berlin or --timezone UTC",
            )),
        }
    }

    /// Returns UTC.
    pub fn utc() -> Self {
        Self(TimeZone::UTC)
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        self.0.iana_name().unwrap_or("UTC")
    }

    /// Formats a time in this zone: `2026-01-02 09:00 +01:00`. Seconds are written unless they are zero.
    pub fn shown(&self, time: Timestamp) -> String {
        let here = time.to_zoned(self.0.clone());
        let form = if here.second() == 0 {
            "%Y-%m-%d %H:%M %:z"
        } else {
            "%Y-%m-%d %H:%M:%S %:z"
        };
        here.strftime(form).to_string()
    }
}

impl CronText {
    /// Parses a cron expression.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`]: the text is not a cron expression of five fields.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let text = fields.join(" ");
        let is_nickname = fields.len() == 1 && text.starts_with('@');
        let refused = |why: String| {
            let text = text.escape_debug();
            usage(format!("the cron expression '{text}' {why}"), CRON)
        };
        if fields.len() != 5 && !is_nickname {
            return Err(refused(format!("needs 5 fields, and has {}", fields.len())));
        }
        let cron = CronParser::builder()
            .seconds(Seconds::Disallowed)
            .year(Year::Disallowed)
            .build()
            .parse(&text)
            .map_err(|error| {
                refused(format!(
                    "is invalid: {}",
                    error.to_string().trim_start_matches("Component error: ")
                ))
            })?;
        Ok(Self {
            cron: Box::new(cron),
            text,
        })
    }

    /// Refuses an expression that no day of the calendar matches.
    pub(super) fn matching(self) -> Result<Self, Error> {
        // From the year 2000, which has every day.
        let first = DateTime::constant(2000, 1, 1, 0, 0, 0, 0).to_zoned(TimeZone::UTC);
        if first.is_ok_and(|first| self.cron.find_next_occurrence(&first, false).is_ok()) {
            return Ok(self);
        }
        let message = format!("the cron expression '{}' matches no day", self.text);
        Err(usage(message, "correct the day or the month"))
    }

    /// Returns the expression, with one space between its fields.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl Timing {
    /// Parses the user's words. A duration counts from `now`, and a time must be after `now`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`]: the words are invalid, or the time is not in the future.
    pub fn parse(words: TimeWords<'_>, zone: &Zone, now: Timestamp) -> Result<Self, Error> {
        let here = now.to_zoned(zone.0.clone());
        let refused = |option: &str, text: &str, what: &str, help: &'static str| {
            let message = format!("{option} '{}' is not {what}", text.escape_debug());
            usage(message, help)
        };
        let once = match words {
            TimeWords::Cron(text) => return Ok(Self::Cron(CronText::parse(text)?.matching()?)),
            TimeWords::Every(text) => {
                let cron = every(text, &here)
                    .ok_or_else(|| refused("--every", text, "a supported interval", EVERY))?;
                return CronText::parse(&cron).map(Self::Cron);
            }
            TimeWords::At(text) => {
                at(text, &here).ok_or_else(|| refused("--at", text, A_TIME, AT))?
            }
            TimeWords::In(text) => text
                .parse::<Span>()
                .ok()
                .and_then(|span| here.checked_add(span).ok())
                .map(|then| then.timestamp())
                .ok_or_else(|| refused("--in", text, A_TIME, IN))?,
        };
        if once <= now {
            let help = format!("write a later time than {}", zone.shown(now));
            return Err(usage(format!("{} is past", zone.shown(once)), help));
        }
        Ok(Self::Once(once))
    }

    /// Finds the first time after `after`.
    pub fn next(&self, after: Timestamp, zone: &Zone) -> Option<Timestamp> {
        match self {
            Self::Once(once) => (*once > after).then_some(*once),
            Self::Cron(cron) => {
                let after = after.to_zoned(zone.0.clone());
                let next = cron.cron.find_next_occurrence(&after, false).ok()?;
                Some(next.timestamp())
            }
        }
    }

    /// Finds the latest time up to `now`.
    pub(crate) fn latest(&self, now: Timestamp, zone: &Zone) -> Option<Timestamp> {
        match self {
            Self::Once(once) => (*once <= now).then_some(*once),
            Self::Cron(cron) => {
                let now = now.to_zoned(zone.0.clone());
                let latest = cron.cron.find_previous_occurrence(&now, true).ok()?;
                Some(latest.timestamp())
            }
        }
    }

    /// Formats the times: the cron expression, or the one time.
    pub fn shown(&self, zone: &Zone) -> String {
        match self {
            Self::Once(once) => format!("once, {}", zone.shown(*once)),
            Self::Cron(cron) => cron.text.clone(),
        }
    }
}

/// Returns the cron expression of an interval. A clock repeats only what divides the hour or the day.
fn every(text: &str, now: &Zoned) -> Option<String> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (count, unit) = text.split_at(digits);
    match (count.parse::<u32>().ok()?, unit) {
        (1, "m") => Some("* * * * *".to_owned()),
        (60, "m") | (1, "h") => Some("0 * * * *".to_owned()),
        (n, "m") if n > 0 && n < 60 && 60 % n == 0 => Some(format!("*/{n} * * * *")),
        (n, "h") if n > 0 && n < 24 && 24 % n == 0 => Some(format!("0 */{n} * * *")),
        // At the present time of the day: midnight is nothing that anybody asked for.
        (24, "h") | (1, "d") => Some(format!("{} {} * * *", now.minute(), now.hour())),
        _ => None,
    }
}

/// Returns the next moment at which a clock shows `09:00`, or the moment of a date with a time.
fn at(text: &str, now: &Zoned) -> Option<Timestamp> {
    if let Ok(exact) = text.parse::<Timestamp>() {
        return Some(exact);
    }
    let zone = now.time_zone();
    // A date without a time would mean midnight, which the user did not write.
    if text.contains(['T', 't', ' ']) {
        let civil = text.parse::<DateTime>().ok()?;
        return zone.to_timestamp(civil).ok();
    }
    let clock = text.parse::<Time>().ok().filter(|_| text.contains(':'))?;
    let today = zone.to_timestamp(now.date().to_datetime(clock)).ok()?;
    if today > now.timestamp() {
        return Some(today);
    }
    let tomorrow = now.date().checked_add(1.day()).ok()?;
    zone.to_timestamp(tomorrow.to_datetime(clock)).ok()
}

pub(crate) fn usage(message: impl Into<Prose>, help: impl Into<Prose>) -> Error {
    Error::new(ErrorKind::Usage, message).help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_and_no_other() {
        let zone = Zone::named("Europe/Berlin").unwrap();
        // A Wednesday, 10:05 in Berlin.
        let now: Timestamp = "2026-05-06T08:05:00Z".parse().unwrap();
        let read = |words| Timing::parse(words, &zone, now).map(|timing| timing.shown(&zone));
        for (text, cron) in [
            ("1m", "* * * * *"),
            ("10m", "*/10 * * * *"),
            ("60m", "0 * * * *"),
            ("2h", "0 */2 * * *"),
            ("1d", "5 10 * * *"),
        ] {
            assert_eq!(read(TimeWords::Every(text)).unwrap(), cron, "{text}");
        }
        for text in [
            "",
            "0m",
            "45m",
            "5h",
            "2d",
            "m",
            "-5m",
            "day",
            "09:00",
            "99999999999h",
        ] {
            assert!(read(TimeWords::Every(text)).is_err(), "{text}");
        }
        for (text, shown) in [
            ("11:00", "once, 2026-05-06 11:00 +02:00"),
            ("10:05", "once, 2026-05-07 10:05 +02:00"),
            ("2026-12-24T09:00", "once, 2026-12-24 09:00 +01:00"),
            ("2026-12-24 09:00", "once, 2026-12-24 09:00 +01:00"),
            ("2026-12-24T09:00Z", "once, 2026-12-24 10:00 +01:00"),
        ] {
            assert_eq!(read(TimeWords::At(text)).unwrap(), shown, "{text}");
        }
        for text in [
            "",
            "9",
            "9am",
            "tomorrow",
            "2026-12-24",
            "2026-02-30T09:00",
            "2020-01-02T09:00",
            "5m",
        ] {
            assert!(read(TimeWords::At(text)).is_err(), "{text}");
        }
        assert_eq!(
            read(TimeWords::In("1h 30m")).unwrap(),
            "once, 2026-05-06 11:35 +02:00"
        );
        for text in ["", "5", "-5m", "soon"] {
            assert!(read(TimeWords::In(text)).is_err(), "{text}");
        }
    }
}
