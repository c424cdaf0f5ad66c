//! One schedule, and its form in `schedules.json`.

use crate::schedule::cron::CronText;
use crate::schedule::record::{Outcome, RunId, RunRecord};
use crate::schedule::timing::Timing;
use crate::schedule::zone::Zone;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use skills_store::{Error, ErrorKind};
use std::time::Duration;

/// A schedule: which skill runs when.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Schedule {
    /// The name of the skill: the short name, `-`, and eight characters.
    pub name: String,
    /// When it runs. An error says why this program cannot know: another program, or a person, wrote it.
    pub plan: Result<Plan, String>,
    /// What is done about times that no run was made for.
    pub missed: Missed,
    /// How long a run may take.
    pub limit: Limit,
    /// When it was made.
    pub added: Timestamp,
    /// The last time that is dealt with: later times are not.
    pub handled: Timestamp,
    /// The run that was begun and has no record yet.
    pub running: Option<Running>,
    /// How its last run ended.
    pub last: Option<Last>,
    stored: StoredSchedule,
}

/// When a schedule runs, and in which zone.
#[derive(Clone, Debug)]
pub struct Plan {
    /// When it runs.
    pub timing: Timing,
    /// The zone of its times.
    pub zone: Zone,
}

/// What is done about times that no run was made for, because no daemon ran or the run before took too long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Missed {
    /// The schedule runs once, whatever the number of times is.
    #[default]
    RunOnce,
    /// They are recorded as missed.
    Skip,
}

/// A run that was begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Running {
    /// The id of its record.
    pub id: RunId,
    /// The time that it was due; `None` for a run by hand.
    pub due: Option<Timestamp>,
    /// When it began.
    pub start: Timestamp,
}

/// How the last run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Last {
    /// When it ended.
    pub end: Timestamp,
    /// How it ended.
    pub outcome: Outcome,
}

/// How long a run may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit(Duration);

/// A schedule as it is written. Fields that this version does not know are kept.
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
    /// A schedule that begins now.
    pub(crate) fn new(
        name: &str,
        plan: Plan,
        missed: Missed,
        limit: Limit,
        now: Timestamp,
    ) -> Self {
        Self {
            name: name.to_owned(),
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

    /// The time of the next run after `now` and all times that are dealt with. `None`: it does not run again.
    pub fn next(&self, now: Timestamp) -> Option<Timestamp> {
        let plan = self.plan.as_ref().ok()?;
        plan.timing.next(now.max(self.handled), &plan.zone)
    }

    /// Whether a run of this id was begun and has no record yet.
    pub(crate) fn is_run(&self, id: &RunId) -> bool {
        self.running
            .as_ref()
            .is_some_and(|running| running.id == *id)
    }

    /// Whether it runs once.
    pub fn is_once(&self) -> bool {
        matches!(&self.plan, Ok(plan) if matches!(plan.timing, Timing::Once(_)))
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
            name: stored.name.clone(),
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
            name: self.name.clone(),
            missed: self.missed,
            limit: Some(self.limit.to_string()),
            added: self.added,
            handled: self.handled,
            running: self.running.clone(),
            last: self.last.clone(),
            ..self.stored.clone()
        };
        // What cannot be read stays as it is written.
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
    fn plan(&self) -> Result<Plan, String> {
        let zone = Zone::named(&self.timezone).map_err(|error| error.to_string())?;
        let timing = match (&self.cron, self.at) {
            (Some(cron), None) => {
                Timing::Cron(CronText::parse(cron).map_err(|error| error.to_string())?)
            }
            (None, Some(at)) => Timing::Once(at),
            _ => return Err("it has not one of `cron` and `at`".to_owned()),
        };
        Ok(Plan { timing, zone })
    }
}

impl Limit {
    /// Ten minutes.
    pub const DEFAULT: Self = Self(Duration::from_secs(600));

    /// Reads a length of time from one second to seven days: `10m`, `1h 30m`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Usage`]: the text is not a length of time, or it is too short or too long.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let refused = |what: &str| {
            let message = format!("the limit '{}' {what}", text.escape_debug());
            Error::new(ErrorKind::Usage, message).help("write it as 90s, 10m or 1h 30m")
        };
        let length = text.parse::<SignedDuration>().ok();
        let length = length.ok_or_else(|| refused("is not a length of time"))?;
        let length = Duration::try_from(length).map_err(|_| refused("is under a second"))?;
        if length < Duration::from_secs(1) {
            return Err(refused("is under a second"));
        }
        if length > Duration::from_secs(7 * 24 * 3600) {
            return Err(refused("is over seven days"));
        }
        Ok(Self(length))
    }

    /// The length of time.
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
