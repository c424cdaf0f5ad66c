//! The supervisor: a process between a program and its agent, which adopts every process that the agent leaves
//! behind.
//!
//! A process that leaves its group and its environment (`setsid env -i`) is found by neither. Linux gives the
//! children of a process that ended to the nearest ancestor that asked for them, a *subreaper*. The program cannot
//! be the subreaper itself: it would get the children of everything that it starts, of several runs at once, and of
//! libraries that wait for children of their own.

use crate::agent::marked::MARK;
use crate::agent::processes::children;
use crate::agent::run::GRACE;
use crate::agent::{AgentEnd, failed};
use rustix::io::Errno;
use rustix::process::{
    DumpableBehavior, Pid, Signal, WaitId, WaitIdOptions, WaitOptions, getpid, getppid,
    kill_process, kill_process_group, set_child_subreaper, set_dumpable_behavior, waitid, waitpid,
};
use skills_store::{Error, ErrorKind};
use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

/// The interval in which a supervisor polls for a request to end.
const TICK: Duration = Duration::from_millis(50);
/// The interval in which ended processes that the agent left behind are reaped.
const REAPING: Duration = Duration::from_secs(1);
/// The pause between two looks at the remaining processes.
const LOOK: Duration = Duration::from_millis(20);
/// Time that killed processes get to disappear. The kernel can delay an end, and another user's process cannot be
/// killed.
const DYING: Duration = Duration::from_secs(5);

/// A request to a supervisor. A later variant overrides an earlier one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Asked {
    /// No request.
    #[default]
    Nothing,
    /// End the agent: it may clean up for two seconds.
    End,
    /// Kill the agent.
    EndNow,
}

/// The result of a supervisor.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Supervised {
    /// The exit status of the agent.
    pub end: AgentEnd,
    /// The reason why a process of the agent may still run.
    pub fault: Option<String>,
}

/// Acts as the supervisor of one agent: starts the agent, waits for its end, and ends all descendants of the agent.
/// Only on Linux.
///
/// `words` are the words that [`AgentCommand::supervisor`](crate::agent::AgentCommand::supervisor) adds to the
/// supervisor's command. `asked` is called every 50 ms. Call this function in a process that does nothing else, and
/// that catches SIGTERM (return [`Asked::End`]) and SIGHUP (return [`Asked::EndNow`]). The process then ends with
/// the exit status of the agent.
///
/// # Errors
///
/// [`ErrorKind::Usage`]: the words are invalid. The errors of
/// [`AgentCommand::start`](crate::agent::AgentCommand::start).
pub fn supervise(
    words: impl IntoIterator<Item = OsString>,
    asked: &dyn Fn() -> Asked,
) -> Result<Supervised, Error> {
    let mut words = words.into_iter();
    let parent = words.next().and_then(|word| word.to_str()?.parse().ok());
    let (Some(parent), Some(mark), Some(program)) =
        (parent.and_then(Pid::from_raw), words.next(), words.next())
    else {
        let message = "a supervisor is started by the program itself";
        return Err(
            Error::new(ErrorKind::Usage, message).help("use the commands of `skills --help`")
        );
    };
    // Before the agent starts: a process that it leaves behind earlier would be adopted by another ancestor.
    set_child_subreaper(Some(getpid())).map_err(|error| failed(&program, &error.into()))?;
    let mut command = Command::new(&program);
    command.args(words).env(MARK, mark).process_group(0);
    let child = command.spawn().map_err(|error| failed(&program, &error))?;
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let Some(pid) = pid else {
        return Err(Error::new(ErrorKind::Io, "the agent has no number"));
    };
    let ended = end_of(pid).map_err(|error| {
        let _ = kill_process_group(pid, Signal::KILL);
        failed(&program, &error)
    })?;
    let supervisor = Supervisor {
        parent,
        agent: pid,
        ended,
        asked,
    };
    Ok(supervisor.carry_out(child))
}

/// Starts a thread that reports the end of the agent, so that no loop has to poll for it.
fn end_of(agent: Pid) -> io::Result<Receiver<()>> {
    let (sender, receiver) = channel();
    // `thread::spawn` would panic at the user's limit of processes.
    Builder::new().spawn(move || {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while matches!(waitid(WaitId::Pid(agent), options), Err(Errno::INTR)) {}
        sender.send(())
    })?;
    Ok(receiver)
}

/// The reason why the wait for an agent ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WaitEnd {
    /// The agent ended without a request.
    ByItself,
    /// The agent was asked to end, or its time was over.
    Asked,
}

struct Supervisor<'a> {
    /// The program. When the program is gone, nobody reads the agent's output.
    parent: Pid,
    /// The agent. It is reaped last, so that its number stays reserved for its group.
    agent: Pid,
    ended: Receiver<()>,
    asked: &'a dyn Fn() -> Asked,
}

