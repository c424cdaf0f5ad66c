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

/// A new folder: in memory, where that is. A disk would spend the time on `fsync`.
fn folder() -> tempfile::TempDir {
    let folder = match memory() {
        Some(memory) => tempfile::tempdir_in(memory),
        None => tempfile::tempdir(),
    };
    folder.expect("a temporary folder")
}

/// The folder whose files are in memory, if programs can be run in it and there is room.
#[cfg(target_os = "linux")]
fn memory() -> Option<&'static str> {
    const SHARED: &str = "/dev/shm";
    let system = rustix::fs::statvfs(SHARED).ok()?;
    let can_run = !system
        .f_flag
        .contains(rustix::fs::StatVfsMountFlags::NOEXEC);
    let has_room = system.f_bavail.saturating_mul(system.f_frsize) > 1 << 30;
    (can_run && has_room).then_some(SHARED)
}

#[cfg(not(target_os = "linux"))]
fn memory() -> Option<&'static str> {
    None
}
