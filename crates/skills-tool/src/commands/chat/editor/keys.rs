//! The effect of each key on the line and on the menu.
//!
//! The line editor can read several keys before it carries out the first. An event meets the menu as it is
//! when the event is carried out, not as it was when the key was read. So every decision that depends on
//! the menu is made in the menu. Two events that a menu of one column does not need ask for these
//! decisions: [`ReedlineEvent::MenuLeft`] closes a menu without a selected row, and
//! [`ReedlineEvent::MenuRight`] selects the first row when no row is selected.

use crate::commands::chat::editor::menu::NAME;
use crate::commands::chat::editor::paste::Pastes;
use crossterm::event::{Event, KeyEvent};
use reedline::{
    EditCommand, EditMode, Emacs, KeyCode, KeyModifiers, PromptEditMode, ReedlineEvent,
    ReedlineRawEvent,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The keys of Emacs, with the keys of the menu.
pub(crate) struct Keys {
    emacs: Emacs,
    pastes: Pastes,
    /// True during a search in the history: letters then belong to the search.
    is_searching: Arc<AtomicBool>,
    /// True when the menu has just put a space after a name: a space typed next is dropped.
    spaced: Arc<AtomicBool>,
    /// True for a line with a menu.
    has_menu: bool,
}

impl Keys {
    pub(crate) fn new(
        pastes: Pastes,
        is_searching: Arc<AtomicBool>,
        spaced: Arc<AtomicBool>,
    ) -> Self {
        Self {
            emacs: Emacs::default(),
            pastes,
            is_searching,
            spaced,
            has_menu: true,
        }
    }

    /// Builds the keys of a line without a menu and without a history.
    pub(crate) fn of_question(pastes: Pastes) -> Self {
        Self {
            has_menu: false,
            ..Self::new(pastes, Arc::default(), Arc::default())
        }
    }

    fn emacs(&mut self, event: Event) -> ReedlineEvent {
        match ReedlineRawEvent::try_from(event) {
            Ok(event) => self.emacs.parse_event(event),
            Err(()) => ReedlineEvent::None,
        }
    }

    fn key(&mut self, key: KeyEvent) -> ReedlineEvent {
        use ReedlineEvent as Do;
        let control = key.modifiers == KeyModifiers::CONTROL;
        let is_spaced = self.spaced.swap(false, Ordering::Relaxed);
        match (key.modifiers, key.code) {
            (KeyModifiers::NONE, KeyCode::Char(' ')) if is_spaced => Do::None,
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
                Do::SearchHistory => {
                    self.is_searching.store(true, Ordering::Relaxed);
                    Do::Multiple(vec![Do::Esc, Do::SearchHistory])
                }
                Do::Edit(commands) => edited(commands),
                event => event,
            },
        }
    }

    /// Returns the event of a key during a search in the history.
    fn searched(&mut self, event: Event) -> ReedlineEvent {
        let event = match event {
            Event::Paste(text) => {
                // The search of reedline ignores an inserted string, so each character is inserted by itself.
                let text = self.pastes.fold(&text);
                ReedlineEvent::Edit(text.chars().map(EditCommand::InsertChar).collect())
            }
            event => self.emacs(event),
        };
        // Every other event ends the search in reedline.
        let goes_on = match &event {
            ReedlineEvent::Edit(commands) => commands.iter().all(|command| {
                matches!(command, EditCommand::InsertChar(_) | EditCommand::Backspace)
            }),
            ReedlineEvent::None
            | ReedlineEvent::SearchHistory
            | ReedlineEvent::UntilFound(_)
            | ReedlineEvent::Resize(..) => true,
            _ => false,
        };
        self.is_searching.store(goes_on, Ordering::Relaxed);
        event
    }
}

impl EditMode for Keys {
    fn parse_event(&mut self, event: ReedlineRawEvent) -> ReedlineEvent {
        match Event::from(event) {
            event if self.is_searching.load(Ordering::Relaxed) => self.searched(event),
            Event::Paste(text) => edited(vec![EditCommand::InsertString(self.pastes.fold(&text))]),
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
