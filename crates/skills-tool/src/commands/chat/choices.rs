//! A numbered menu: a title, what to do, and the choices with their notes.

use crate::output::fit::shortened;
use crate::output::one_line;
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
    /// The choice that is chosen at first.
    pub(crate) start: usize,
    /// Whether letters narrow the choices, as in a list of skills.
    pub(crate) narrows: bool,
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
            narrows: false,
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

    /// Finds the choices whose label holds a text, then those whose note does. Case does not count.
    pub(crate) fn holding(&self, text: &str) -> Vec<usize> {
        let text = text.to_lowercase();
        let holds = |part: &str| part.to_lowercase().contains(&text);
        let (labels, others): (Vec<usize>, Vec<usize>) =
            (0..self.items.len()).partition(|&at| holds(&self.items[at].label));
        let notes = others.into_iter().filter(|&at| holds(&self.items[at].note));
        labels.into_iter().chain(notes).collect()
    }

    /// Draws choices, a line each, with `>` before the chosen one.
    pub(crate) fn lines(&self, choices: &[usize], window: Window) -> Vec<String> {
        let digits = self.items.len().to_string().len();
        let items = choices
            .iter()
            .filter_map(|&at| Some((at, self.items.get(at)?)));
        let labels = items.clone().map(|(_, item)| item.label.width()).max();
        // One long label leaves the notes of the others their room.
        let most = window.width.map_or(usize::MAX, |width| (width / 3).max(20));
        let labels = labels.unwrap_or_default().min(most);
        let seen = items.enumerate().skip(window.first()).take(window.rows);
        let lines = seen.map(|(row, (at, item))| {
            let mark = if row == window.selected { '>' } else { ' ' };
            let head = format!("{mark} {:>digits$}. ", at + 1);
            let line = with_note(item, head, labels, window.width);
            shortened(&line, window.width).into_owned()
        });
        lines.collect()
    }
}

impl Window {
    /// The first row that is seen.
    pub(crate) fn first(self) -> usize {
        (self.selected + 1).saturating_sub(self.rows)
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
        let drawn = |width| choices.lines(&[0, 1], window(9, width));
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
        let lines = choices.lines(&choices.holding(""), window);
        assert_eq!(lines.len(), 5);
        assert_eq!(lines[4], "> 12. skill-12");
        assert_eq!(choices.named("12"), Some(11));
        assert_eq!(choices.named("skill-3"), Some(2));
        assert_eq!([choices.named("0"), choices.named("21")], [None, None]);
    }

    #[test]
    fn letters_narrow() {
        let mut choices = Choices::new("Skills", "");
        choices.push("tidy", "Orders files for a RELEASE.");
        choices.push("release-notes", "Writes notes.");
        choices.push("Überblick", "");
        assert_eq!(choices.holding("release"), [1, 0]);
        assert_eq!(choices.holding("ÜBER"), [2]);
        assert!(choices.holding("nothing").is_empty());
        let lines = choices.lines(&[1], window(5, 80));
        assert_eq!(lines, ["> 2. release-notes      Writes notes."]);
    }

    #[test]
    fn a_long_label_leaves_the_others_their_notes() {
        let mut choices = Choices::new("Skills", "");
        choices.push(&"long-".repeat(9), "Its note.");
        choices.push("short", "A note that is read.");
        let lines = choices.lines(&[0, 1], window(5, 60));
        assert_eq!(
            lines[1],
            format!("  2. short{}A note that is read.", " ".repeat(21))
        );
    }
}
