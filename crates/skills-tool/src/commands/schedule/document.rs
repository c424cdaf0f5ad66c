//! A schedule and a run as JSON documents.

use serde::Serialize;
use skills_host::schedule::{
    Last, Limit, Missed, RunRecord, Running, Schedule, ScheduleName, Timing,
};

/// A schedule in a document.
#[derive(Serialize)]
pub(crate) struct ScheduleJson {
    name: ScheduleName,
    /// The times in words; null when they are unknown.
    when: Option<String>,
    /// The cron text; null for a schedule that runs once.
    cron: Option<String>,
    /// The time of the only run; null for a cron text.
    at: Option<String>,
    timezone: Option<String>,
    missed: Missed,
    limit: String,
    /// Null when the schedule does not run again.
    next: Option<String>,
    running: Option<Running>,
    last: Option<Last>,
    /// True if the schedule ran once, successfully.
    ended: bool,
    /// The reason why the times are unknown; null when the times are known.
    fault: Option<String>,
}

/// A run in a document.
#[derive(Serialize)]
pub(crate) struct RunJson<'r> {
    #[serde(flatten)]
    pub(crate) record: &'r RunRecord,
    /// True when the output was longer than the kept part.
    pub(crate) cut: bool,
}

impl ScheduleJson {
    pub(crate) fn of(schedule: &Schedule, now: jiff::Timestamp) -> Self {
        let plan = schedule.plan.as_ref();
        let (cron, at) = match plan.map(|plan| &plan.timing) {
            Ok(Timing::Cron(cron)) => (Some(cron.as_str().to_owned()), None),
            Ok(Timing::Once(once)) => (None, Some(once.to_string())),
            Err(_) => (None, None),
        };
        Self {
            name: schedule.name.clone(),
            when: plan.ok().map(|plan| plan.timing.words(&plan.zone)),
            cron,
            at,
            timezone: plan.ok().map(|plan| plan.zone.name().to_owned()),
            missed: schedule.missed,
            limit: schedule.limit.to_string(),
            next: schedule.next(now).map(|next| next.to_string()),
            running: schedule.running.clone(),
            last: schedule.last.clone(),
            ended: schedule.is_ended(),
            fault: plan.err().cloned(),
        }
    }
}

impl<'r> RunJson<'r> {
    pub(crate) fn of(record: &'r RunRecord) -> Self {
        let cut = is_cut(record);
        Self { record, cut }
    }
}

/// Returns whether the output of a run was longer than the kept part.
pub(crate) fn is_cut(record: &RunRecord) -> bool {
    record.output_bytes > skills_host::schedule::MOST_OUTPUT as u64
}

/// Returns the words of a policy for missed times.
pub(crate) fn missed_word(missed: Missed) -> &'static str {
    match missed {
        Missed::RunOnce => "run once",
        Missed::Skip => "skip",
    }
}

/// Parses the value of `--limit`.
pub(crate) fn limit(text: &str) -> Result<Limit, String> {
    Limit::parse(text).map_err(|error| error.report().to_string())
}
