//! A running agent: its events and its end.

use crate::agent::marked::end_marked;
use crate::agent::{AgentEnd, AgentEvent};
use std::process::Child;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Time that the processes of an agent get to end on request, and time that a process which the agent left behind
/// may go on printing.
pub(crate) const GRACE: Duration = Duration::from_secs(2);
/// The pause between two polls of a process.
pub(crate) const PAUSE: Duration = Duration::from_millis(10);

/// A running agent. Dropping the run ends the agent and every process of its group.
#[derive(Debug)]
pub struct AgentRun {
    pub(crate) child: Child,
    pub(crate) events: Receiver<AgentEvent>,
    /// The mark of the run's processes, in their environment.
    pub(crate) mark: String,
    /// The time at which the end of the process was seen.
    pub(crate) ended: Option<Instant>,
    /// The exit status, once the process was reaped. From then on its number can be another process's: nothing is
    /// signalled any more.
    pub(crate) end: Option<AgentEnd>,
}

impl AgentRun {
    /// Waits for the next event, for at most `patience`. Returns `None` if nothing happened.
    ///
    /// A process that the agent left behind can hold the output open and go on printing. Such a process is ended two
    /// seconds after the agent: [`AgentEvent::Ended`] then follows, whatever is printed. The same holds after
    /// [`AgentRun::stop`].
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
                // The agent closed its output, and can go on without output.
                thread::sleep(PAUSE.min(patience));
                None
            }
        }
    }

    /// Ends the agent and every process of its group. Processes that have not ended two seconds after the request are
    /// killed.
    pub fn stop(&mut self) -> AgentEnd {
        self.ask_to_end();
        self.wait(GRACE);
        self.reap()
    }

    /// Returns whether the agent has ended without a request.
    pub(crate) fn has_ended_by_itself(&self) -> bool {
        self.ended.is_some()
    }

    /// Returns the time since the process ended; `None` while it runs.
    fn lingering(&mut self) -> Option<Duration> {
        if self.ended.is_none() && self.has_ended() {
            self.ended = Some(Instant::now());
        }
        self.ended.map(|ended| ended.elapsed())
    }

    /// Returns whether the process has ended. The process is not reaped: its number stays reserved, so that a signal to
    /// its group reaches no other process.
    #[cfg(unix)]
    fn has_ended(&mut self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if let Some(Ok(state)) = pid.map(|pid| waitid(WaitId::Pid(pid), options)) {
            return state.is_some();
        }
        // Already reaped: this program ignores SIGCHLD, and the system reaps its children.
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

    /// Ends what is left of the run, and returns its exit status.
    fn reap(&mut self) -> AgentEnd {
        if let Some(end) = self.end {
            return end;
        }
        // Before the leader is reaped: afterwards its number can be that of another group.
        self.kill();
        let end = self.child.wait().map_or(AgentEnd::UNKNOWN, AgentEnd::of);
        self.end = Some(end);
        self.ended.get_or_insert_with(Instant::now);
        end_marked(&self.mark);
        end
    }

    /// Sends a signal to the group. A group that has ended already is not an error.
    #[cfg(unix)]
    fn signal(&mut self, signal: rustix::process::Signal) {
        use rustix::process::{Pid, kill_process_group};
        let group = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if let (None, Some(group)) = (self.end, group) {
            let _ = kill_process_group(group, signal);
        }
    }

    fn ask_to_end(&mut self) {
        #[cfg(unix)]
        self.signal(rustix::process::Signal::TERM);
        #[cfg(not(unix))]
        self.kill();
    }

    fn kill(&mut self) {
        #[cfg(unix)]
        self.signal(rustix::process::Signal::KILL);
        #[cfg(not(unix))]
        let _ = self.child.kill();
    }
}

impl Drop for AgentRun {
    fn drop(&mut self) {
        self.reap();
    }
}
