//! The times of a schedule: those of a cron expression, or one time.

use crate::schedule::cron::{CronText, moment};
use crate::schedule::phrase;
use crate::schedule::zone::Zone;
use jiff::{Span, Timestamp};
use skills_store::{Error, ErrorKind};

/// The help about the times of a schedule.
pub(crate) const WHEN: &str = "say when it runs: --every 'weekday at 9', --at 'tomorrow 9am', --in '2 hours' or --cron '0 9 * * 1-5'";

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
    /// Repeated times in words: `weekday at 9`, `monday 9am`, `09:00`, `30 minutes`.
    Every(&'w str),
    /// A time in words, `tomorrow 9am` or `09:00`, or a date with a time, `2026-01-02T09:00`. It is in the schedule's
    /// zone unless it names an offset.
    At(&'w str),
    /// A duration from now: `2 hours`, `5m`, `1h 30m`, `2d`.
    In(&'w str),
}

impl Timing {
    /// Parses the user's words. A duration counts from `now`, and a time must be after `now`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`]: the words are invalid, or the time is not in the future.
    pub fn parse(words: TimeWords<'_>, zone: &Zone, now: Timestamp) -> Result<Self, Error> {
        let once = match words {
            TimeWords::Cron(text) => return CronText::parse(text).map(Self::Cron),
            TimeWords::Every(text) => return phrase::every(text).map(Self::Cron),
            TimeWords::At(text) => phrase::at(text, zone, now)?,
            TimeWords::In(text) => from_now(text, zone, now)?,
        };
        if once <= now {
            let message = format!("{} is past", zone.shown(once));
            let help = format!(
                "write a later time than {}, in {}",
                zone.shown(now),
                zone.name()
            );
            return Err(Error::new(ErrorKind::Usage, message).help(help));
        }
        Ok(Self::Once(once))
    }

    /// Finds the first time after `after`.
    pub fn next(&self, after: Timestamp, zone: &Zone) -> Option<Timestamp> {
        match self {
            Self::Cron(cron) => cron.next(after, zone),
            Self::Once(once) => (*once > after).then_some(*once),
        }
    }

    /// Keeps the wall-clock time in another zone.
    #[must_use]
    pub(crate) fn moved(&self, from: &Zone, to: &Zone) -> Self {
        match self {
            Self::Cron(cron) => Self::Cron(cron.clone()),
            Self::Once(once) => {
                let civil = once.to_zoned(from.zone().clone()).datetime();
                Self::Once(moment(civil, to.zone()).unwrap_or(*once))
            }
        }
    }
}

fn from_now(text: &str, zone: &Zone, now: Timestamp) -> Result<Timestamp, Error> {
    let span = text.parse::<Span>().ok();
    let then = span
        .and_then(|span| now.to_zoned(zone.zone().clone()).checked_add(span).ok())
        .map(|then| then.timestamp())
        .ok_or_else(|| {
            let message = format!("--in '{}' is not a length of time", text.escape_debug());
            Error::new(ErrorKind::Usage, message).help(phrase::IN)
        })?;
    if then <= now {
        let message = format!("--in '{}' is not in the future", text.escape_debug());
        return Err(Error::new(ErrorKind::Usage, message).help(phrase::IN));
    }
    Ok(then)
}
