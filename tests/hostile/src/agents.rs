//! Agents that leave processes behind, outside of their group.

use crate::attack::{Outcome, skipped};
use crate::case::Case;
use crate::process::Ran;
use crate::strace;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use std::collections::BTreeSet;
use std::fs;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

attacks![
    a_limit_ends_what_left_the_group,
    a_limit_ends_what_keeps_printing,
    a_good_agent_leaves_nothing,
    what_a_good_agent_left_does_not_reach_its_limit,
    an_ending_answer_leaves_nothing,
    a_program_that_is_asked_to_end_leaves_nothing,
    an_agent_that_cannot_be_started_is_reported,
    a_run_that_cannot_be_recorded_is_shown,
    no_signal_goes_to_a_process_that_was_reaped,
];

/// A process outside of the group of its run, with its number in `pid`.
const LEFT: &str =
    "setsid sh -c 'echo $$ > pid.new; mv pid.new pid; exec sleep 1000' >/dev/null 2>&1 &
while ! test -e pid; do sleep 0.01; done\n";
/// A process like [`LEFT`] that never stops printing.
const PRINTS: &str = "setsid sh -c 'echo $$ > pid.new; mv pid.new pid; exec yes x' &
while ! test -e pid; do sleep 0.01; done\n";
/// Maximum number of polls, far more than are needed.
const LOOKS: usize = 6_000;

/// A run that reaches its limit leaves no process that has its environment.
fn a_limit_ends_what_left_the_group() -> Outcome {
    let run = Run::new(LEFT, "sleep 1000")?;
    let ran = run.by_hand()?;
    ran.expect(1)?;
    ensure!(ran.stdout.contains("timed-out"), "{}", ran.shown());
    run.is_left_by_nothing()
}

/// A process that prints for ever does not keep a run from ending at its limit.
fn a_limit_ends_what_keeps_printing() -> Outcome {
    let run = Run::new(PRINTS, "sleep 1000")?;
    let ran = run.by_hand()?;
    ran.expect(1)?;
    ensure!(ran.stdout.contains("timed-out"), "{}", ran.shown());
    run.is_left_by_nothing()
}

/// A successful agent has the outcome ok, and the processes that it left behind are ended.
fn a_good_agent_leaves_nothing() -> Outcome {
    for left in [LEFT, PRINTS] {
        let run = Run::with_limit(left, "echo done", "500s")?;
        run.by_hand()?.expect(0)?;
        run.is_left_by_nothing()?;
    }
    Ok(())
}

/// A run whose agent ended within its limit is not `timed-out`, even if a process that the agent left behind still
/// runs at the limit.
fn what_a_good_agent_left_does_not_reach_its_limit() -> Outcome {
    let good = Run::new(LEFT, "echo done")?;
    good.by_hand()?.expect(0)?;
    good.is_left_by_nothing()?;
    let refused = Run::new(LEFT, "exit 77")?;
    let ran = refused.by_hand()?;
    ensure!(ran.stdout.contains("refused"), "{}", ran.shown());
    // An agent that answers the request to end with exit code 0 has reached its limit.
    let late = Run::new(
        "",
        "trap 'exit 0' TERM; echo late; while :; do sleep 0.1; done",
    )?;
    let ran = late.by_hand()?;
    ensure!(ran.stdout.contains("timed-out"), "{}", ran.shown());
    Ok(())
}

/// An answer in `chat` leaves no process.
fn an_ending_answer_leaves_nothing() -> Outcome {
    let run = Run::new(PRINTS, "exit 0")?;
    let mut command = run.case.command()?;
    command.args(["chat", "--agent", "sh agent.sh"]);
    Ran::with_input(&mut command, "hello\n")?.expect(0)?;
    run.is_left_by_nothing()
}

/// A program ends on request while a process prints for ever.
fn a_program_that_is_asked_to_end_leaves_nothing() -> Outcome {
    for signal in [Signal::TERM, Signal::INT] {
        let run = Run::with_limit(PRINTS, "trap '' TERM; while :; do sleep 1; done", "500s")?;
        let mut child = run.begin()?;
        run.wait_for("pid")?;
        let pid = Pid::from_raw(i32::try_from(child.id())?).ok_or("no process")?;
        kill_process(pid, signal)?;
        let code = child.wait()?.code();
        ensure!(code == Some(1), "{signal:?}: {code:?}");
        run.is_left_by_nothing()?;
    }
    Ok(())
}