impl Supervisor<'_> {
    fn carry_out(&self, mut child: Child) -> Supervised {
        let ended = self.wait_for_agent();
        self.wait_for_rest();
        let fault = self.kill_all().err();
        let end = match (ended, self.agent_has_ended()) {
            (WaitEnd::ByItself, true) => child.wait().map_or(AgentEnd::UNKNOWN, AgentEnd::of),
            // The signal reports that the agent had not ended by itself: an agent can answer a request to end with the
            // exit code of a successful run.
            (WaitEnd::Asked, true) => {
                let _ = child.wait();
                AgentEnd::ASKED
            }
            (_, false) => AgentEnd::UNKNOWN,
        };
        if end.code.is_none() {
            // The supervisor ends by the same signal, and must not write a second core dump after the agent's.
            let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
        }
        Supervised { end, fault }
    }

    /// Returns the current request. If the program was killed, the agent is asked to end.
    fn asked(&self) -> Asked {
        let is_alone = getppid() != Some(self.parent);
        (self.asked)().max(if is_alone { Asked::End } else { Asked::Nothing })
    }

    /// Waits until the agent has ended, or its time to end is over.
    fn wait_for_agent(&self) -> WaitEnd {
        let mut asked_at = None;
        let mut reaped_at = Instant::now();
        loop {
            match self.ended.recv_timeout(TICK) {
                Ok(()) | Err(RecvTimeoutError::Disconnected) if asked_at.is_some() => {
                    return WaitEnd::Asked;
                }
                Ok(()) | Err(RecvTimeoutError::Disconnected) => return WaitEnd::ByItself,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let asked = self.asked();
            if asked == Asked::EndNow {
                return WaitEnd::Asked;
            }
            if asked == Asked::End && asked_at.is_none() {
                // A group that has ended gets no signal, and the next tick sees its end.
                let _ = kill_process_group(self.agent, Signal::TERM);
                asked_at = Some(Instant::now());
            }
            if asked_at.is_some_and(|asked_at| asked_at.elapsed() >= GRACE) {
                return WaitEnd::Asked;
            }
            if reaped_at.elapsed() >= REAPING {
                // Only to reap: a failure to list the others is reported when they are killed.
                let _ = self.others();
                reaped_at = Instant::now();
            }
        }
    }

    /// Gives the processes that the agent left behind time to end: the last program of a pipe may still print lines.
    fn wait_for_rest(&self) {
        let start = Instant::now();
        while start.elapsed() < GRACE
            && self.asked() == Asked::Nothing
            && self.others().is_ok_and(|others| !others.is_empty())
        {
            thread::sleep(LOOK);
        }
    }

    /// Kills the agent's group and all children, until no child is left. The children of a killed child become children
    /// of this process, so one round is not enough.
    fn kill_all(&self) -> Result<(), String> {
        let start = Instant::now();
        loop {
            // The whole group in one step: no process of it can escape by starting others.
            let _ = kill_process_group(self.agent, Signal::KILL);
            // Before the children are listed: once the agent has ended, all its children are children of this process.
            let has_ended = self.agent_has_ended();
            let others = self
                .others()
                .map_err(|error| format!("/proc cannot be read: {error}"))?;
            if has_ended && others.is_empty() {
                return Ok(());
            }
            let mut left = others.running;
            if !has_ended {
                left.push(self.agent);
            }
            // Numbers are safe here: only this thread reaps children, so no number is reused.
            for pid in &left {
                let _ = kill_process(*pid, Signal::KILL);
            }
            if start.elapsed() >= DYING {
                let left: Vec<_> = left
                    .iter()
                    .map(|pid| pid.as_raw_nonzero().to_string())
                    .collect();
                return Err(format!(
                    "these processes cannot be ended: {}",
                    left.join(", ")
                ));
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn agent_has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(self.agent), options), Ok(None))
    }

    /// Returns the children besides the agent, and reaps the children that have ended.
    fn others(&self) -> io::Result<OtherChildren> {
        let mut others = OtherChildren::default();
        for pid in children(getpid())? {
            if pid == self.agent {
                continue;
            }
            match waitpid(Some(pid), WaitOptions::NOHANG) {
                Ok(None) => others.running.push(pid),
                Ok(Some(_)) | Err(_) => others.reaped = true,
            }
        }
        Ok(others)
    }
}

/// The children of a supervisor besides the agent, at one moment.
#[derive(Default)]
struct OtherChildren {
    running: Vec<Pid>,
    /// True if a child was reaped. Its own children may have been adopted after the listing, so another look is needed.
    reaped: bool,
}

impl OtherChildren {
    fn is_empty(&self) -> bool {
        self.running.is_empty() && !self.reaped
    }
}
