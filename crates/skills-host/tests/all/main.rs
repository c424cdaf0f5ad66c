//! The tests of the public items, in one program, since linking a program takes a second or more.

mod conflicts;
#[cfg(unix)]
mod deps;
mod history;
mod hostile;
mod hostile_lock;
mod life;
mod litter;
mod many;
mod meanwhile;
mod memory;
mod offers;
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
