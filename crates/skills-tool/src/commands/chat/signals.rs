//! Signals of the system: the program ends, or an answer does.

use signal_hook::consts::{SIGINT, SIGTERM};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The signals that end programs.
const ENDING: &[i32] = &[
    SIGTERM,
    #[cfg(unix)]
    signal_hook::consts::SIGHUP,
];

/// How often the terminal is looked at.
const TICK: Duration = Duration::from_millis(500);
/// How many looks the program has to end by itself. An agent has two seconds.
const GRACE: u32 = 6;

/// What the system asked for since the last look.
#[derive(Clone, Default)]
pub(crate) struct Signals {
    /// Set when the program is to end. The line editor resets it.
    pub(crate) wake: Arc<AtomicBool>,
    /// Set for good when the program is to end.
    ended: Arc<AtomicBool>,
    /// Set when Ctrl-C was pressed.
    interrupted: Arc<AtomicBool>,
    /// While it is set, a signal ends the program at once: nothing needs to be put in order.
    idle: Arc<AtomicBool>,
    /// Set while an agent answers, which is ended before the program is.
    answering: Arc<AtomicBool>,
}

/// What ends an answer before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interruption {
    /// Ctrl-C: the answer ends.
    Answer,
    /// A signal: the program ends.
    Program,
}

/// Whether Ctrl-C ends the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CtrlC {
    EndsAnswer,
    EndsProgram,
}

/// As long as it lives, signals do not end the program at once.
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
            register_conditional_default(signal, Arc::clone(&signals.idle))?;
            register(signal, Arc::clone(&signals.ended))?;
            register(signal, Arc::clone(&signals.wake))?;
        }
        Ok(signals)
    }

    /// Begins work that is to be put in order before the program ends.
    pub(crate) fn busy(&self) -> Busy {
        self.idle.store(false, Ordering::Relaxed);
        Busy {
            idle: Arc::clone(&self.idle),
        }
    }

    /// Notes whether an agent answers.
    pub(crate) fn set_answering(&self, answering: bool) {
        self.answering.store(answering, Ordering::Relaxed);
    }

    /// Forgets a Ctrl-C that came before.
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

    /// Ends the program when its terminal has gone. The line editor does not notice: it reads an end of
    /// file again and again.
    pub(crate) fn follow_terminal(&self) {
        let signals = self.clone();
        std::thread::spawn(move || {
            let mut ticks = 0;
            while ticks < GRACE {
                if has_gone(TICK) {
                    signals.ended.store(true, Ordering::Relaxed);
                    if !signals.answering.load(Ordering::Relaxed) {
                        break;
                    }
                    std::thread::sleep(TICK);
                }
                // An agent is ended before the program is.
                ticks = if signals.is_ended() { ticks + 1 } else { 0 };
            }
            Self::end();
        });
    }

    /// Ends the program as the signal would have ended it.
    pub(crate) fn end() {
        let _ = signal_hook::low_level::emulate_default_handler(SIGTERM);
    }
}

/// Waits, and says whether the terminal of standard input has gone.
#[cfg(unix)]
fn has_gone(patience: Duration) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdin = io::stdin();
    // Without asked-for events, only the end of the terminal wakes it.
    let mut looked = [PollFd::new(&stdin, PollFlags::empty())];
    let timeout = Timespec::try_from(patience).ok();
    let woken = poll(&mut looked, timeout.as_ref()).unwrap_or(0);
    let [looked] = looked;
    let is_gone = woken > 0 && looked.revents().contains(PollFlags::HUP);
    if woken > 0 && !is_gone {
        // A system that cannot wait for a terminal answers at once.
        std::thread::sleep(patience);
    }
    is_gone
}

#[cfg(not(unix))]
fn has_gone(patience: Duration) -> bool {
    std::thread::sleep(patience);
    false
}
