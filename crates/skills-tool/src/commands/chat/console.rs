//! Sources of messages and answers, a terminal or lines of standard input, and the signals that end them.

use crate::commands::chat::choices::{Choices, pick};
use crate::commands::chat::editor::{Line, LineEditor, question};
use crate::commands::chat::panel::clear_below;
use crate::input;
use crate::outcome::Failure;
use crate::output::{Asker, Ctx, one_line};
use signal_hook::consts::{SIGINT, SIGTERM};
use std::io;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A source of messages and answers: a terminal, or lines of standard input.
pub(crate) struct Console {
    /// The line editor of a terminal.
    pub(crate) editor: Option<LineEditor>,
    pub(crate) signals: Signals,
}

impl Console {
    /// Reads the next message.
    pub(crate) fn read(&mut self, cx: &mut Ctx) -> Result<Line, Failure> {
        let Some(editor) = &mut self.editor else {
            let line = input::line("> ", cx)?;
            return Ok(line.map_or(Line::End, Line::Text));
        };
        cx.flush()?;
        // A signal must not end the program while the line editor has the terminal in raw mode.
        let _busy = self.signals.busy();
        if self.signals.is_ended() {
            return Ok(Line::Stopped);
        }
        let line = editor.read().map_err(|error| {
            Failure::failed(
                format_args!("the terminal does not answer: {error}"),
                "run `TERM=dumb skills chat`, which uses plain line input",
            )
        })?;
        clear_below()?;
        // An earlier Ctrl-C must not interrupt the next answer.
        self.signals.begin();
        Ok(line)
    }

    /// Puts an unsent message into the next line, so that a person can correct the message.
    pub(crate) fn put_back(&mut self, text: &str) {
        if let Some(editor) = &mut self.editor {
            editor.put_back(text);
        }
    }

    /// Shows the choices. Returns the selected choice, or `None`.
    pub(crate) fn choose(&mut self, choices: &Choices, cx: &mut Ctx) -> Option<usize> {
        if self.editor.is_some() {
            let _busy = self.signals.busy();
            return pick(choices, cx, &|| self.signals.is_ended());
        }
        let look = Choices::look(cx.width().unwrap_or(usize::MAX), choices.len());
        let title = cx.strong(&choices.title);
        writeln!(cx, "{title}\n{}\n", choices.subtitle).ok()?;
        for line in choices.lines(&choices.holding(""), choices.start, look) {
            writeln!(cx, "{line}").ok()?;
        }
        writeln!(cx).ok()?;
        let answer = input::asked("Number, or an empty line to go back:", cx);
        let chosen = choices.named(&answer);
        if chosen.is_none() && !answer.is_empty() {
            let (answer, most) = (one_line(&answer), choices.len());
            cx.warning(format_args!(
                "'{answer}' is not a choice; write 1 to {most}"
            ));
        }
        chosen
    }
}

/// The person at the terminal of the prompt.
pub(crate) struct AtTerminal {
    pub(crate) signals: Signals,
    pub(crate) colour: bool,
}

impl Asker for AtTerminal {
    fn line(&self, text: &str, cx: &mut Ctx) -> Option<String> {
        cx.flush().ok()?;
        let _busy = self.signals.busy();
        match question(text, self.colour, &self.signals.wake) {
            Ok(Line::Text(answer)) => Some(answer),
            _ => None,
        }
    }

    fn choose(&self, title: &str, rows: &[(String, String)], cx: &mut Ctx) -> Option<usize> {
        let mut menu = Choices::new(title, "Choose a skill");
        menu.narrows = true;
        for (name, note) in rows {
            menu.push(name, note);
        }
        let _busy = self.signals.busy();
        pick(&menu, cx, &|| self.signals.is_ended())
    }
}

/// A guard that turns off the terminal's echo until it is dropped. Typed keys wait unchanged; Ctrl-C still
/// sends a signal.
pub(crate) struct Quiet {
    #[cfg(unix)]
    before: Option<rustix::termios::Termios>,
}

#[cfg(unix)]
impl Quiet {
    pub(crate) fn begin() -> Self {
        use rustix::termios::{InputModes, LocalModes, OptionalActions, tcgetattr, tcsetattr};
        // Without a terminal there is nothing to change.
        let before = tcgetattr(std::io::stdin()).ok();
        if let Some(before) = &before {
            let mut quiet = before.clone();
            quiet.local_modes -= LocalModes::ECHO | LocalModes::ICANON;
            // Enter stays a carriage return: the line editor reads a line feed as Ctrl-J, a new line.
            quiet.input_modes -= InputModes::ICRNL;
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, &quiet);
        }
        Self { before }
    }
}

#[cfg(unix)]
impl Drop for Quiet {
    fn drop(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};
        if let Some(before) = &self.before {
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, before);
        }
    }
}

#[cfg(not(unix))]
impl Quiet {
    pub(crate) fn begin() -> Self {
        Self {}
    }
}

/// The signals that end the program.
const ENDING: &[i32] = &[
    SIGTERM,
    #[cfg(unix)]
    signal_hook::consts::SIGHUP,
];

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
}

/// The reason for the interruption of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interruption {
    /// Ctrl-C: the answer ends.
    Answer,
    /// A signal: the program ends.
    Program,
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
    /// Handles the signals. On a terminal, Ctrl-C ends an answer, else the program.
    pub(crate) fn listen(is_terminal: bool) -> io::Result<Self> {
        use signal_hook::flag::{register, register_conditional_default};
        let signals = Self::default();
        signals.idle.store(true, Ordering::Relaxed);
        let mut ending = ENDING.to_vec();
        if is_terminal {
            register(SIGINT, Arc::clone(&signals.interrupted))?;
            #[cfg(unix)]
            std::thread::Builder::new().spawn(hang_up)?;
        } else {
            ending.push(SIGINT);
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

    /// Ends the program as SIGTERM does by default.
    pub(crate) fn end() {
        let _ = signal_hook::low_level::emulate_default_handler(SIGTERM);
    }
}

/// Ends the program when the terminal of standard input is closed. SIGHUP itself comes only to a session's leader, and the line
/// editor reads an end of file again and again. A running agent gets the time to end.
#[cfg(unix)]
fn hang_up() {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use std::time::Duration;
    const TICK: Duration = Duration::from_millis(500);
    /// An agent has two seconds to end.
    const GRACE: Duration = Duration::from_secs(3);
    loop {
        let stdin = io::stdin();
        // Without requested events, only a hang-up wakes the poll.
        let mut looked = [PollFd::new(&stdin, PollFlags::empty())];
        let woken = poll(&mut looked, Timespec::try_from(TICK).ok().as_ref()).unwrap_or(0);
        if woken > 0 && looked[0].revents().contains(PollFlags::HUP) {
            let _ = signal_hook::low_level::raise(signal_hook::consts::SIGHUP);
            std::thread::sleep(GRACE);
            Signals::end();
        }
        if woken > 0 {
            // Some systems cannot poll a terminal and answer at once.
            std::thread::sleep(TICK);
        }
    }
}
