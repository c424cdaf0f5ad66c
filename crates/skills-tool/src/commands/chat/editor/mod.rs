//! The line editor: history, colours, and a menu that opens while a person types.

mod highlighter;
pub(crate) mod history;
mod keys;
mod menu;
mod menu_rows;
mod paste;
mod prompt;

use crate::commands::chat::editor::highlighter::SkillHighlighter;
use crate::commands::chat::editor::keys::Keys;
use crate::commands::chat::editor::menu::SkillMenu;
use crate::commands::chat::editor::paste::Pastes;
use crate::commands::chat::editor::prompt::{ChatPrompt, Question};
use crate::commands::chat::live::Live;
use crate::output::one_line;
use reedline::{EditCommand, ExternalPrinter, History, Prompt, Reedline, ReedlineMenu, Signal};
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The maximum number of reads from a terminal that does not answer.
const TRIES: usize = 3;
/// The message for a line with the mark of an unknown pasted text.
const STALE: &str = "not sent: the mark of a pasted text was changed, or is of an earlier session. \
    Paste the text again, or press Enter to send the line as it is.";
/// The maximum number of queued messages from other threads.
const MESSAGES: usize = 64;

/// A line editor on a terminal.
pub(crate) struct LineEditor {
    chat: Reedline,
    prompt: ChatPrompt,
    question: Reedline,
    pastes: Pastes,
    printer: ExternalPrinter<String>,
}

/// The result of a read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Text(String),
    /// Ctrl-C.
    Interrupted,
    /// Ctrl-D on an empty line.
    End,
    /// The wake flag was set.
    Stopped,
}

impl LineEditor {
    /// Builds an editor. Setting `wake` ends a read.
    pub(crate) fn new(
        live: &Arc<Live>,
        history: Box<dyn History>,
        colour: bool,
        wake: &Arc<AtomicBool>,
    ) -> Self {
        let (pastes, prompt) = (Pastes::default(), ChatPrompt::default());
        let spaced = Arc::default();
        let keys = Keys::new(
            pastes.clone(),
            Arc::clone(&prompt.is_searching),
            Arc::clone(&spaced),
        );
        let printer = ExternalPrinter::new(MESSAGES);
        let plain = || plain(colour, wake);
        let menu = SkillMenu::new(Arc::clone(live), spaced);
        let chat = plain()
            .with_history(history)
            .with_history_exclusion_prefix(Some(" ".to_owned()))
            .with_highlighter(Box::new(SkillHighlighter::new(Arc::clone(live))))
            .with_edit_mode(Box::new(keys))
            .with_menu(ReedlineMenu::EngineCompleter(Box::new(menu)))
            .with_external_printer(printer.clone());
        let question = of_question(plain(), &pastes);
        Self {
            chat,
            prompt,
            question,
            pastes,
            printer,
        }
    }

    /// Returns a function that shows a line above the typed line. For other threads.
    pub(crate) fn printer(&self) -> impl Fn(&str) + Send + Sync + use<> {
        let sender = self.printer.sender();
        // Never waits: nothing empties the queue while an agent answers, and a waiting sender would stop the
        // watch.
        move |line| _ = sender.try_send(one_line(line))
    }

    /// Reads a message.
    pub(crate) fn read(&mut self) -> io::Result<Line> {
        let mut warned = None;
        let line = loop {
            let line = read(&mut self.chat, &self.prompt)?;
            // A second Enter sends the line unchanged.
            match line {
                Line::Text(text)
                    if self.pastes.is_stale(&text) && warned.as_ref() != Some(&text) =>
                {
                    let _ = self.printer.print(STALE.to_owned());
                    self.insert(&text);
                    warned = Some(text);
                }
                Line::Text(text) => break Line::Text(self.pastes.unfold(&text)),
                line => break line,
            }
        };
        // Written now: other sessions see the message, and the message survives a kill of this session.
        let _ = self.chat.sync_history();
        Ok(line)
    }

    /// Puts text into the line that is read next.
    pub(crate) fn put_back(&mut self, text: &str) {
        let text = self.pastes.fold(text);
        self.insert(&text);
    }

    fn insert(&mut self, text: &str) {
        let insert = EditCommand::InsertString(text.to_owned());
        self.chat.run_edit_commands(&[insert]);
    }

    /// Reads the answer to a question. The answer is not kept in the history.
    pub(crate) fn ask(&mut self, question: &str) -> io::Result<Line> {
        let prompt = Question {
            text: one_line(question) + " ",
        };
        let line = read(&mut self.question, &prompt)?;
        Ok(unfolded(line, &self.pastes))
    }
}

/// Reads the answer to a question of a command. The answer is not kept in the history.
pub(crate) fn question(text: &str, colour: bool, wake: &Arc<AtomicBool>) -> io::Result<Line> {
    let pastes = Pastes::default();
    let mut editor = of_question(plain(colour, wake), &pastes);
    let text = one_line(text) + " ";
    let line = read(&mut editor, &Question { text })?;
    Ok(unfolded(line, &pastes))
}

fn unfolded(line: Line, pastes: &Pastes) -> Line {
    match line {
        Line::Text(text) => Line::Text(pastes.unfold(&text)),
        line => line,
    }
}

fn plain(colour: bool, wake: &Arc<AtomicBool>) -> Reedline {
    Reedline::create()
        .with_ansi_colors(colour)
        .use_bracketed_paste(true)
        .with_break_signal(Arc::clone(wake))
}

fn of_question(editor: Reedline, pastes: &Pastes) -> Reedline {
    editor
        .with_highlighter(Box::new(reedline::SimpleMatchHighlighter::default()))
        .with_edit_mode(Box::new(Keys::of_question(pastes.clone())))
}

fn read(editor: &mut Reedline, prompt: &dyn Prompt) -> io::Result<Line> {
    let mut tries = 0;
    loop {
        match editor.read_line(prompt) {
            Ok(Signal::Success(text)) => return Ok(Line::Text(text)),
            Ok(Signal::CtrlC) => return Ok(Line::Interrupted),
            Ok(Signal::CtrlD) => return Ok(Line::End),
            Ok(Signal::ExternalBreak(_)) => return Ok(Line::Stopped),
            Ok(_) => {}
            // A busy terminal reports the place of its cursor too late. Nothing typed is lost, so the line is
            // read again.
            Err(error) => {
                tries += 1;
                if tries == TRIES {
                    return Err(error);
                }
            }
        }
    }
}
