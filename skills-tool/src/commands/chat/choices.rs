//! A numbered menu: a title, what to do, and the choices with their notes.

use crate::output::one_line;
use crate::output::table::shortened;
use unicode_width::UnicodeWidthStr as _;

/// Cells between a choice and its note, if there is room.
const WIDE: usize = 6;
const NARROW: usize = 2;
/// The fewest cells in which a note is worth reading.
const LEAST: usize = 10;

/// A numbered menu.
pub(crate) struct Choices {
    pub(crate) title: String,
    pub(crate) subtitle: String,
    /// The row that is chosen at first.
    pub(crate) start: usize,
    items: Vec<Item>,
}

struct Item {
    label: String,
    note: String,
}

/// The rows that are seen.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    /// The chosen row, which is seen.
    pub(crate) selected: usize,
    /// The most rows.
    pub(crate) rows: usize,
    /// The cells of a line. `None`: lines are not cut.
    pub(crate) width: Option<usize>,
}

impl Choices {
    pub(crate) fn new(title: &str, subtitle: &str) -> Self {
        Self {
            title: one_line(title),
            subtitle: subtitle.to_owned(),
            start: 0,
            items: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, label: &str, note: &str) {
        self.items.push(Item {
            label: one_line(label),
            note: one_line(note),
        });
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// Finds the choice of a number or of a label.
    pub(crate) fn named(&self, text: &str) -> Option<usize> {
        let number = text.parse::<usize>().ok();
        let at = number.and_then(|number| number.checked_sub(1));
        at.filter(|at| *at < self.items.len())
            .or_else(|| self.items.iter().position(|item| item.label == text))
    }

    /// Draws the choices, a line each, with `>` before the chosen one.
    pub(crate) fn lines(&self, window: Window) -> Vec<String> {
        let digits = self.items.len().to_string().len();
        let labels = self.items.iter().map(|item| item.label.width()).max();
        let labels = labels.unwrap_or_default();
        let first = (window.selected + 1).saturating_sub(window.rows);
        let seen = self.items.iter().enumerate();
        let seen = seen.skip(first).take(window.rows);
        let lines = seen.map(|(at, item)| {
            let mark = if at == window.selected { '>' } else { ' ' };
            let head = format!("{mark} {:>digits$}. ", at + 1);
            let line = with_note(item, head, labels, window.width);
            shortened(&line, window.width).into_owned()
        });
        lines.collect()
    }
}

/// A choice and its note; the gap is smaller, or the note is left out, where there is no room.
fn with_note(item: &Item, head: String, labels: usize, width: Option<usize>) -> String {
    let mut line = head + &item.label;
    if item.note.is_empty() {
        return line;
    }
    let missing = labels.saturating_sub(item.label.width());
    let used = line.width() + missing;
    let fits = |gap: usize, note: usize| width.is_none_or(|width| used + gap + note <= width);
    let gap = if fits(WIDE, item.note.width()) {
        WIDE
    } else {
        NARROW
    };
    if fits(gap, LEAST) {
        line.push_str(&" ".repeat(missing + gap));
        line.push_str(&item.note);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(rows: usize, width: usize) -> Window {
        Window {
            selected: 0,
            rows,
            width: Some(width),
        }
    }

    #[test]
    fn notes_stand_beside_the_choices_where_there_is_room() {
        let mut choices = Choices::new("Skills", "Choose an action");
        choices.push("List skills", "Tip: press $ to open this list directly.");
        choices.push("Install skill", "Install from local path or git URL.");
        let drawn = |width| choices.lines(window(9, width));
        assert_eq!(
            drawn(80),
            [
                "> 1. List skills        Tip: press $ to open this list directly.",
                "  2. Install skill      Install from local path or git URL.",
            ]
        );
        assert_eq!(
            drawn(40),
            [
                "> 1. List skills    Tip: press $ to…",
                "  2. Install skill  Install from local…",
            ]
        );
        assert_eq!(drawn(20), ["> 1. List skills", "  2. Install skill"]);
    }

    #[test]
    fn the_chosen_row_is_seen() {
        let mut choices = Choices::new("Skills", "");
        for number in 1..=20 {
            choices.push(&format!("skill-{number}"), "");
        }
        let mut window = window(5, 80);
        window.selected = 11;
        let lines = choices.lines(window);
        assert_eq!(lines.len(), 5);
        assert_eq!(lines[4], "> 12. skill-12");
        assert_eq!(choices.named("12"), Some(11));
        assert_eq!(choices.named("skill-3"), Some(2));
        assert_eq!([choices.named("0"), choices.named("21")], [None, None]);
    }
}
