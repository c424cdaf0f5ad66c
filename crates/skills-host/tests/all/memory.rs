//! Where the folders of tests are.

/// The folder whose files are in memory, if programs can be run in it and there is room.
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
