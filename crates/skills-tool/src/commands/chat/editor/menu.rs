//! The menu under the line with the names that can be inserted at the cursor.

use crate::commands::chat::host::Live;
use crate::commands::chat::rows::{Look, Row, lines};
use reedline::{Completer, Editor, Menu, MenuEvent, Painter, Suggestion, UndoBehavior};
use std::sync::Arc;
use unicode_width::UnicodeWidthStr as _;

/// The text before the first line.
pub(crate) const INDICATOR: &str = "> ";

/// The name of the menu in the line editor.
pub(crate) const NAME: &str = "skills";
/// The maximum number of lines of the menu.
const MOST: u16 = 10;

/// A menu that opens while a person types, and narrows with each key.
///
/// No row is selected until a person presses an arrow or Tab. Until then Enter sends the message as typed.
pub(crate) struct SkillMenu {
    live: Arc<Live>,
    is_open: bool,
    /// The word at the cursor, with the byte at which the word begins.
    word: (usize, String),
    rows: Vec<Row>,
    selected: Option<usize>,
    /// The word for which a person closed the menu. The menu stays closed while the word grows.
    closed: Option<(usize, String)>,
    width: u16,
    height: u16,
}

impl SkillMenu {
    pub(crate) fn new(live: Arc<Live>) -> Self {
        Self {
            live,
            is_open: false,
            word: (0, String::new()),
            rows: Vec::new(),
            selected: None,
            closed: None,
            width: 0,
            height: 0,
        }
    }

    /// Reads the word at the cursor, and finds the rows for the word.
    fn refresh(&mut self, line: &str, cursor: usize) {
        let Some(offer) = self.live.current().offer(line, cursor) else {
            self.is_open = false;
            self.closed = None;
            return;
        };
        let start = offer.replace.start;
        let typed = line.get(start..cursor).unwrap_or_default();
        if let Some((at, word)) = &self.closed {
            if *at == start && typed.starts_with(&**word) {
                self.is_open = false;
                return;
            }
            self.closed = None;
        }
        let word = (start, typed.to_owned());
        if self.word != word || self.rows.len() != offer.rows.len() {
            self.selected = None;
        }
        self.word = word;
        self.rows = offer.rows;
    }

    /// Moves the selection by a number of rows. A single step goes around the ends; a page stops there.
    fn choose(&mut self, by: isize) {
        let count = self.rows.len().max(1).cast_signed();
        let from = match self.selected {
            Some(at) => at.cast_signed(),
            None if by > 0 => -1,
            None => 0,
        };
        let to = match by {
            1 | -1 => (from + by).rem_euclid(count),
            _ => (from + by).clamp(0, count - 1),
        };
        self.selected = Some(to.unsigned_abs());
    }
}

/// Returns the number of rows that a line takes on a terminal.
fn rows_of(line: &str, width: u16) -> u16 {
    let width = usize::from(width.max(1));
    let rows = line.split('\n').map(|part| {
        let cells = part.width() + INDICATOR.len();
        cells.div_ceil(width)
    });
    u16::try_from(rows.sum::<usize>()).unwrap_or(u16::MAX)
}

impl Menu for SkillMenu {
    fn name(&self) -> &str {
        NAME
    }

    fn indicator(&self) -> &str {
        INDICATOR
    }

    fn is_active(&self) -> bool {
        self.is_open
    }

    fn menu_event(&mut self, event: MenuEvent) {
        let page = isize::from(MOST.cast_signed()) - 1;
        match event {
            MenuEvent::Activate(_) => {
                self.is_open = true;
                self.selected = None;
            }
            MenuEvent::Deactivate => {
                self.closed = self.is_open.then(|| self.word.clone());
                self.is_open = false;
            }
            MenuEvent::Edit(_) => self.selected = None,
            // `MenuLeft` and `MenuRight`, as the documentation of `keys` describes.
            MenuEvent::MoveLeft if self.selected.is_none() => {
                self.is_open = false;
                self.closed = None;
            }
            MenuEvent::MoveRight if self.selected.is_none() => self.selected = Some(0),
            MenuEvent::MoveLeft | MenuEvent::MoveRight => {}
            MenuEvent::MoveDown | MenuEvent::NextElement => self.choose(1),
            MenuEvent::MoveUp | MenuEvent::PreviousElement => self.choose(-1),
            MenuEvent::NextPage => self.choose(page),
            MenuEvent::PreviousPage => self.choose(-page),
        }
    }

    fn can_quick_complete(&self) -> bool {
        false
    }

    fn can_partially_complete(
        &mut self,
        _values_updated: bool,
        _editor: &mut Editor,
        _completer: &mut dyn Completer,
    ) -> bool {
        false
    }

    fn update_values(&mut self, editor: &mut Editor, _completer: &mut dyn Completer) {
        let line = editor.line_buffer();
        self.refresh(line.get_buffer(), line.insertion_point());
    }

    fn update_working_details(
        &mut self,
        editor: &mut Editor,
        completer: &mut dyn Completer,
        painter: &Painter,
    ) {
        self.width = painter.screen_width();
        // The line, and a row above the line, stay visible.
        let line = rows_of(editor.line_buffer().get_buffer(), self.width);
        let room = painter.screen_height().saturating_sub(line + 2);
        self.height = MOST.min(room);
        self.update_values(editor, completer);
        self.is_open &= room > 0;
    }

    /// Puts the selected row in place of the word. The rows are found again, because the line can have changed
    /// since the rows were drawn.
    fn replace_in_buffer(&self, editor: &mut Editor) {
        let line = editor.line_buffer();
        let offer = self
            .live
            .current()
            .offer(line.get_buffer(), line.insertion_point());
        let Some((offer, selected)) = offer.zip(self.selected) else {
            return;
        };
        // The new list can be shorter than the list in which the row was selected.
        let Some(row) = offer.rows.get(selected % offer.rows.len().max(1)) else {
            return;
        };
        let (start, end) = (offer.replace.start, offer.replace.end);
        let rest = line.get_buffer().get(end..).unwrap_or_default();
        let space = if rest.starts_with(char::is_whitespace) {
            ""
        } else {
            " "
        };
        let text = format!("{}{space}", row.text);
        editor.edit_buffer(
            |line| {
                line.replace_range(start..end, &text);
                line.clear_selection();
                // After the space, which existed or was added.
                line.set_insertion_point(start + row.text.len() + 1);
            },
            UndoBehavior::CreateUndoPoint,
        );
    }

    fn menu_required_lines(&self, _terminal_columns: u16) -> u16 {
        self.height
            .min(u16::try_from(self.rows.len()).unwrap_or(u16::MAX))
    }

    fn menu_string(&self, available_lines: u16, use_ansi_coloring: bool) -> String {
        let look = Look {
            // Some terminals wrap a line that fills the width.
            width: usize::from(self.width.saturating_sub(1)),
            height: usize::from(self.height.min(available_lines)),
            gap: 2,
            colour: use_ansi_coloring,
        };
        lines(&self.rows, self.selected, look).join("\r\n")
    }

    fn min_rows(&self) -> u16 {
        self.menu_required_lines(self.width)
    }

    fn get_values(&self) -> &[Suggestion] {
        &[]
    }
}
