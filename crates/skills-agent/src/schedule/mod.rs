//! Scheduled skills, and the daemon that runs them.
//!
//! Scheduled skills are in a folder of their own, apart from other skills: `scheduler/NAME/SKILL.md`. The name is a
//! short name, `-` and eight hex digits. `schedules.json` beside the folder holds the times.
//!
//! [`Schedule::due`] returns what is due at a moment, as data. [`Scheduler::begin`] records a run before it begins,
//! so that no run is made twice, and [`Scheduler::finish`] records its end. [`Daemon`] does both with a [`Runner`],
//! such as [`CommandRunner`].

mod command;
mod daemon;
mod due;
mod entry;
mod names;
mod record;
mod run;
mod scheduler;
mod skill;
mod store;
mod time;

pub use command::{CommandRunner, REFUSED};
pub use daemon::{Daemon, DaemonEvent, DaemonWatcher};
pub use due::{Due, MOST_COUNTED};
pub use entry::{DEFAULT_LIMIT, Schedule, ZonedTiming, parse_limit, shown_limit};
pub use names::short_name;
pub use record::{Ended, KEPT, Last, MOST_OUTPUT, Outcome, RunLog, RunRecord, Running};
pub use run::{Job, Run, Runner};
pub use scheduler::{Listing, ScheduleWords, Scheduler};
pub use skill::SOURCE;
pub use store::{SCHEDULES, ScheduleFile, Schedules};
pub use time::{CronText, TimeWords, Timing, Zone};
