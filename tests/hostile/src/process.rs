//! Runs of the program, with their output, processor time and memory.

use crate::attack::Outcome;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use std::io::{Read, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Maximum processor time of a run: a run that reaches it hangs.
const MOST_COMPUTING: Duration = Duration::from_secs(20);
/// Maximum time without processor time: a run that waits for something reaches it, a run on a busy machine does not.
const MOST_WAITING: Duration = Duration::from_secs(30);
/// Clock ticks per second in `/proc`.
const TICKS: u64 = 100;

/// A run that ended.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The exit code; `None` if a signal ended the run.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// The processor time.
    pub(crate) computing: Duration,
    /// The maximum resident memory in bytes.
    pub(crate) peak: u64,
}

impl Ran {
    /// Runs a command to its end without standard input. A run that hangs is an error.
    pub(crate) fn of(command: &mut Command) -> Outcome<Self> {
        Self::with_input(command, "")
    }

    /// Runs a command to its end. A run that hangs is an error.
    pub(crate) fn with_input(command: &mut Command, input: &str) -> Outcome<Self> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let stdin = child.stdin.take();
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        std::thread::scope(|scope| {
            // A program that does not read its input closes the pipe.
            scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(input.as_bytes())));
            let stdout = scope.spawn(move || read(stdout));
            let stderr = scope.spawn(move || read(stderr));
            let used = wait(&mut child);
            let status = child.wait()?;
            let (computing, peak) = used?;
            Ok(Self {
                code: status.code(),
                stdout: stdout.join().unwrap_or_default(),
                stderr: stderr.join().unwrap_or_default(),
                computing,
                peak,
            })
        })
    }

    /// Checks that the run ended with an exit code.
    pub(crate) fn expect(&self, code: i32) -> Outcome {
        self.expect_any(&[code])
    }

    /// Checks that the run ended with one of several exit codes.
    pub(crate) fn expect_any(&self, codes: &[i32]) -> Outcome {
        let is_expected = self.code.is_some_and(|code| codes.contains(&code));
        ensure!(
            is_expected && !self.stderr.contains("panicked"),
            "expected exit code {codes:?}: {}",
            self.shown()
        );
        Ok(())
    }

    /// Checks that neither a signal nor a panic ended the run.
    pub(crate) fn expect_any_code(&self) -> Outcome {
        self.expect_any(&[0, 1, 2])
    }

    /// Returns standard output and standard error.
    pub(crate) fn printed(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }

    /// Returns the exit code, and the first characters of the output.
    pub(crate) fn shown(&self) -> String {
        let printed: String = self.printed().chars().take(400).collect();
        match self.code {
            Some(code) => format!("exit code {code}: {printed}"),
            None => format!("ended by a signal: {printed}"),
        }
    }
}

fn read(stream: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        // After an error, the bytes read so far count.
        let _ = stream.read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Waits for the end. Returns the processor time and the maximum resident memory.
fn wait(child: &mut Child) -> Outcome<(Duration, u64)> {
    let id = i32::try_from(child.id())?;
    let pid = Pid::from_raw(id).ok_or("process 0")?;
    let mut last = (Duration::ZERO, Instant::now());
    let mut peak = 0;
    loop {
        // The process stays in `/proc` until it is reaped.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let is_over = waitid(WaitId::Pid(pid), options)?.is_some();
        let computing = computing(id)?;
        if is_over {
            return Ok((computing, peak));
        }
        peak = peak.max(resident(id));
        if computing > last.0 {
            last = (computing, Instant::now());
        }
        let waiting = last.1.elapsed();
        if computing > MOST_COMPUTING || waiting > MOST_WAITING {
            child.kill()?;
            let waiting = waiting.as_secs();
            return Err(format!(
                "the program hangs: {computing:?} of computing, then {waiting} s of waiting"
            )
            .into());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn computing(id: i32) -> Outcome<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat"))?;
    // The name of the program is in parentheses, and may contain spaces.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let fields = fields.split_whitespace().skip(11).take(2);
    let ticks: u64 = fields.map(|field| field.parse().unwrap_or(0)).sum();
    Ok(Duration::from_millis(ticks * 1000 / TICKS))
}

/// Returns the maximum resident memory so far; 0 for a process that has ended.
fn resident(id: i32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let mut lines = status.lines();
    let line = lines.find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
