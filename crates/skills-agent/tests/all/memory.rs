//! The place for the folders of tests.

/// Returns the folder in memory, if programs can run in it and it has enough room.
#[cfg(target_os = "linux")]
pub(crate) fn memory() -> Option<&'static str> {
    const SHARED: &str = "/dev/shm";
    let system = rustix::fs::statvfs(SHARED).ok()?;
    let can_run = !system
        .f_flag
        .contains(rustix::fs::StatVfsMountFlags::NOEXEC);
    let has_room = system.f_bavail.saturating_mul(system.f_frsize) > 1 << 30;
    (can_run && has_room).then_some(SHARED)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn memory() -> Option<&'static str> {
    None
}
