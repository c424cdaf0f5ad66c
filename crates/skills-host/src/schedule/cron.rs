//! Cron expressions, and their times in a zone.
//!
//! A cron expression names times of a wall clock, which jumps twice a year. An expression with fixed times
//! (`30 2 * * *`) keeps its runs: a skipped time runs at the first moment after the jump, and a repeated time runs at
//! its first moment. An expression with `*` in its minutes or hours (`*/15 * * * *`) follows the clock: skipped times
//! do not run, and repeated times run twice.
//! shows twice.

use crate::schedule::zone::Zone;
use croner::Cron;
use croner::parser::{CronParser, Seconds, Year};
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{Timestamp, ToSpan as _, Zoned};
use skills_store::{Error, ErrorKind};

/// A cron expression of five fields: minute, hour, day of the month, month, day of the week.
///
/// Also accepts `L`, `W` and `#` in the days, names of months and days, and nicknames such as `@daily`. If both kinds
/// of days are given, a day that matches one of them counts.
#[derive(Clone, Debug)]
pub struct CronText {
    text: String,
    cron: Box<Cron>,
    kind: Kind,
}

/// The way in which an expression follows a wall clock that jumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Fixed times: each time runs once.
    Fixed,
    /// An interval, which follows the clock.
    Interval,
}

impl CronText {
    /// Parses a cron expression.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`]: the text is not a cron expression of five fields, or no day of the calendar matches.
    ///
    /// # Cost
    ///
    /// Searches for the first time once. For an expression that never matches, searches the whole calendar.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let text = fields.join(" ");
        let is_nickname = matches!(fields.as_slice(), [word] if word.starts_with('@'));
        if fields.len() != 5 && !is_nickname {
            let message = format!(
                "the cron text '{}' has {} fields, not five",
                text.escape_debug(),
                fields.len()
            );
            return Err(Error::new(ErrorKind::Usage, message).help(HELP));
        }
        let parser = CronParser::builder()
            .seconds(Seconds::Disallowed)
            .year(Year::Disallowed)
            .build();
        let cron = parser.parse(&text).map_err(|error| {
            let message = format!("the cron text '{}': {error}", text.escape_debug());
            Error::new(ErrorKind::Usage, message).help(HELP)
        })?;
        let cron = Box::new(cron);
        let clock = fields.iter().take(2);
        let is_interval = text.eq_ignore_ascii_case("@hourly")
            || !is_nickname && clock.into_iter().any(|field| field.contains(['*', '?']));
        let kind = if is_interval {
            Kind::Interval
        } else {
            Kind::Fixed
        };
        let cron = Self { text, cron, kind };
        if cron.next_civil(FIRST).is_none() {
            let message = format!("the cron text '{}' matches no day", cron.text);
            return Err(Error::new(ErrorKind::Usage, message).help("correct the day or the month"));
        }
        Ok(cron)
    }

    /// Returns the expression, with one space between its fields.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the parsed expression.
    pub(crate) fn cron(&self) -> &Cron {
        &self.cron
    }

    /// Finds the first time after `after`.
    pub(crate) fn next(&self, after: Timestamp, zone: &Zone) -> Option<Timestamp> {
        let zone = zone.zone();
        match self.kind {
            Kind::Interval => {
                let after = after.to_zoned(zone.clone());
                let next = self.cron.find_next_occurrence(&after, false).ok()?;
                Some(next.timestamp())
            }
            Kind::Fixed => {
                let mut civil = after.to_zoned(zone.clone()).datetime();
                // When the clock shows an hour twice, the civil time after `after` can be a moment before `after`.
                loop {
                    civil = self.next_civil(civil)?;
                    let next = moment(civil, zone)?;
                    if next > after {
                        return Some(next);
                    }
                }
            }
        }
    }

    /// Finds the first time after `after` on a clock without jumps.
    fn next_civil(&self, after: DateTime) -> Option<DateTime> {
        let after = after.to_zoned(TimeZone::UTC).ok()?;
        let next: Zoned = self.cron.find_next_occurrence(&after, false).ok()?;
        Some(next.datetime())
    }
}

const HELP: &str = "write minute, hour, day of the month, month and day of the week: \
                    '0 9 * * 1-5' is nine o'clock from Monday to Friday";

/// The start of the search for a first time: the year 2000, which has every day.
const FIRST: DateTime = DateTime::constant(2000, 1, 1, 0, 0, 0, 0);

/// Returns the moment of a wall-clock time: the first moment of a repeated time, and the end of the jump for a
/// skipped time.
pub(crate) fn moment(civil: DateTime, zone: &TimeZone) -> Option<Timestamp> {
    match zone.to_ambiguous_timestamp(civil).offset() {
        AmbiguousOffset::Unambiguous { offset } | AmbiguousOffset::Fold { before: offset, .. } => {
            offset.to_timestamp(civil).ok()
        }
        AmbiguousOffset::Gap { before, .. } => {
            let inside = before.to_timestamp(civil).ok()?;
            let after = inside.checked_add(1.second()).ok()?;
            let jump = zone.preceding(after).next()?;
            Some(jump.timestamp())
        }
    }
}
