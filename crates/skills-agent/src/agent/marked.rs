//! Finds and ends the processes that carry the mark of a run in their environment.

/// The variable that marks every process of a run.
pub(crate) const MARK: &str = "SKILLS_RUN";

/// Kills every process whose environment has the mark of a run. A process that left its group still has the
/// environment.
#[cfg(target_os = "linux")]
pub(crate) fn end_marked(mark: &str) {
    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
    let line = format!("{MARK}={mark}");
    // Several rounds: a process can start another process between the search and its kill.
    for _ in 0..10 {
        let mut found = false;
        // Without `/proc`, and for a process of another user, nothing can be found.
        for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
            let pid = entry.file_name().to_str().and_then(|it| it.parse().ok());
            let Some(pid) = pid.and_then(Pid::from_raw) else {
                continue;
            };
            // The descriptor always means this process, and its number can be reused at any time.
            let Ok(process) = pidfd_open(pid, PidfdFlags::empty()) else {
                continue;
            };
            let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
            let mut variables = environment.split(|byte| *byte == 0);
            if variables.any(|variable| variable == line.as_bytes()) {
                found = true;
                let _ = pidfd_send_signal(&process, Signal::KILL);
            }
        }
        if !found {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn end_marked(_: &str) {}
