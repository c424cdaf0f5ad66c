//! The line editor: history, colours, and a menu that opens while a person types.

mod menu;

use crate::commands::chat::editor::menu::{INDICATOR, NAME, SkillMenu};
use crate::commands::chat::host::Live;
use crate::environment::Environment;
use crate::output::one_line;
use crate::output::text::printable;
use crossterm::event::{Event, KeyEvent};
use reedline::{
    EditCommand, EditMode, Emacs, FileBackedHistory, History, KeyCode, KeyModifiers, Prompt,
    PromptEditMode, PromptHistorySearch, Reedline, ReedlineEvent, ReedlineMenu, ReedlineRawEvent,
    Signal,
};
use skills_store::disk;
use std::borrow::Cow;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::{fs, io};

/// The maximum number of reads from a terminal that does not answer.
const TRIES: usize = 3;

/// A line editor on a terminal.
pub(crate) struct LineEditor {
    chat: Reedline,
    prompt: LinePrompt,
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
        let prompt = LinePrompt(INDICATOR.to_owned());
        let menu = SkillMenu::new(Arc::clone(live));
        let chat = plain(true, colour, wake)
            .with_history(history)
            .with_history_exclusion_prefix(Some(" ".to_owned()))
            .with_menu(ReedlineMenu::EngineCompleter(Box::new(menu)));
        Self { chat, prompt }
    }

    /// Reads a message.
    pub(crate) fn read(&mut self) -> io::Result<Line> {
        let line = read(&mut self.chat, &self.prompt)?;
        // Written now: other sessions see the message, and the message survives a kill of this session.
        let _ = self.chat.sync_history();
        Ok(line)
    }

    /// Puts text into the line that is read next.
    pub(crate) fn put_back(&mut self, text: &str) {
        let insert = EditCommand::InsertString(pasted(text));
        self.chat.run_edit_commands(&[insert]);
    }
}

/// Reads the answer to a question. The answer is not kept in the history.
pub(crate) fn question(text: &str, colour: bool, wake: &Arc<AtomicBool>) -> io::Result<Line> {
    let prompt = LinePrompt(one_line(text) + " ");
    read(&mut plain(false, colour, wake), &prompt)
}

fn plain(has_menu: bool, colour: bool, wake: &Arc<AtomicBool>) -> Reedline {
    let emacs = Emacs::default();
    Reedline::create()
        .with_ansi_colors(colour)
        .use_bracketed_paste(true)
        .with_break_signal(Arc::clone(wake))
        .with_highlighter(Box::new(reedline::SimpleMatchHighlighter::default()))
        .with_edit_mode(Box::new(Keys { emacs, has_menu }))
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

/// The keys of Emacs, with the keys of the menu.
pub(crate) struct Keys {
    emacs: Emacs,
    /// True for a line with a menu.
    has_menu: bool,
}

impl Keys {
    fn emacs(&mut self, event: Event) -> ReedlineEvent {
        match ReedlineRawEvent::try_from(event) {
            Ok(event) => self.emacs.parse_event(event),
            Err(()) => ReedlineEvent::None,
        }
    }

    fn key(&mut self, key: KeyEvent) -> ReedlineEvent {
        use ReedlineEvent as Do;
        let control = key.modifiers == KeyModifiers::CONTROL;
        match (key.modifiers, key.code) {
            // `MenuLeft` first: it closes a menu without a selected row, and Enter then sends the line.
            (KeyModifiers::NONE, KeyCode::Enter) => Do::Multiple(vec![Do::MenuLeft, Do::Enter]),
            (KeyModifiers::ALT | KeyModifiers::SHIFT, KeyCode::Enter) => new_line(),
            (_, KeyCode::Char('j')) if control => new_line(),
            // Without a menu, the last event of the next arm would send the line.
            (KeyModifiers::NONE, KeyCode::Tab) if !self.has_menu => Do::None,
            (KeyModifiers::NONE, KeyCode::Tab) => {
                // Opens a closed menu, selects the first row if no row is selected, and takes the selected row.
                Do::Multiple(vec![open_menu(), Do::MenuRight, Do::Enter])
            }
            (_, KeyCode::BackTab) => Do::MenuUp,
            (KeyModifiers::NONE, KeyCode::Left) => moved(Do::Left),
            (KeyModifiers::NONE, KeyCode::Right) => moved(Do::Right),
            (_, KeyCode::Char('b')) if control => moved(Do::Left),
            (_, KeyCode::Char('f')) if control => moved(Do::Right),
            (_, KeyCode::Char('p')) if control => Do::UntilFound(vec![Do::MenuUp, Do::Up]),
            (_, KeyCode::Char('n')) if control => Do::UntilFound(vec![Do::MenuDown, Do::Down]),
            (KeyModifiers::NONE, KeyCode::PageUp) => Do::MenuPagePrevious,
            (KeyModifiers::NONE, KeyCode::PageDown) => Do::MenuPageNext,
            (_, KeyCode::Char('c')) if control => Do::Multiple(vec![Do::Esc, Do::CtrlC]),
            _ => match self.emacs(Event::Key(key)) {
                // Its keys would be those of the menu.
                Do::SearchHistory => Do::None,
                Do::Edit(commands) => edited(commands),
                event => event,
            },
        }
    }
}

impl EditMode for Keys {
    fn parse_event(&mut self, event: ReedlineRawEvent) -> ReedlineEvent {
        match Event::from(event) {
            Event::Paste(text) => edited(vec![EditCommand::InsertString(pasted(&text))]),
            Event::Key(key) => self.key(key),
            event => self.emacs(event),
        }
    }

    fn edit_mode(&self) -> PromptEditMode {
        PromptEditMode::Emacs
    }
}

fn open_menu() -> ReedlineEvent {
    ReedlineEvent::Menu(NAME.to_owned())
}

fn new_line() -> ReedlineEvent {
    edited(vec![EditCommand::InsertNewline])
}

/// Edits the line, and opens the menu where a name can be completed.
fn edited(commands: Vec<EditCommand>) -> ReedlineEvent {
    ReedlineEvent::Multiple(vec![ReedlineEvent::Edit(commands), open_menu()])
}

fn moved(event: ReedlineEvent) -> ReedlineEvent {
    ReedlineEvent::Multiple(vec![event, open_menu()])
}

/// Returns a pasted text for the line: line ends become line feeds, and other control characters become pictures.
fn pasted(text: &str) -> String {
    printable(&text.replace("\r\n", "\n").replace('\r', "\n"), "\n\t")
}

/// The prompt of a line.
struct LinePrompt(String);

impl Prompt for LinePrompt {
    fn render_prompt_left(&self) -> Cow<'_, str> {
        "".into()
    }

    fn render_prompt_right(&self) -> Cow<'_, str> {
        "".into()
    }

    fn render_prompt_indicator(&self, _mode: PromptEditMode) -> Cow<'_, str> {
        self.0.as_str().into()
    }

    fn render_prompt_multiline_indicator(&self) -> Cow<'_, str> {
        "  ".into()
    }

    fn render_prompt_history_search_indicator(&self, _: PromptHistorySearch) -> Cow<'_, str> {
        self.0.as_str().into()
    }
}

