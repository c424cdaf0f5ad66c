//! The tests of what the package offers, in one program: linking a program takes a second or more.

#[cfg(feature = "schedule")]
mod calendar;
mod files;
mod history;
#[cfg(feature = "schedule")]
mod history_schedule;
mod hostile;
#[cfg(all(unix, feature = "improve"))]
mod improve;
mod life;
#[cfg(feature = "schedule")]
mod schedule_clock;
mod sources;
mod world;
