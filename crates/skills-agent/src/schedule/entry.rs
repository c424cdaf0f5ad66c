//! A schedule, and its form in `schedules.json`.

use crate::schedule::names::ScheduleName;
use crate::schedule::record::{Outcome, RunId, RunRecord};
use crate::schedule::time::{CronText, Timing, Zone};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use skills_store::{Error, ErrorKind};
use std::time::Duration;

/// A schedule: a skill with its times.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Schedule {
    /// The name of the skill: the short name, `-`, and eight hex digits.
    pub name: ScheduleName,
    /// The times of the runs, or the reason why this program cannot read them.
    pub plan: Result<ZonedTiming, String>,
    /// The treatment of times without a run.
    pub missed: Missed,
    /// Maximum time of a run.
    pub limit: Limit,
    /// The creation time.
    pub added: Timestamp,
    /// The last handled time. Later times are not handled yet.
    pub handled: Timestamp,
    /// The run that has begun and has no record yet.
    pub running: Option<Running>,
    /// The end of the last run.
    pub last: Option<Last>,
    stored: StoredSchedule,
}

/// The times of a schedule, with their zone.
#[derive(Clone, Debug)]
pub struct ZonedTiming {
    /// The times.
    pub timing: Timing,
    /// The zone of the times.
    pub zone: Zone,
}

/// The treatment of times without a run, because no daemon ran or the run before took too long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Missed {
    /// Run once, whatever the number of missed times.
    #[default]
    RunOnce,
    /// Record the times as missed.
    Skip,
}

/// A run that has begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Running {
    /// The id of the run's record.
    pub id: RunId,
    /// The due time; `None` for a manual run.
    pub due: Option<Timestamp>,
    /// The start of the run.
    pub start: Timestamp,
}

/// The end of the last run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Last {
    /// The time of the end.
    pub end: Timestamp,
    /// The outcome.
    pub outcome: Outcome,
}

/// Maximum time of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit(Duration);

/// A schedule as it is written. Unknown fields are kept.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct StoredSchedule {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cron: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at: Option<Timestamp>,
    timezone: String,
    #[serde(default)]
    missed: Missed,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    limit: Option<String>,
    added: Timestamp,
    handled: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    running: Option<Running>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last: Option<Last>,
    #[serde(flatten)]
    other: Map<String, Value>,
}

impl Schedule {
    /// Creates a schedule that starts now.
    pub(crate) fn new(
        name: ScheduleName,
        plan: ZonedTiming,
        missed: Missed,
        limit: Limit,
        now: Timestamp,
    ) -> Self {
        Self {
            name,
            plan: Ok(plan),
            missed,
            limit,
            added: now,
            handled: now,
            running: None,
            last: None,
            stored: StoredSchedule::default(),
        }
    }

    /// Returns the next time after `now` and after all handled times; `None` if the schedule does not run again.
    pub fn next(&self, now: Timestamp) -> Option<Timestamp> {
        let plan = self.plan.as_ref().ok()?;
        plan.timing.next(now.max(self.handled), &plan.zone)
    }

    /// Returns whether the run with this id has begun and has no record yet.
    pub(crate) fn is_run(&self, id: &RunId) -> bool {
        self.running
            .as_ref()
            .is_some_and(|running| running.id == *id)
    }

    /// Returns whether the schedule runs only once.
    pub fn is_once(&self) -> bool {
        matches!(&self.plan, Ok(plan) if matches!(plan.timing, Timing::Once(_)))
    }

    /// Returns whether the schedule ran once, successfully, and does not run again.
    pub fn is_ended(&self) -> bool {
        let is_ok = self
            .last
            .as_ref()
            .is_some_and(|last| last.outcome == Outcome::Ok);
        let is_over =
            matches!(&self.plan, Ok(plan) if plan.timing.next(self.handled, &plan.zone).is_none());
        self.is_once() && self.running.is_none() && is_ok && is_over
    }

    pub(crate) fn parse(value: &Value) -> Result<Self, String> {
        let stored: StoredSchedule =
            serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
        let limit = match stored.limit.as_deref().map(Limit::parse) {
            None => Limit::DEFAULT,
            Some(Ok(limit)) => limit,
            Some(Err(error)) => return Err(error.to_string()),
        };
        Ok(Self {
            name: ScheduleName::try_from(stored.name.clone())?,
            plan: stored.plan(),
            missed: stored.missed,
            limit,
            added: stored.added,
            handled: stored.handled,
            running: stored.running.clone(),
            last: stored.last.clone(),
            stored,
        })
    }

    pub(crate) fn to_json(&self) -> Result<Value, Error> {
        let mut stored = StoredSchedule {
            name: self.name.to_string(),
            missed: self.missed,
            limit: Some(self.limit.to_string()),
            added: self.added,
            handled: self.handled,
            running: self.running.clone(),
            last: self.last.clone(),
            ..self.stored.clone()
        };
        // An unreadable plan stays as it was written.
        if let Ok(plan) = &self.plan {
            plan.zone.name().clone_into(&mut stored.timezone);
            (stored.cron, stored.at) = match &plan.timing {
                Timing::Cron(cron) => (Some(cron.as_str().to_owned()), None),
                Timing::Once(once) => (None, Some(*once)),
            };
        }
        serde_json::to_value(stored)
            .map_err(|error| Error::new(ErrorKind::Damaged, format!("{}: {error}", self.name)))
    }
}

impl Last {
    pub(crate) fn of(record: &RunRecord) -> Self {
        Self {
            end: record.end,
            outcome: record.outcome,
        }
    }
}

impl Default for Limit {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl StoredSchedule {
    fn plan(&self) -> Result<ZonedTiming, String> {
        let zone = Zone::named(&self.timezone).map_err(|error| error.to_string())?;
        let timing = match (&self.cron, self.at) {
            (Some(cron), None) => {
                Timing::Cron(CronText::parse(cron).map_err(|error| error.to_string())?)
            }
            (None, Some(at)) => Timing::Once(at),
            _ => return Err("it has not one of `cron` and `at`".to_owned()),
        };
        Ok(ZonedTiming { timing, zone })
    }
}

impl Limit {
    /// The default: ten minutes.
    pub const DEFAULT: Self = Self(Duration::from_secs(600));

    /// Parses a duration from one second to seven days: `10m`, `1h 30m`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`]: the text is not a duration, or the duration is too short or too long.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let refused = |what: &str| {
            let message = format!("the limit '{}' {what}", text.escape_debug());
            Error::new(ErrorKind::Usage, message).help("write it as 90s, 10m or 1h 30m")
        };
        let length = text
            .parse::<SignedDuration>()
            .ok()
            .ok_or_else(|| refused("is not a duration"))?;
        let length = Duration::try_from(length).map_err(|_| refused("is under a second"))?;
        if length < Duration::from_secs(1) {
            return Err(refused("is under a second"));
        }
        if length > Duration::from_secs(7 * 24 * 3600) {
            return Err(refused("is over seven days"));
        }
        Ok(Self(length))
    }

    /// Returns the duration.
    pub fn duration(self) -> Duration {
        self.0
    }
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let length = SignedDuration::try_from(self.0).map_err(|_| std::fmt::Error)?;
        write!(f, "{length:#}")
    }
}
