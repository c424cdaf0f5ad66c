//! A numbered menu: a title, an instruction, the choices with their notes, and the keys that choose.

use crate::output::screen::Panel;
use crate::output::screen::{STRONG, marked};
use crate::output::text::shortened;
use crate::output::{Ctx, one_line};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::{event, terminal};
use std::io;
use std::io::Write as _;
use std::time::Duration;
use unicode_width::UnicodeWidthStr as _;

/// The gap between a choice and its note, in cells. Without room the gap is `NARROW`.
const WIDE: usize = 6;
const NARROW: usize = 2;
/// The minimum number of cells for a note. With less room the note is left out.
const LEAST: usize = 10;

/// A numbered menu.
pub(crate) struct Choices {
    pub(crate) title: String,
    pub(crate) subtitle: String,
    /// The choice that is selected first.
    pub(crate) start: usize,
    /// True when typed letters filter the choices, as in a list of skills.
    pub(crate) narrows: bool,
    items: Vec<Item>,
}

struct Item {
    label: String,
    /// A word that is never left out, such as `(untrusted)`.
    state: String,
    note: String,
}

/// The visible rows of a menu.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    /// The selected row, which is always visible.
    pub(crate) selected: usize,
    /// The maximum number of rows.
    pub(crate) rows: usize,
    /// The width of a line in cells. `None`: lines are not shortened.
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
        self.push_with_state(label, "", note);
    }

    /// Adds a choice with a state, which stays whole in a narrow terminal.
    pub(crate) fn push_with_state(&mut self, label: &str, state: &str, note: &str) {
        self.items.push(Item {
            label: one_line(label),
            state: one_line(state),
            note: one_line(note),
        });
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// Finds a choice by its number or its label.
    pub(crate) fn named(&self, text: &str) -> Option<usize> {
        let number = text.parse::<usize>().ok();
        let at = number.and_then(|number| number.checked_sub(1));
        at.filter(|at| *at < self.items.len())
            .or_else(|| self.items.iter().position(|item| item.label == text))
    }

    /// Finds the choices whose label contains the typed letters, then the choices whose note contains
    /// the letters. The search is case-insensitive.
    pub(crate) fn holding(&self, text: &str) -> Vec<usize> {
        let text = text.to_lowercase();
        let holds = |part: &str| part.to_lowercase().contains(&text);
        let (labels, others): (Vec<usize>, Vec<usize>) =
            (0..self.items.len()).partition(|&at| holds(&self.items[at].label));
        let notes = others
            .into_iter()
            .filter(|&at| holds(&self.items[at].note) || holds(&self.items[at].state));
        labels.into_iter().chain(notes).collect()
    }

    /// Draws choices, one line each, with `>` before the selected choice.
    pub(crate) fn lines(&self, choices: &[usize], window: Window) -> Vec<String> {
        let digits = self.items.len().to_string().len();
        let items = choices
            .iter()
            .filter_map(|&at| Some((at, self.items.get(at)?)));
        let labels = items.clone().map(|(_, item)| item.label.width()).max();
        // Bounded, so that one long label leaves room for the notes of the other choices.
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
    /// Returns the first visible row.
    pub(crate) fn first(self) -> usize {
        (self.selected + 1).saturating_sub(self.rows)
    }
}

/// Formats a choice with its note. Without room the gap is smaller, or the note is left out.
fn with_note(item: &Item, head: String, labels: usize, width: Option<usize>) -> String {
    if !item.state.is_empty() {
        return with_state(item, head, labels, width);
    }
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

/// Formats a choice with its state. The label is shortened before the state is.
fn with_state(item: &Item, head: String, labels: usize, width: Option<usize>) -> String {
    let state = item.state.width();
    let all = head.width() + labels.max(item.label.width()) + WIDE + state + 1 + item.note.width();
    let gap = if width.is_none_or(|width| all <= width) {
        WIDE
    } else {
        NARROW
    };
    let room = width.map(|width| width.saturating_sub(head.width() + gap + state));
    let label = shortened(&item.label, room);
    let missing = labels
        .min(room.unwrap_or(labels))
        .saturating_sub(label.width());
    let mut line = head;
    line.push_str(&label);
    line.push_str(&" ".repeat(missing + gap));
    line.push_str(&item.state);
    let left = width.map_or(usize::MAX, |width| width.saturating_sub(line.width()));
    if !item.note.is_empty() && left > LEAST {
        line.push(' ');
        line.push_str(&item.note);
    }
    line
}

/// The interval between two checks for a signal.
const PATIENCE: Duration = Duration::from_millis(100);
/// The number of lines beside the choices: title, subtitle, three empty lines, the visible range, the
/// keys, and a spare line.
const AROUND: u16 = 8;
/// The maximum number of visible choices, so that earlier output stays on the screen.
const MOST: u16 = 12;

/// An open menu.
struct Picker<'c> {
    choices: &'c Choices,
    /// The letters that filter the choices.
    filter: String,
    /// The choices that contain the letters.
    rows: Vec<usize>,
    /// The selected row.
    selected: usize,
    /// The digits of a number that is being typed.
    typed: String,
}

/// The effect of a key.
enum Step {
    Go,
    Chosen,
    Left,
}

/// Shows the choices. Returns the selected choice, or `None` when the person left the menu or the program
/// must end.
///
/// # Errors
///
/// The terminal cannot be controlled.
pub(crate) fn pick(
    choices: &Choices,
    cx: &mut Ctx,
    is_stopped: &dyn Fn() -> bool,
) -> io::Result<Option<usize>> {
    cx.flush()?;
    terminal::enable_raw_mode()?;
    let mut panel = Panel::new();
    let picked = Picker::new(choices).run(&mut panel, cx.has_colour(), is_stopped);
    // The menu is erased and the raw mode ends before an error is returned.
    let erased = panel.erase();
    terminal::disable_raw_mode()?;
    erased?;
    picked
}

impl<'c> Picker<'c> {
    fn new(choices: &'c Choices) -> Self {
        Self {
            choices,
            filter: String::new(),
            rows: choices.holding(""),
            selected: choices.start.min(choices.len().saturating_sub(1)),
            typed: String::new(),
        }
    }

    fn run(
        mut self,
        panel: &mut Panel,
        colour: bool,
        is_stopped: &dyn Fn() -> bool,
    ) -> io::Result<Option<usize>> {
        panel.draw(&self.lines(colour)?)?;
        loop {
            if is_stopped() {
                return Ok(None);
            }
            if !event::poll(PATIENCE)? {
                continue;
            }
            match event::read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => match self.key(key) {
                    Step::Go => panel.draw(&self.lines(colour)?)?,
                    Step::Chosen => return Ok(self.rows.get(self.selected).copied()),
                    Step::Left => return Ok(None),
                },
                Event::Resize(width, _) => {
                    panel.resized(width.into());
                    panel.draw(&self.lines(colour)?)?;
                }
                _ => {}
            }
        }
    }

    fn lines(&self, colour: bool) -> io::Result<Vec<String>> {
        let (width, height) = terminal::size()?;
        let window = Window {
            selected: self.selected,
            rows: usize::from(height.saturating_sub(AROUND).clamp(1, MOST)),
            // Some terminals wrap a line that fills the width.
            width: Some(usize::from(width.saturating_sub(1))),
        };
        let strong = |text: &str| {
            if colour {
                let (start, end) = (STRONG.to_string(), format!("{STRONG:#}"));
                format!("{}{text}{}", marked(&start), marked(&end))
            } else {
                text.to_owned()
            }
        };
        let subtitle = if self.filter.is_empty() {
            self.choices.subtitle.clone()
        } else {
            format!("{}: {}", self.choices.subtitle, self.filter)
        };
        let fit = |text: &str| shortened(text, window.width).into_owned();
        let title = strong(&fit(&self.choices.title));
        let mut lines = vec![String::new(), title, fit(&subtitle), String::new()];
        for line in self.choices.lines(&self.rows, window) {
            lines.push(if line.starts_with('>') {
                strong(&line)
            } else {
                line
            });
        }
        if self.rows.is_empty() {
            lines.push(fit("  nothing matches; Backspace removes a letter"));
        }
        let shown = self.rows.len().min(window.rows);
        if shown < self.rows.len() {
            let (first, all) = (window.first(), self.rows.len());
            lines.push(fit(&format!(
                "  rows {} to {} of {all}",
                first + 1,
                first + shown
            )));
        }
        lines.push(String::new());
        lines.push(fit(self.keys()));
        Ok(lines)
    }

    fn keys(&self) -> &'static str {
        match (self.choices.narrows, self.filter.is_empty()) {
            (false, _) => "Enter chooses, Esc goes back",
            (true, true) => "Enter chooses, Esc goes back, letters narrow",
            (true, false) => "Enter chooses, Esc shows all again",
        }
    }

    fn key(&mut self, key: KeyEvent) -> Step {
        let plain = matches!(key.modifiers, KeyModifiers::NONE | KeyModifiers::SHIFT);
        match key.code {
            KeyCode::Char(digit @ '0'..='9') if self.filter.is_empty() => return self.digit(digit),
            KeyCode::Char(letter) if plain && self.choices.narrows => {
                self.filter.push(letter);
                return self.narrow();
            }
            KeyCode::Backspace if self.filter.pop().is_some() => return self.narrow(),
            KeyCode::Esc if !self.filter.is_empty() => {
                self.filter.clear();
                return self.narrow();
            }
            _ => {}
        }
        self.typed.clear();
        self.steered(key)
    }

    /// Shows the choices that contain the letters.
    fn narrow(&mut self) -> Step {
        self.typed.clear();
        self.rows = self.choices.holding(&self.filter);
        self.selected = 0;
        Step::Go
    }

    /// Handles a key that moves, chooses or leaves.
    fn steered(&mut self, key: KeyEvent) -> Step {
        let last = self.rows.len().saturating_sub(1);
        let control = key.modifiers == KeyModifiers::CONTROL;
        match key.code {
            // Enter without a match does nothing: the third arm would leave the menu.
            KeyCode::Enter if self.rows.is_empty() && !self.filter.is_empty() => {}
            KeyCode::Enter if !self.rows.is_empty() => return Step::Chosen,
            KeyCode::Enter | KeyCode::Esc | KeyCode::Char('q') => return Step::Left,
            // In raw mode Ctrl-C is a key, and not a signal.
            KeyCode::Char('c' | 'd') if control => return Step::Left,
            KeyCode::Down | KeyCode::Char('j') | KeyCode::Tab => {
                self.selected = if self.selected == last {
                    0
                } else {
                    self.selected + 1
                };
            }
            KeyCode::Up | KeyCode::Char('k') | KeyCode::BackTab => {
                self.selected = self.selected.checked_sub(1).unwrap_or(last);
            }
            KeyCode::PageDown => self.selected = (self.selected + 10).min(last),
            KeyCode::PageUp => self.selected = self.selected.saturating_sub(10),
            KeyCode::Home => self.selected = 0,
            KeyCode::End => self.selected = last,
            _ => {}
        }
        Step::Go
    }

    /// Handles a digit of a number. A number that no other digit can extend chooses at once.
    fn digit(&mut self, digit: char) -> Step {
        self.typed.push(digit);
        let Some(at) = self.choices.named(&self.typed) else {
            self.typed.clear();
            return Step::Go;
        };
        self.selected = at;
        if (at + 1) * 10 > self.choices.len() {
            Step::Chosen
        } else {
            Step::Go
        }
    }
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
    fn a_state_stays_whole() {
        let mut choices = Choices::new("Skills", "");
        choices.push_with_state("deploy", "(untrusted)", "Deploys to the servers.");
        choices.push_with_state(
            "a-plugin:with-a-long-skill-name",
            "(untrusted)",
            "Does much.",
        );
        for width in [20, 30, 40, 60, 80] {
            for line in choices.lines(&[0, 1], window(9, width)) {
                assert!(line.contains("(untrusted)"), "{width}: {line}");
                assert!(line.width() <= width, "{width}: {line}");
            }
        }
        let lines = choices.lines(&[0, 1], window(9, 40));
        assert_eq!(lines[0], "> 1. deploy                (untrusted)");
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
