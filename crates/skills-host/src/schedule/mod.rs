//! Scheduled skills, and the daemon that runs them.
//!
//! Scheduled skills are in a folder of their own, apart from other skills: `scheduler/NAME/SKILL.md`. The name is a
//! short name, `-` and eight hex digits. `schedules.json` beside the folder holds the times.
//!
//! [`Schedule::due`] returns what is due at a moment, as data. [`Scheduler::begin`] records a run before it begins,
//! so that no run is made twice, and [`Scheduler::finish`] records its end. [`Daemon`] does both with a [`Runner`],
//! such as [`CommandRunner`].

mod carry;
mod change;
mod command;
#[cfg(feature = "install")]
mod commit;
mod cron;
mod crontab;
mod daemon;
mod daemon_event;
mod due;
mod due_time;
mod entry;
mod fields;
mod hour;
mod names;
mod phrase;
mod printed;
mod reading;
mod record;
mod run;
mod runner;
mod scheduler;
mod skill;
mod store;
mod timing;
mod unfinished;
mod unit;
mod zone;

pub use carry::{Removed, Trigger};
pub use change::ScheduleChange;
pub use command::{CommandRunner, REFUSED};
#[cfg(feature = "install")]
pub use commit::Commit;
pub use cron::CronText;
pub use crontab::{crontab_has, crontab_with, read_crontab, write_crontab};
pub use daemon::Daemon;
pub use daemon_event::{DaemonEvent, DaemonWatcher};
pub use due::{ON_TIME, SMALL_STEP_BACK};
pub use due_time::{Due, DueAction, MOST_COUNTED};
pub use entry::{Last, Limit, Missed, Running, Schedule, ZonedTiming};
pub use names::{ScheduleName, short_name};
pub use record::{KEPT, KEPT_GONE, MOST_OUTPUT, Outcome, RunId, RunLog, RunRecord};
pub use run::Run;
pub use runner::{Ended, Job, Runner, Stop, StopLevel};
pub use scheduler::{Draft, Listing, NewSchedule, Scheduler};
pub use skill::{SOURCE, TaskWords};
pub use store::{ScheduleFile, Schedules};
pub use timing::{TimeWords, Timing};
pub use unit::{Unit, UnitFile, UnitKind};
pub use zone::Zone;
