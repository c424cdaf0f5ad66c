//! Processes that carry the mark of a run in their environment.

/// The variable that marks every process of a run.
pub(crate) const MARK: &str = "SKILLS_RUN";

/// Ends every process whose environment has the mark of a run. A process that left its group keeps its
/// environment.
#[cfg(target_os = "linux")]
pub(crate) fn end_marked(mark: &str) {
    use rustix::process::{Pid, Signal, kill_process};
    let line = format!("{MARK}={mark}");
    // A process can start another one while it is looked for.
    for _ in 0..10 {
        let mut found = false;
        for process in processes().into_iter().flatten() {
            let environment = std::fs::read(process.join("environ")).unwrap_or_default();
            let is_marked = environment
                .split(|byte| *byte == 0)
                .any(|variable| variable == line.as_bytes());
            let name = process.file_name().and_then(|name| name.to_str());
            let pid = name.and_then(|name| Pid::from_raw(name.parse().ok()?));
            if let (true, Some(pid)) = (is_marked, pid) {
                found = true;
                let _ = kill_process(pid, Signal::KILL);
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

/// The folders of all processes.
#[cfg(target_os = "linux")]
fn processes() -> Option<impl Iterator<Item = std::path::PathBuf>> {
    let all = std::fs::read_dir("/proc").ok()?;
    let all = all.filter_map(|entry| Some(entry.ok()?.path()));
    Some(all.filter(|path| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
    }))
}