/// The maximum number of messages in the history.
const MOST: usize = 1000;
/// The maximum length of a history that is read, in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// Opens the history in the data folder. When the file cannot be used, the history lasts for this session
/// only, and the message says why.
pub(crate) fn open(env: &Environment) -> (Box<dyn History>, Option<String>) {
    let Some(data) = &env.data else {
        let why = "there is no folder for data: no history is kept".to_owned();
        return (in_memory(), Some(why));
    };
    let path = data.join("skills").join("chat-history.txt");
    match opened(&path) {
        Ok(history) => (Box::new(history), None),
        Err(error) => {
            let path = env.shown(&path);
            let why = format!("{path}: no history is kept: {error}");
            (in_memory(), Some(why))
        }
    }
}

/// Returns a history that ends with the session.
pub(crate) fn in_memory() -> Box<dyn History> {
    Box::<FileBackedHistory>::default()
}

fn opened(path: &Path) -> Result<FileBackedHistory, io::Error> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    // Before the file is opened to write: a pipe in its place would wait for a reader.
    check(path)?;
    // Before reedline opens the file: reedline would create it with the rights of the umask.
    private(path)?;
    FileBackedHistory::with_file(MOST, PathBuf::from(path)).map_err(io::Error::other)
}

/// Creates the file, or restricts an existing file, so that only its owner can read it.
fn private(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    #[cfg(unix)]
    {
        // The mode of `open` is for a new file only.
        use std::os::unix::fs::PermissionsExt as _;
        if file.metadata()?.permissions().mode() & 0o777 != 0o600 {
            file.set_permissions(fs::Permissions::from_mode(0o600))?;
        }
    }
    drop(file);
    Ok(())
}

/// Refuses what is not a file of texts, and control characters: a recalled message would steer the terminal.
fn check(path: &Path) -> io::Result<()> {
    let text = match disk::read_text(path, MOST_BYTES) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => {
            let why = format!("{error}; move it away");
            return Err(io::Error::new(error.kind(), why));
        }
        Ok(text) => text,
    };
    if printable(&text, "\n\t") == text {
        Ok(())
    } else {
        let why = "the file contains control characters; move it away";
        Err(io::Error::new(io::ErrorKind::InvalidData, why))
    }
}

#[cfg(all(test, target_os = "linux"))]
mod history_tests {
    use super::*;
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    #[test]
    fn what_is_not_a_file_of_texts_is_refused_before_it_is_opened_to_write() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = |name: &str| dir.path().join(name);
        let refused = |name: &str| opened(&path(name)).expect_err("refused").to_string();
        assert!(opened(&path("new")).is_ok());
        fs::create_dir(path("folder")).expect("a folder");
        assert_eq!(refused("folder"), "it is not a file; move it away");
        mknodat(CWD, path("pipe"), FileType::Fifo, Mode::RWXU, 0).expect("a pipe");
        assert_eq!(refused("pipe"), "it is not a file; move it away");
        fs::write(path("bytes"), [0xff]).expect("a file");
        assert_eq!(refused("bytes"), "it is not UTF-8; move it away");
        let large = fs::File::create(path("large")).expect("a file");
        large.set_len(MOST_BYTES + 1).expect("a large file");
        assert!(refused("large").contains("is larger than"));
    }
}
