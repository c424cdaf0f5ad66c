//! The tests of the public items, in one program.

mod calendar;
#[cfg(unix)]
mod hostile_history;
#[cfg(unix)]
mod improve;
mod memory;
mod schedule_clock;

/// Makes a folder in memory if possible. On a disk most of the time would be spent on `fsync`.
fn folder() -> tempfile::TempDir {
    let folder = match memory::memory() {
        Some(memory) => tempfile::tempdir_in(memory),
        None => tempfile::tempdir(),
    };
    folder.expect("a temporary folder")
}
