//! Sources of messages and answers, a terminal or lines of standard input, and the signals that end them.

use crate::commands::chat::choices::pick;
use crate::commands::chat::choices::{Choices, Window};
use crate::commands::chat::editor::{Line, LineEditor, question};
use crate::input;
use crate::outcome::Failure;
use crate::output::screen::clear_below;
use crate::output::{Asker, Ctx, one_line};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::{event, terminal};
use signal_hook::consts::{SIGINT, SIGTERM};
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Builder;
use std::time::Duration;
use std::{io, thread};

/// One input from a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// A message.
    Message(String),
    /// Ctrl-C: the line is dropped.
    Interrupted,
    /// The end of the input.
    End,
    /// A signal to end the program.
    Stopped,
}

/// A source of messages and answers.
pub(crate) trait Console {
    /// Reads the next message.
    fn read(&mut self, cx: &mut Ctx) -> Result<Input, Failure>;

    /// Puts an unsent message into the next line, so that a person can correct the message.
    fn put_back(&mut self, text: &str);

    /// Asks a question. Returns `None` without an answer.
    fn ask(&mut self, question: &str, cx: &mut Ctx) -> Option<String>;

    /// Shows the choices. Returns the selected choice, or `None`.
    fn choose(&mut self, choices: &Choices, cx: &mut Ctx) -> Option<usize>;

    fn signals(&self) -> &Signals;
}

/// Lines of standard input.
pub(crate) struct Lines {
    pub(crate) signals: Signals,
}

impl Console for Lines {
    fn read(&mut self, cx: &mut Ctx) -> Result<Input, Failure> {
        Ok(match input::line("> ", cx)? {
            Some(line) => Input::Message(line),
            None => Input::End,
        })
    }

    fn put_back(&mut self, _text: &str) {}

    fn ask(&mut self, question: &str, cx: &mut Ctx) -> Option<String> {
        input::line(&format!("{question} "), cx).ok().flatten()
    }

    fn choose(&mut self, choices: &Choices, cx: &mut Ctx) -> Option<usize> {
        let window = Window {
            selected: choices.start,
            rows: choices.len(),
            width: cx.width(),
        };
        let title = cx.strong(&choices.title);
        writeln!(cx, "{title}\n{}\n", choices.subtitle).ok()?;
        for line in choices.lines(&choices.holding(""), window) {
            writeln!(cx, "{line}").ok()?;
        }
        writeln!(cx).ok()?;
        let answer = self.ask("Number, or an empty line to go back:", cx)?;
        let answer = answer.trim();
        let chosen = choices.named(answer);
        if chosen.is_none() && !answer.is_empty() {
            let (answer, most) = (one_line(answer), choices.len());
            cx.warning(format_args!(
                "'{answer}' is not a choice; write 1 to {most}"
            ));
        }
        chosen
    }

    fn signals(&self) -> &Signals {
        &self.signals
    }
}

/// The line editor of a terminal, and the signals.
pub(crate) struct Terminal {
    pub(crate) editor: LineEditor,
    pub(crate) signals: Signals,
}

impl Console for Terminal {
    fn read(&mut self, cx: &mut Ctx) -> Result<Input, Failure> {
        cx.flush()?;
        // A signal must not end the program while the line editor has the terminal in raw mode.
        let _busy = self.signals.busy();
        if self.signals.is_ended() {
            return Ok(Input::Stopped);
        }
        let line = self.editor.read().map_err(|error| {
            Failure::failed(
                format_args!("the terminal does not answer: {error}"),
                "write `TERM=dumb skills chat`, which does not steer the terminal",
            )
        })?;
        clear_below()?;
        // An earlier Ctrl-C must not interrupt the next answer.
        self.signals.begin();
        Ok(match line {
            Line::Text(text) => Input::Message(text),
            Line::Interrupted => Input::Interrupted,
            Line::End => Input::End,
            Line::Stopped => Input::Stopped,
        })
    }

    fn put_back(&mut self, text: &str) {
        self.editor.put_back(text);
    }

    fn ask(&mut self, question: &str, cx: &mut Ctx) -> Option<String> {
        cx.flush().ok()?;
        let _busy = self.signals.busy();
        match self.editor.ask(question) {
            Ok(Line::Text(text)) => Some(text),
            _ => None,
        }
    }

    fn choose(&mut self, choices: &Choices, cx: &mut Ctx) -> Option<usize> {
        let _busy = self.signals.busy();
        let signals = &self.signals;
        match pick(choices, cx, &|| signals.is_ended()) {
            Ok(chosen) => chosen,
            Err(error) => {
                cx.warning(format_args!("the menu cannot be drawn: {error}"));
                None
            }
        }
    }

    fn signals(&self) -> &Signals {
        &self.signals
    }
}

/// The interval between two checks for a signal.
const PATIENCE: Duration = Duration::from_millis(100);

/// The person at the terminal of the prompt.
pub(crate) struct AtTerminal {
    pub(crate) signals: Signals,
    pub(crate) colour: bool,
}

impl Asker for AtTerminal {
    fn agreed(&self, question: &str, cx: &mut Ctx) -> bool {
        cx.ask(question);
        let _busy = self.signals.busy();
        let answer = self.key();
        cx.note(if matches!(answer, Ok(true)) { "y" } else { "n" });
        answer.unwrap_or(false)
    }

    fn line(&self, text: &str, cx: &mut Ctx) -> Option<String> {
        use std::io::Write as _;
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
        let signals = &self.signals;
        pick(&menu, cx, &|| signals.is_ended()).unwrap_or_else(|error| {
            cx.warning(format_args!("the menu cannot be drawn: {error}"));
            None
        })
    }
}

impl AtTerminal {
    /// Waits for a key that answers yes or no.
    fn key(&self) -> io::Result<bool> {
        terminal::enable_raw_mode()?;
        // No `?` in the loop: the raw mode must end on every way out.
        let answer = loop {
            if self.signals.is_ended() {
                break Ok(false);
            }
            match event::poll(PATIENCE) {
                Ok(false) => continue,
                Ok(true) => {}
                Err(error) => break Err(error),
            }
            match event::read().map(|event| answer(&event)) {
                Ok(Some(answer)) => break Ok(answer),
                Ok(None) => {}
                Err(error) => break Err(error),
            }
        };
        terminal::disable_raw_mode()?;
        answer
    }
}

/// Returns the answer of a key, or `None` for a key that is not an answer.
fn answer(event: &Event) -> Option<bool> {
    let Event::Key(KeyEvent {
        code,
        modifiers,
        kind: KeyEventKind::Press | KeyEventKind::Repeat,
        ..
    }) = event
    else {
        return None;
    };
    match *code {
        KeyCode::Char('y' | 'Y') => Some(true),
        KeyCode::Char('n' | 'N') | KeyCode::Enter | KeyCode::Esc => Some(false),
        // In raw mode Ctrl-C is a key, and not a signal.
        KeyCode::Char('c' | 'd') if *modifiers == KeyModifiers::CONTROL => Some(false),
        _ => None,
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
