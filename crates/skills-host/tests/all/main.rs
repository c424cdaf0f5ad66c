//! The tests of the public items, in one program, since linking a program takes a second or more.

#[cfg(feature = "schedule")]
mod calendar;
mod conflicts;
#[cfg(unix)]
mod deps;
mod history;
#[cfg(feature = "schedule")]
mod hostile;
#[cfg(all(unix, feature = "improve"))]
mod hostile_history;
mod hostile_lock;
#[cfg(all(unix, feature = "improve"))]
mod improve;
mod life;
mod litter;
mod many;
mod meanwhile;
mod memory;
mod offers;
#[cfg(feature = "schedule")]
mod schedule_clock;
#[cfg(unix)]
mod servers;
mod sources;
mod world;

/// Makes a folder in memory if possible. On a disk most of the time would be spent on `fsync`.
fn folder() -> tempfile::TempDir {
    let folder = match memory::memory() {
        Some(memory) => tempfile::tempdir_in(memory),
        None => tempfile::tempdir(),
    };
    folder.expect("a temporary folder")
}
