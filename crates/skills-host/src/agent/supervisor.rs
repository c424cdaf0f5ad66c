//! A process between a program and its agent, to which the system gives every process that the agent leaves.
//!
//! A process that leaves its group and its environment (`setsid env -i`) is not known by either. Linux gives the
//! children of a process that ended to the nearest process above that asked for them, a *subreaper*. The program
//! cannot be that process itself: it would get the children of everything that it starts, of several runs at
//! once, and of libraries that wait for children of their own.

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
use std::thread;
use std::time::{Duration, Instant};

/// How often a supervisor looks whether somebody asks for the end.
const TICK: Duration = Duration::from_millis(50);
/// How often the processes are reaped that the agent left behind, and that have ended.
const REAPING: Duration = Duration::from_secs(1);
/// The pause between two looks at the processes that are left.
const LOOK: Duration = Duration::from_millis(20);
/// How long killed processes have to go. The kernel can hold a process, and another person's cannot be killed.
const DYING: Duration = Duration::from_secs(5);

/// What a supervisor is asked for. Later means more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Asked {
    /// Nothing.
    #[default]
    Nothing,
    /// The agent may put things in order for two seconds.
    End,
    /// The agent is killed.
    EndNow,
}

/// What a supervisor found out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Supervised {
    /// How the agent ended.
    pub end: AgentEnd,
    /// Why something of the agent may still run.
    pub fault: Option<String>,
}

/// Is the supervisor of one agent: starts the agent, waits for its end, and ends every process that descends from
/// the agent. Only on Linux.
///
/// `words` are what [`AgentCommand::supervisor`](crate::agent::AgentCommand::supervisor) puts after the command
/// of the supervisor. `asked` is called every 50 ms. A program calls this in a process that does nothing else,
/// with the signals TERM (give [`Asked::End`]) and HUP (give [`Asked::EndNow`]) caught. It then ends as the agent
/// ended.
///
/// # Errors
///
/// [`ErrorKind::Usage`]: these are not the words. Those of
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
    // Before the agent is started, or it could leave a process behind that nobody gets.
    set_child_subreaper(Some(getpid())).map_err(|error| failed(&program, &error.into()))?;
    let mut command = Command::new(&program);
    command.args(words).env(MARK, mark).process_group(0);
    let child = command.spawn().map_err(|error| failed(&program, &error))?;
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let Some(pid) = pid else {
        return Err(Error::new(ErrorKind::Io, "the agent has no number"));
    };
    let supervisor = Supervisor {
        parent,
        agent: pid,
        asked,
    };
    Ok(supervisor.carry_out(child))
}

/// How the wait for an agent ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// The agent ended, and nothing had asked it to.
    ByItself,
    /// The agent was asked to end, or had no more time.
    Asked,
}

struct Supervisor<'a> {
    /// The program, without which nobody hears the agent.
    parent: Pid,
    /// The agent. It is reaped last, so that its number stays the number of its group.
    agent: Pid,
    asked: &'a dyn Fn() -> Asked,
}

impl Supervisor<'_> {
    fn carry_out(&self, mut child: Child) -> Supervised {
        let ended = self.wait_for_agent();
        self.wait_for_rest();
        let fault = self.kill_all().err();
        let end = match (ended, self.agent_has_ended()) {
            (Ended::ByItself, true) => child.wait().map_or(AgentEnd::UNKNOWN, AgentEnd::of),
            // The program reads from the signal that the agent had not ended: an agent can answer a request to end
            // with the code of a good run.
            (Ended::Asked, true) => {
                let _ = child.wait();
                AgentEnd::ASKED
            }
            (_, false) => AgentEnd::UNKNOWN,
        };
        if end.code.is_none() {
            // The program ends by the same signal now. The agent has left its memory already, if it leaves any.
            let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
        }
        Supervised { end, fault }
    }

    /// What is asked for. A program that was killed asks for nothing any more.
    fn asked(&self) -> Asked {
        let is_alone = getppid() != Some(self.parent);
        (self.asked)().max(if is_alone { Asked::End } else { Asked::Nothing })
    }

    /// Waits until the agent has ended, or has had its time to end.
    fn wait_for_agent(&self) -> Ended {
        let ended = self.end_of_agent();
        let mut asked_at = None;
        let mut reaped_at = Instant::now();
        loop {
            match ended.recv_timeout(TICK) {
                Ok(()) | Err(RecvTimeoutError::Disconnected) if asked_at.is_some() => {
                    return Ended::Asked;
                }
                Ok(()) | Err(RecvTimeoutError::Disconnected) => return Ended::ByItself,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let asked = self.asked();
            if asked == Asked::EndNow {
                return Ended::Asked;
            }
            if asked == Asked::End && asked_at.is_none() {
                let _ = kill_process_group(self.agent, Signal::TERM);
                asked_at = Some(Instant::now());
            }
            if asked_at.is_some_and(|asked_at| asked_at.elapsed() >= GRACE) {
                return Ended::Asked;
            }
            if reaped_at.elapsed() >= REAPING {
                let _ = self.others();
                reaped_at = Instant::now();
            }
        }
    }

    /// Says when the agent has ended. A thread waits for it, so that nobody has to look again and again.
    fn end_of_agent(&self) -> Receiver<()> {
        let (sender, receiver) = channel();
        let agent = self.agent;
        thread::spawn(move || {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while matches!(waitid(WaitId::Pid(agent), options), Err(Errno::INTR)) {}
            sender.send(())
        });
        receiver
    }

    /// Lets what the agent left behind end by itself: the last program of a pipe still has lines to print.
    fn wait_for_rest(&self) {
        let start = Instant::now();
        while start.elapsed() < GRACE
            && self.asked() == Asked::Nothing
            && self.others().is_ok_and(|others| !others.is_empty())
        {
            thread::sleep(LOOK);
        }
    }

    /// Kills the agent's group and every child until there are none. The children of a child that ended become
    /// children of this process.
    fn kill_all(&self) -> Result<(), String> {
        let start = Instant::now();
        loop {
            // The whole group in one step: nothing in it can run ahead by starting others.
            let _ = kill_process_group(self.agent, Signal::KILL);
            // Before the children are listed: those of an agent that has ended are all children of this process.
            let has_ended = self.agent_has_ended();
            let others = self.others();
            let others = others.map_err(|error| format!("/proc cannot be read: {error}"))?;
            if has_ended && others.is_empty() {
                return Ok(());
            }
            let mut left = others.running;
            if !has_ended {
                left.push(self.agent);
            }
            // Only this thread reaps them: the numbers are theirs.
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

    /// The children besides the agent. Children that have ended are reaped.
    fn others(&self) -> io::Result<Others> {
        let mut others = Others::default();
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

/// The children of a supervisor besides the agent, at one look.
#[derive(Default)]
struct Others {
    running: Vec<Pid>,
    /// Whether a child had ended. Its own children can have come to the supervisor after they were looked for.
    reaped: bool,
}

impl Others {
    fn is_empty(&self) -> bool {
        self.running.is_empty() && !self.reaped
    }
}
