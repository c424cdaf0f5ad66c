//! A change of a schedule.

use crate::schedule::entry::{Limit, Missed, Schedule, ZonedTiming};
use crate::schedule::names::ScheduleName;
use crate::schedule::timing::{TimeWords, Timing, WHEN};
use crate::schedule::zone::Zone;
use jiff::Timestamp;
use skills_store::{Error, ErrorKind};

/// The change that [`Scheduler::set`](crate::schedule::Scheduler::set) makes. A field with `None` stays.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScheduleChange<'c> {
    /// The times of the runs.
    pub time: Option<TimeWords<'c>>,
    /// The zone of the times. Without `time`, the wall-clock times stay, and the moments change.
    pub zone: Option<&'c Zone>,
    /// The treatment of missed times.
    pub missed: Option<Missed>,
    /// Maximum time of a run.
    pub limit: Option<Limit>,
    /// The zone for a skill that has no schedule yet.
    pub default_zone: Option<&'c Zone>,
}

impl ScheduleChange<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        self.time.is_none() && self.zone.is_none() && self.missed.is_none() && self.limit.is_none()
    }

    pub(crate) fn apply(&self, schedule: &Schedule, now: Timestamp) -> Result<Schedule, Error> {
        let mut changed = schedule.clone();
        changed.missed = self.missed.unwrap_or(schedule.missed);
        changed.limit = self.limit.unwrap_or(schedule.limit);
        if self.time.is_none() && self.zone.is_none() {
            return Ok(changed);
        }
        let old = schedule.plan.as_ref();
        let zone = self.zone.or(old.ok().map(|plan| &plan.zone));
        let Some(zone) = zone else {
            return Err(Error::new(ErrorKind::Usage, "its time zone is not known")
                .help("say which: --timezone Europe/Berlin"));
        };
        let timing = match (self.time, old) {
            (Some(words), _) => Timing::parse(words, zone, now)?,
            (None, Ok(plan)) => plan.timing.moved(&plan.zone, zone),
            (None, Err(why)) => {
                return Err(Error::new(ErrorKind::Usage, why)
                    .help("say when: --every, --cron, --at or --in"));
            }
        };
        let zone = zone.clone();
        changed.plan = Ok(ZonedTiming { timing, zone });
        changed.handled = now;
        Ok(changed)
    }

    /// Creates the schedule of a skill that has none.
    pub(crate) fn first(&self, name: &ScheduleName, now: Timestamp) -> Result<Schedule, Error> {
        let time = self.time.ok_or_else(|| {
            let message = format!("{name} has no schedule, and no time is given");
            Error::new(ErrorKind::Usage, message).help(WHEN)
        })?;
        let zone = self.zone.or(self.default_zone).ok_or_else(|| {
            Error::new(ErrorKind::Usage, "no time zone is given")
                .help("say which: --timezone Europe/Berlin")
        })?;
        let timing = Timing::parse(time, zone, now)?;
        let zone = zone.clone();
        let plan = ZonedTiming { timing, zone };
        let missed = self.missed.unwrap_or_default();
        let limit = self.limit.unwrap_or(Limit::DEFAULT);
        Ok(Schedule::new(name.clone(), plan, missed, limit, now))
    }
}
