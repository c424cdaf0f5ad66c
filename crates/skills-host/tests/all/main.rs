//! The tests of what the package offers, in one program: linking a program takes a second or more.

#[cfg(feature = "schedule")]
mod calendar;
mod history;
#[cfg(feature = "schedule")]
mod history_schedule;
mod hostile;
#[cfg(all(unix, feature = "improve"))]
mod hostile_history;
mod hostile_lock;
#[cfg(all(unix, feature = "improve"))]
mod improve;
mod life;
mod litter;
mod many;
mod memory;
#[cfg(unix)]
mod plan_id;
#[cfg(feature = "schedule")]
mod schedule_clock;
mod sources;
mod world;

/// A new folder: in memory, where that is. A disk would spend the time on `fsync`.
fn folder() -> tempfile::TempDir {
    let folder = match memory::memory() {
        Some(memory) => tempfile::tempdir_in(memory),
        None => tempfile::tempdir(),
    };
    folder.expect("a temporary folder")
}
