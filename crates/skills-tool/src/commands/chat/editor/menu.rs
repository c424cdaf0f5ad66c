//! The menu under the line with the names that can be inserted at the cursor.

use crate::commands::chat::host::{Live, Row};
use crate::output::screen::{CAREFUL, FAINT, SELECTED};
use crate::output::text::shortened;
use clap::builder::styling::Style;
use reedline::{Completer, Editor, Menu, MenuEvent, Painter, Suggestion, UndoBehavior};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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
    /// Set when the menu puts a name and a space into the line. The keys reset this flag.
    spaced: Arc<AtomicBool>,
}

impl SkillMenu {
    pub(crate) fn new(live: Arc<Live>, spaced: Arc<AtomicBool>) -> Self {
        Self {
            live,
            spaced,
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
        self.spaced.store(!space.is_empty(), Ordering::Relaxed);
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

/// The gap between the name and the description, in cells.
const GAP: usize = 2;
/// The fewest columns of a name before a reason.
const SHORTEST: usize = 4;
/// The minimum width to which a long name is shortened, in cells.
const WIDEST_NAME: usize = 24;
/// The minimum number of cells for a description. With less room the description is left out.
const LEAST: usize = 12;

/// The area and the colours of the drawn rows.
#[derive(Clone, Copy)]
pub(crate) struct Look {
    /// The width of a line in cells.
    pub(crate) width: usize,
    /// The maximum number of lines.
    pub(crate) height: usize,
    pub(crate) colour: bool,
}

/// Draws the rows around the selected row, at most `look.height` lines. The last line has the number of
/// hidden rows.
pub(crate) fn lines(rows: &[Row], selected: Option<usize>, look: Look) -> Vec<String> {
    let shown = shown(rows.len(), look.height);
    let first = selected.map_or(0, |at| (at + 1).saturating_sub(shown));
    let seen: Vec<(usize, &Row)> = rows.iter().enumerate().skip(first).take(shown).collect();
    let names = seen.iter().map(|(_, row)| row.text.width()).max();
    let room = look.width.saturating_sub(2);
    // Bounded, so that one long name leaves room for the descriptions.
    let most = (look.width / 3).max(WIDEST_NAME).min(room);
    let names = names.unwrap_or_default().min(most);
    let mut lines: Vec<String> = seen
        .iter()
        .map(|&(at, row)| line(row, selected == Some(at), names, look))
        .collect();
    let rest = rows.len() - seen.len();
    if rest > 0 && look.height > 1 {
        let text = format!("  {rest} more: type on, or use the arrows");
        let text = shortened(&text, Some(look.width));
        lines.push(painted(FAINT, &text, look.colour));
    }
    lines
}

/// Returns how many rows fit into a height. The last line is reserved for the number of hidden rows.
fn shown(rows: usize, height: usize) -> usize {
    if rows > height && height > 1 {
        height - 1
    } else {
        rows.min(height)
    }
}

fn line(row: &Row, is_selected: bool, names: usize, look: Look) -> String {
    let mark = if is_selected { "> " } else { "  " };
    let base = match (is_selected, row.reason.is_empty()) {
        (true, _) => SELECTED,
        (false, true) if row.scheduled => CAREFUL,
        (false, true) => Style::new(),
        (false, false) => FAINT,
    };
    let mut line = painted(base, mark, look.colour);
    // A reason stays whole in a narrow terminal: the name is shortened before it.
    let reason = match row.reason.width() {
        0 => 0,
        width => width + "()".len(),
    };
    let names = match reason {
        0 => names,
        reason => match look.width.saturating_sub(mark.len() + GAP + reason) {
            // A reason without a name says nothing.
            0..SHORTEST => names,
            room => names.min(room),
        },
    };
    let name = shortened(&row.text, Some(names));
    line.push_str(&painted(base, &name, look.colour));
    let used = mark.len() + names + GAP;
    let room = look.width.saturating_sub(used);
    let about = match (row.reason.as_str(), row.description.as_str()) {
        ("", about) => about.to_owned(),
        (reason, _) if room < reason.width() + 5 => format!("({reason})"),
        (reason, about) => format!("({reason}) {about}"),
    };
    if (room >= LEAST || reason > 0 && room >= reason) && !about.is_empty() {
        let missing = names.saturating_sub(row.text.width());
        line.push_str(&" ".repeat(missing + GAP));
        line.push_str(&painted(FAINT, &shortened(&about, Some(room)), look.colour));
    }
    line
}

fn painted(style: Style, text: &str, colour: bool) -> String {
    if !colour || style.is_plain() || text.is_empty() {
        text.to_owned()
    } else {
        format!("{style}{text}{style:#}")
    }
}

#[cfg(test)]
mod menu_rows_tests {
    use super::*;

    fn row(text: &str, reason: &str) -> Row {
        Row {
            text: text.to_owned(),
            description: "Reviews code for faults. Use before a merge.".to_owned(),
            reason: reason.to_owned(),
            scheduled: false,
        }
    }

    fn look(width: usize, height: usize) -> Look {
        Look {
            width,
            height,
            colour: false,
        }
    }

    #[test]
    fn one_line_each_by_the_width() {
        let rows = [row("$code-review", ""), row("$検査", "disabled")];
        let drawn = |width| lines(&rows, Some(1), look(width, 9));
        assert_eq!(
            drawn(80),
            [
                "  $code-review  Reviews code for faults. Use before a merge.",
                "> $検査         (disabled) Reviews code for faults. Use before a merge.",
            ]
        );
        assert_eq!(
            drawn(40),
            [
                "  $code-review  Reviews code for…",
                "> $検査         (disabled) Reviews code…",
            ]
        );
        assert_eq!(drawn(20), ["  $code-review", "> $検査   (disabled)"]);
        assert_eq!(drawn(10), ["  $code-r…", "> $検査"]);
        for width in 0..90 {
            assert!(drawn(width).iter().all(|line| line.width() <= width.max(2)));
        }
    }

    #[test]
    fn the_selected_row_is_seen() {
        let rows: Vec<Row> = (0..30).map(|n| row(&format!("$skill-{n}"), "")).collect();
        for selected in [None, Some(0), Some(8), Some(9), Some(29)] {
            let lines = lines(&rows, selected, look(60, 10));
            assert_eq!(lines.len(), 10);
            assert_eq!(lines[9], "  21 more: type on, or use the arrows");
            let marked = lines.iter().filter(|line| line.starts_with("> ")).count();
            assert_eq!(marked, usize::from(selected.is_some()));
        }
        assert_eq!(lines(&rows, Some(7), look(60, 1)).len(), 1);
    }

    #[test]
    fn scheduled_skills_have_the_colour_of_a_warning() {
        let scheduled = Row {
            scheduled: true,
            ..row("/sched-daily-1a2b3c4d", "")
        };
        let drawn = |selected, colour| {
            let look = Look {
                colour,
                ..look(80, 9)
            };
            lines(std::slice::from_ref(&scheduled), selected, look).remove(0)
        };
        let name = "\u{1b}[1m\u{1b}[35m/sched-daily-1a2b3c4d\u{1b}[0m";
        assert!(drawn(None, true).contains(name), "{:?}", drawn(None, true));
        // A selected row looks the same, scheduled or not.
        assert!(!drawn(Some(0), true).contains("\u{1b}[35m"));
        assert!(!drawn(None, false).contains('\u{1b}'));
    }

    #[test]
    fn typed_letters_are_marked() {
        let rows = [row("$code-review", ""), row("$co", "needs git")];
        let look = Look {
            colour: true,
            ..look(80, 9)
        };
        let lines = lines(&rows, None, look);
        assert!(
            lines[0].starts_with("  $\u{1b}[4m\u{1b}[36mco\u{1b}[0mde-review  "),
            "{:?}",
            lines[0]
        );
        assert!(
            lines[1].starts_with("\u{1b}[2m  \u{1b}[0m\u{1b}[2m$\u{1b}[0m"),
            "{:?}",
            lines[1]
        );
    }
}
