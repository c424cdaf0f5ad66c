//! A schedule, as `schedules.json` has it.

use crate::schedule::names::read_name;
use crate::schedule::record::{Last, Outcome, Running};
use crate::schedule::time::{CronText, Timing, Zone};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use skills_store::{Error, ErrorKind};
use std::time::Duration;

/// A schedule: a skill with its times. Unknown fields of the file are kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Schedule {
    /// The name of the skill: the short name, `-`, and eight hex digits.
    #[serde(deserialize_with = "read_name")]
    pub name: String,
    /// The cron text; `None` for a schedule that runs once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cron: Option<String>,
    /// The time of the only run; `None` for a cron text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// The name of the time zone.
    pub timezone: String,
    /// Maximum time of a run.
    #[serde(default = "default_limit", with = "limit")]
    pub limit: Duration,
    /// The creation time.
    pub added: Timestamp,
    /// The last handled time. Later times are not handled yet.
    pub handled: Timestamp,
    /// The run that has begun and has no record yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub running: Option<Running>,
    /// The end of the last run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<Last>,
    #[serde(flatten)]
    other: Map<String, Value>,
}

/// The times of a schedule, with their zone.
#[derive(Clone, Debug)]
pub struct ZonedTiming {
    /// The times.
    pub timing: Timing,
    /// The zone of the times.
    pub zone: Zone,
}

impl Schedule {
    /// Creates a schedule that starts now.
    pub(crate) fn new(name: String, plan: &ZonedTiming, now: Timestamp) -> Self {
        let mut schedule = Self {
            name,
            cron: None,
            at: None,
            timezone: String::new(),
            limit: DEFAULT_LIMIT,
            added: now,
            handled: now,
            running: None,
            last: None,
            other: Map::new(),
        };
        schedule.set(plan, now);
        schedule
    }

    /// Sets the times. Those before now count as handled.
    pub(crate) fn set(&mut self, plan: &ZonedTiming, now: Timestamp) {
        plan.zone.name().clone_into(&mut self.timezone);
        (self.cron, self.at) = match &plan.timing {
            Timing::Cron(cron) => (Some(cron.as_str().to_owned()), None),
            Timing::Once(once) => (None, Some(*once)),
        };
        self.handled = now;
    }

    /// Reads the times of the runs.
    ///
    /// # Errors
    ///
    /// This program cannot read them.
    pub fn plan(&self) -> Result<ZonedTiming, Error> {
        let zone = Zone::named(&self.timezone)?;
        let timing = match (&self.cron, self.at) {
            (Some(cron), None) => Timing::Cron(CronText::parse(cron)?.matching()?),
            (None, Some(at)) => Timing::Once(at),
            _ => {
                let why = "it has not one of `cron` and `at`";
                return Err(Error::new(ErrorKind::Damaged, why));
            }
        };
        Ok(ZonedTiming { timing, zone })
    }

    /// Returns the next time after `now` and after all handled times; `None` if the schedule does not run again.
    pub fn next(&self, now: Timestamp) -> Option<Timestamp> {
        let plan = self.plan().ok()?;
        plan.timing.next(now.max(self.handled), &plan.zone)
    }

    /// Returns whether the schedule ran once, successfully, and does not run again.
    pub fn is_ended(&self) -> bool {
        let last = self.last.as_ref();
        let is_ok = last.is_some_and(|last| last.outcome == Outcome::Ok);
        let is_over = self.at.is_some_and(|at| at <= self.handled);
        is_ok && is_over && self.running.is_none()
    }
}

/// The default limit of a run.
pub const DEFAULT_LIMIT: Duration = Duration::from_secs(600);

fn default_limit() -> Duration {
    DEFAULT_LIMIT
}

/// Parses the limit of a run, from one second to seven days: `10m`, `1h 30m`.
///
/// # Errors
///
/// [`ErrorKind::Usage`]: the text is not such a duration.
pub fn parse_limit(text: &str) -> Result<Duration, Error> {
    let length = text.parse::<SignedDuration>().ok();
    let length = length.and_then(|length| Duration::try_from(length).ok());
    let week = Duration::from_secs(7 * 24 * 3600);
    length
        .filter(|length| (Duration::from_secs(1)..=week).contains(length))
        .ok_or_else(|| {
            let text = text.escape_debug();
            let message = format!("the limit '{text}' is not a time from a second to a week");
            Error::new(ErrorKind::Usage, message).help("write it as 90s, 10m or 1h 30m")
        })
}

/// Returns how a limit is written: `1h 30m`.
pub fn shown_limit(limit: Duration) -> String {
    let (seconds, nanos) = (limit.as_secs(), limit.subsec_nanos());
    let limit = SignedDuration::new(seconds.cast_signed(), nanos.cast_signed());
    format!("{limit:#}")
}

mod limit {
    use super::{Duration, parse_limit, shown_limit};
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(limit: &Duration, json: S) -> Result<S::Ok, S::Error> {
        json.serialize_str(&shown_limit(*limit))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(json: D) -> Result<Duration, D::Error> {
        parse_limit(&String::deserialize(json)?).map_err(D::Error::custom)
    }
}
