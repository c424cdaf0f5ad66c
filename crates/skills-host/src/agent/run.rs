//! A running agent: what it says, and its end.

use crate::agent::marked::end_marked;
use crate::agent::{AgentEnd, AgentEvent};
use std::process::Child;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How long the processes of an agent have to end after they are asked to, and how long a process that the
/// agent left behind may go on printing.
pub(crate) const GRACE: Duration = Duration::from_secs(2);
/// What a supervisor has more than its agent: it ends what is left of the agent afterwards.
const SUPERVISOR_GRACE: Duration = Duration::from_secs(8);
/// The pause between two looks at a process.
pub(crate) const PAUSE: Duration = Duration::from_millis(10);

/// A running agent. Dropping it ends the agent and every process of its group.
#[derive(Debug)]
pub struct AgentRun {
    pub(crate) child: Child,
    pub(crate) events: Receiver<AgentEvent>,
    /// Marks the processes of the run in their environment.
    pub(crate) mark: String,
    /// Whether the child is a supervisor, and the agent a child of the child.
    pub(crate) is_supervised: bool,
    /// Since when the process has ended.
    pub(crate) ended: Option<Instant>,
    /// How it ended. From then on the system can give its number to another process: nothing is signalled.
    pub(crate) end: Option<AgentEnd>,
}

/// How a process is ended.
#[derive(Clone, Copy)]
enum Ending {
    /// It may put things in order.
    Ask,
    /// It may not. A supervisor ends its agent, and then itself.
    AskForNow,
    Kill,
}

impl AgentRun {
    /// Waits for the next event, at most as long as `patience`. `None`: nothing happened.
    ///
    /// A process that the agent left behind can hold the output open, and can go on printing. It is ended two
    /// seconds after the agent: by then [`AgentEvent::Ended`] comes, whatever is printed. This holds after
    /// [`AgentRun::stop`], too.
    pub fn next(&mut self, patience: Duration) -> Option<AgentEvent> {
        let patience = match self.lingering() {
            Some(lingering) if lingering >= GRACE => return Some(self.finish()),
            Some(lingering) => patience.min(GRACE.saturating_sub(lingering)),
            None => patience,
        };
        match self.events.recv_timeout(patience) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) if self.lingering().is_some() => {
                Some(self.finish())
            }
            Err(RecvTimeoutError::Disconnected) => {
                // It closed its output, and can go on without it.
                thread::sleep(PAUSE.min(patience));
                None
            }
        }
    }

    /// Ends the agent and every process of its group: asks them to end, and ends the processes that have not
    /// ended after two seconds.
    pub fn stop(&mut self) -> AgentEnd {
        self.signal(Ending::Ask);
        let mut most = GRACE;
        if self.is_supervised {
            most += SUPERVISOR_GRACE;
        }
        self.wait(most);
        self.reap()
    }

    /// Whether the agent has ended, and nothing has asked it to. Says nothing of an agent below a supervisor.
    pub(crate) fn has_ended_by_itself(&self) -> bool {
        !self.is_supervised && self.ended.is_some()
    }

    /// Whether an agent below a supervisor had ended when [`AgentRun::stop`] asked. A supervisor that was asked
    /// first ends by a signal, whatever the agent then did.
    pub(crate) fn ended_before_it_was_asked(&self, end: AgentEnd) -> bool {
        self.is_supervised && end.code.is_some()
    }

    /// How long ago the process ended. `None`: it runs.
    fn lingering(&mut self) -> Option<Duration> {
        if self.ended.is_none() && self.has_ended() {
            self.ended = Some(Instant::now());
        }
        self.ended.map(|ended| ended.elapsed())
    }

    /// Whether the process has ended. It is not reaped: its number stays the number of its group, so that a
    /// signal to the group reaches no other process.
    #[cfg(unix)]
    fn has_ended(&mut self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if let Some(Ok(state)) = pid.map(|pid| waitid(WaitId::Pid(pid), options)) {
            return state.is_some();
        }
        // It was reaped behind our back: the program ignores the ends of its children.
        self.end.get_or_insert(AgentEnd::UNKNOWN);
        true
    }

    #[cfg(not(unix))]
    fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    fn wait(&mut self, most: Duration) {
        let start = Instant::now();
        while self.lingering().is_none() && start.elapsed() < most {
            thread::sleep(PAUSE);
        }
    }

    fn finish(&mut self) -> AgentEvent {
        AgentEvent::Ended(self.reap())
    }

    /// Ends what is left of the run, and learns how it ended.
    fn reap(&mut self) -> AgentEnd {
        if let Some(end) = self.end {
            return end;
        }
        // The group goes before its leader is reaped: afterwards another group can have its number.
        self.signal(Ending::Kill);
        let end = self.child.wait().map_or(AgentEnd::UNKNOWN, AgentEnd::of);
        self.end = Some(end);
        self.ended.get_or_insert_with(Instant::now);
        end_marked(&self.mark);
        end
    }

    /// Sends a signal to the group. That the group has ended already is not a failure.
    #[cfg(unix)]
    fn signal(&mut self, ending: Ending) {
        use rustix::process::{Pid, Signal, kill_process_group};
        if self.end.is_some() {
            return;
        }
        let signal = match ending {
            Ending::Ask => Signal::TERM,
            Ending::AskForNow => Signal::HUP,
            Ending::Kill => Signal::KILL,
        };
        let group = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if let Some(group) = group {
            let _ = kill_process_group(group, signal);
            if self.is_supervised {
                // An agent can have halted its supervisor.
                let _ = kill_process_group(group, Signal::CONT);
            }
        }
    }

    #[cfg(not(unix))]
    fn signal(&mut self, _ending: Ending) {
        let _ = self.child.kill();
    }
}

impl Drop for AgentRun {
    fn drop(&mut self) {
        if self.end.is_none() {
            if self.is_supervised {
                self.signal(Ending::AskForNow);
                self.wait(SUPERVISOR_GRACE);
            }
            self.reap();
        }
    }
}