/// A wrong command is reported with its cause.
fn an_agent_that_cannot_be_started_is_reported() -> Outcome {
    let run = Run::new("", "")?;
    run.case.write("project/plain", "#!/bin/sh\n")?;
    for (agent, why) in [
        (
            "no-such-agent",
            "cannot start `no-such-agent`: No such file",
        ),
        ("./gone", "cannot start `./gone`: No such file"),
        ("./plain", "cannot start `./plain`: Permission denied"),
        ("/", "cannot start `/`: Permission denied"),
        ("./plain/x", "cannot start `./plain/x`: Not a directory"),
    ] {
        let ran = run
            .case
            .run(&["schedule", "run", "sweep", "--agent", agent])?;
        ran.expect(1)?;
        ensure!(ran.printed().contains(why), "{agent}: {}", ran.shown());
    }
    Ok(())
}

/// The output of an agent is shown, also if the record of the run cannot be written.
fn a_run_that_cannot_be_recorded_is_shown() -> Outcome {
    let runs = "$HOME/.local/share/skills/runs";
    let run = Run::new("", &format!("rm -r {runs}; echo > {runs}; echo the answer"))?;
    let ran = run.by_hand()?;
    ran.expect(2)?;
    ensure!(ran.stdout.contains("the answer"), "{}", ran.shown());
    Ok(())
}

/// After a process was reaped, its number can be that of another process or group: it is not signalled.
fn no_signal_goes_to_a_process_that_was_reaped() -> Outcome {
    if let Some(reason) = strace::missing() {
        return skipped(&reason);
    }
    for (then, limit) in [("echo done", "500s"), ("sleep 1000", "1s")] {
        let run = Run::with_limit("", then, limit)?;
        let words = ["schedule", "run", "sweep", "--agent", "sh agent.sh"];
        let calls = strace::calls(
            &run.case,
            &words,
            "wait4,waitid,kill,tgkill,pidfd_send_signal",
        )?;
        let mut reaped = BTreeSet::new();
        let mut signals = 0;
        for (call, result) in &calls {
            if let Some((_, target)) = call.split_once("kill(") {
                let target = target.split([',', ')']).next().unwrap_or_default();
                let target = target.trim_start_matches('-').to_owned();
                signals += 1;
                ensure!(!reaped.contains(&target), "{call}: it was reaped before");
            } else if call.contains("wait4") && !result.starts_with(['-', '0', '?']) {
                reaped.extend(result.split(' ').next().map(str::to_owned));
            }
        }
        ensure!(
            signals > 0 && !reaped.is_empty(),
            "{signals} signals, reaped {reaped:?}: {calls:?}"
        );
    }
    Ok(())
}

/// A schedule whose agent is a script.
struct Run {
    case: Case,
}

impl Run {
    fn new(left: &str, then: &str) -> Outcome<Self> {
        Self::with_limit(left, then, "1s")
    }

    fn with_limit(left: &str, then: &str, limit: &str) -> Outcome<Self> {
        let case = Case::new()?;
        case.write("project/agent.sh", format!("{left}{then}\n"))?;
        let time = ["--cron", "0 0 1 1 *", "--timezone", "UTC"];
        let add = ["schedule", "sweep", "--task", "Sweep.", "--limit", limit];
        case.run(&[add.as_slice(), &time].concat())?.expect(0)?;
        Ok(Self { case })
    }

    fn by_hand(&self) -> Outcome<Ran> {
        self.case
            .run(&["schedule", "run", "sweep", "--agent", "sh agent.sh"])
    }

    /// Starts a run without waiting for its end.
    fn begin(&self) -> Outcome<Child> {
        let mut command = self.case.command()?;
        command
            .args(["schedule", "run", "sweep", "--agent", "sh agent.sh"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Ok(command.spawn()?)
    }

    /// Waits for the number of a process in a file.
    fn wait_for(&self, file: &str) -> Outcome<Pid> {
        let path = self.case.path("project").join(file);
        for _ in 0..LOOKS {
            let text = fs::read_to_string(&path).unwrap_or_default();
            if let Some(pid) = text.trim().parse().ok().and_then(Pid::from_raw) {
                return Ok(pid);
            }
            thread::sleep(Duration::from_millis(10));
        }
        Err(format!("no {file} came").into())
    }

    fn is_left_by_nothing(&self) -> Outcome {
        self.has_ended("pid")
    }

    /// Checks that the process with the number in a file has ended, or ends soon.
    fn has_ended(&self, file: &str) -> Outcome {
        let pid = self.wait_for(file)?;
        for _ in 0..LOOKS / 20 {
            let state = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
            // The process that adopts it may be slow to reap it.
            let is_over = state.is_ok_and(|state| state.contains(") Z "));
            if is_over || test_kill_process(pid).is_err() {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(10));
        }
        // After a failed attack no process may stay either.
        let _ = kill_process(pid, Signal::KILL);
        Err(format!("process {} is left", pid.as_raw_nonzero()).into())
    }
}
