//! Finds and ends the processes that carry the mark of a run in their environment.

/// The variable that marks every process of a run.
pub(crate) const MARK: &str = "SKILLS_RUN";

/// Kills every process whose environment has the mark of a run. A process that left its group still has the
/// environment.
#[cfg(target_os = "linux")]
pub(crate) fn end_marked(mark: &str) {
    use crate::agent::processes::{Process, processes};
    let line = format!("{MARK}={mark}");
    // Several rounds: a process can start another process between the search and its kill.
    for _ in 0..10 {
        let mut found = false;
        // Without `/proc` no marked process can be found.
        for pid in processes().into_iter().flatten() {
            let Some(process) = Process::open(pid) else {
                continue;
            };
            // The environment of another user's process, or of a process that has ended, is unreadable.
            let Ok(environment) = process.file("environ") else {
                continue;
            };
            let is_marked = environment
                .split(|byte| *byte == 0)
                .any(|variable| variable == line.as_bytes());
            if is_marked {
                found = true;
                process.kill();
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
