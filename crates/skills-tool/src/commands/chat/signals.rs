//! Signals of the system: to end the program, or an answer.

use signal_hook::consts::{SIGINT, SIGTERM};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Builder};
use std::time::Duration;

/// The signals that end the program.
const ENDING: &[i32] = &[
    SIGTERM,
    #[cfg(unix)]
    signal_hook::consts::SIGHUP,
];

/// The interval between two checks of the terminal.
const TICK: Duration = Duration::from_millis(500);
/// The number of checks before the program ends in spite of an answer. An agent has two seconds to end.
const GRACE: u32 = 6;

/// The signals since the last check.
#[derive(Clone, Default)]
pub(crate) struct Signals {
    /// Set when the program must end. The line editor resets this flag.
    pub(crate) wake: Arc<AtomicBool>,
    /// Set when the program must end, and never reset.
    ended: Arc<AtomicBool>,
    /// Set by Ctrl-C.
    interrupted: Arc<AtomicBool>,
    /// While this flag is set, a signal ends the program at once: no work is unfinished.
    idle: Arc<AtomicBool>,
    /// Set while an agent answers: the agent is ended before the program.
    answering: Arc<AtomicBool>,
}

/// The reason for the interruption of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interruption {
    /// Ctrl-C: the answer ends.
    Answer,
    /// A signal: the program ends.
    Program,
}

/// The effect of Ctrl-C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CtrlC {
    EndsAnswer,
    EndsProgram,
}

/// A guard: until the guard is dropped, signals do not end the program at once.
pub(crate) struct Busy {
    idle: Arc<AtomicBool>,
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.idle.store(true, Ordering::Relaxed);
    }
}

impl Signals {
    pub(crate) fn listen(ctrl_c: CtrlC) -> io::Result<Self> {
        use signal_hook::flag::{register, register_conditional_default};
        let signals = Self::default();
        signals.idle.store(true, Ordering::Relaxed);
        let mut ending = ENDING.to_vec();
        match ctrl_c {
            CtrlC::EndsProgram => ending.push(SIGINT),
            CtrlC::EndsAnswer => _ = register(SIGINT, Arc::clone(&signals.interrupted))?,
        }
        for signal in ending {
            // A signal ends an idle program at once. A busy program reads the flags.
            register_conditional_default(signal, Arc::clone(&signals.idle))?;
            register(signal, Arc::clone(&signals.ended))?;
            register(signal, Arc::clone(&signals.wake))?;
        }
        Ok(signals)
    }

    /// Begins work that must be finished before the program ends.
    pub(crate) fn busy(&self) -> Busy {
        self.idle.store(false, Ordering::Relaxed);
        Busy {
            idle: Arc::clone(&self.idle),
        }
    }

    /// Records whether an agent answers.
    pub(crate) fn set_answering(&self, answering: bool) {
        self.answering.store(answering, Ordering::Relaxed);
    }

    /// Discards an earlier Ctrl-C.
    pub(crate) fn begin(&self) {
        self.interrupted.store(false, Ordering::Relaxed);
    }

    pub(crate) fn interruption(&self) -> Option<Interruption> {
        if self.is_ended() {
            Some(Interruption::Program)
        } else if self.interrupted.swap(false, Ordering::Relaxed) {
            Some(Interruption::Answer)
        } else {
            None
        }
    }

    pub(crate) fn is_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    /// Ends the program when its terminal is closed. The line editor does not notice a closed terminal: it
    /// reads an end of file again and again.
    ///
    /// # Errors
    ///
    /// The system refuses a further thread.
    pub(crate) fn follow_terminal(&self) -> io::Result<()> {
        let signals = self.clone();
        Builder::new().spawn(move || {
            let mut ticks = 0;
            while ticks < GRACE {
                if has_gone(TICK) {
                    signals.ended.store(true, Ordering::Relaxed);
                    if !signals.answering.load(Ordering::Relaxed) {
                        break;
                    }
                    thread::sleep(TICK);
                }
                // While an agent answers, the program waits: the agent is ended first.
                ticks = if signals.is_ended() { ticks + 1 } else { 0 };
            }
            Self::end();
        })?;
        Ok(())
    }

    /// Ends the program as SIGTERM does by default.
    pub(crate) fn end() {
        let _ = signal_hook::low_level::emulate_default_handler(SIGTERM);
    }
}

/// Waits for `patience` at most, and returns whether the terminal of standard input is closed.
#[cfg(unix)]
fn has_gone(patience: Duration) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdin = io::stdin();
    // Without requested events, only a hang-up wakes the poll.
    let mut looked = [PollFd::new(&stdin, PollFlags::empty())];
    let timeout = Timespec::try_from(patience).ok();
    let woken = poll(&mut looked, timeout.as_ref()).unwrap_or(0);
    let [looked] = looked;
    let is_gone = woken > 0 && looked.revents().contains(PollFlags::HUP);
    if woken > 0 && !is_gone {
        // Some systems cannot poll a terminal and answer at once: the sleep prevents a busy loop.
        thread::sleep(patience);
    }
    is_gone
}

#[cfg(not(unix))]
fn has_gone(patience: Duration) -> bool {
    thread::sleep(patience);
    false
}
