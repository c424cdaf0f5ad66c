//! A numbered menu: a title, an instruction, the choices with their notes, and the keys that choose.

use crate::commands::chat::panel::Panel;
use crate::commands::chat::rows::{Look, Row, lines};
use crate::output::screen::{STRONG, marked};
use crate::output::text::shortened;
use crate::output::{Ctx, one_line};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::{event, terminal};
use std::io;
use std::io::Write as _;
use std::time::Duration;

/// The gap between a choice and its note, in cells, and the width of a terminal that has no room for it.
const GAP: usize = 6;
const NARROW: usize = 60;

/// A numbered menu.
pub(crate) struct Choices {
    pub(crate) title: String,
    pub(crate) subtitle: String,
    /// The choice that is selected first.
    pub(crate) start: usize,
    /// True when typed letters filter the choices, as in a list of skills.
    pub(crate) narrows: bool,
    items: Vec<Row>,
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
        self.items.push(Row {
            text: one_line(label),
            reason: one_line(state),
            description: one_line(note),
            scheduled: false,
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
            .or_else(|| self.items.iter().position(|item| item.text == text))
    }

    /// Finds the choices that contain the typed letters, in any case.
    pub(crate) fn holding(&self, text: &str) -> Vec<usize> {
        let text = text.to_lowercase();
        let items = self.items.iter().enumerate();
        let held = items.filter(|(_, item)| {
            let item = [&*item.text, &*item.reason, &*item.description].join("\n");
            item.to_lowercase().contains(&text)
        });
        held.map(|(at, _)| at).collect()
    }

    /// Draws choices, one line each, with `>` before the selected row.
    pub(crate) fn lines(&self, choices: &[usize], selected: usize, look: Look) -> Vec<String> {
        let digits = self.items.len().to_string().len();
        let items = choices
            .iter()
            .filter_map(|&at| Some((at, self.items.get(at)?)));
        let rows = items.map(|(at, item)| Row {
            text: format!("{:>digits$}. {}", at + 1, item.text),
            ..item.clone()
        });
        lines(&rows.collect::<Vec<_>>(), Some(selected), look)
    }

    /// Returns how choices look at a width.
    pub(crate) fn look(width: usize, height: usize) -> Look {
        Look {
            width,
            height,
            gap: if width < NARROW { 2 } else { GAP },
            colour: false,
        }
    }
}

/// The interval between two checks for a signal.
const PATIENCE: Duration = Duration::from_millis(100);
/// The number of lines beside the choices: title, subtitle, three empty lines, the keys, and a spare line.
const AROUND: u16 = 7;
/// The maximum number of visible choices, so that earlier output stays on the screen.
const MOST: u16 = 13;

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
pub(crate) fn pick(
    choices: &Choices,
    cx: &mut Ctx,
    is_stopped: &dyn Fn() -> bool,
) -> Option<usize> {
    let mut panel = Panel::new();
    let picked = cx.flush().and_then(|()| {
        terminal::enable_raw_mode()?;
        let picked = Picker::new(choices).run(&mut panel, cx.colour, is_stopped);
        // The menu is erased and the raw mode ends before an error is returned.
        let erased = panel.erase();
        terminal::disable_raw_mode()?;
        erased.and(picked)
    });
    picked.unwrap_or_else(|error| {
        cx.warning(format_args!("the menu cannot be drawn: {error}"));
        None
    })
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
        // Some terminals wrap a line that fills the width.
        let width = usize::from(width.saturating_sub(1));
        let height = usize::from(height.saturating_sub(AROUND).clamp(1, MOST));
        let strong = |text: String| {
            if colour {
                let (start, end) = (STRONG.to_string(), format!("{STRONG:#}"));
                format!("{}{text}{}", marked(&start), marked(&end))
            } else {
                text
            }
        };
        let fit = |text: &str| shortened(text, Some(width)).into_owned();
        let subtitle = if self.filter.is_empty() {
            self.choices.subtitle.clone()
        } else {
            format!("{}: {}", self.choices.subtitle, self.filter)
        };
        let title = strong(fit(&self.choices.title));
        let mut lines = vec![String::new(), title, fit(&subtitle), String::new()];
        let look = Choices::look(width, height);
        let rows = self.choices.lines(&self.rows, self.selected, look);
        lines.extend(rows.into_iter().map(|line| {
            if line.starts_with('>') {
                strong(line)
            } else {
                line
            }
        }));
        if self.rows.is_empty() {
            lines.push(fit("  nothing matches; Backspace removes a letter"));
        }
        let keys = match (self.choices.narrows, self.filter.is_empty()) {
            (false, _) => "Enter chooses, Esc goes back",
            (true, true) => "Enter chooses, Esc goes back, letters narrow",
            (true, false) => "Enter chooses, Esc shows all again",
        };
        lines.extend([String::new(), fit(keys)]);
        Ok(lines)
    }

    fn key(&mut self, key: KeyEvent) -> Step {
        let plain = matches!(key.modifiers, KeyModifiers::NONE | KeyModifiers::SHIFT);
        match key.code {
            KeyCode::Char(digit @ '0'..='9') if self.filter.is_empty() => return self.digit(digit),
            KeyCode::Char(letter) if plain && self.choices.narrows => self.filter.push(letter),
            KeyCode::Backspace if self.filter.pop().is_some() => {}
            KeyCode::Esc if !self.filter.is_empty() => self.filter.clear(),
            _ => {
                self.typed.clear();
                return self.steered(key);
            }
        }
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
            KeyCode::Enter if !self.rows.is_empty() => return Step::Chosen,
            KeyCode::Esc | KeyCode::Char('q') => return Step::Left,
            // In raw mode Ctrl-C is a key, and not a signal.
            KeyCode::Char('c' | 'd') if control => return Step::Left,
            KeyCode::Down | KeyCode::Tab if self.selected == last => self.selected = 0,
            KeyCode::Down | KeyCode::Tab => self.selected += 1,
            KeyCode::Up | KeyCode::BackTab => {
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

    #[test]
    fn notes_stand_beside_the_choices_where_there_is_room() {
        let mut choices = Choices::new("Skills", "Choose an action");
        choices.push("List skills", "Tip: press $ to open this list directly.");
        choices.push("Install skill", "Install from local path or git URL.");
        let drawn = |width| choices.lines(&[0, 1], 0, Choices::look(width, 9));
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
    fn letters_narrow() {
        let mut choices = Choices::new("Skills", "");
        choices.push("tidy", "Orders files for a RELEASE.");
        choices.push("release-notes", "Writes notes.");
        choices.push("Überblick", "");
        assert_eq!(choices.holding("release"), [0, 1]);
        assert_eq!(choices.holding("ÜBER"), [2]);
        assert!(choices.holding("nothing").is_empty());
        assert_eq!(choices.named("3"), Some(2));
        assert_eq!(choices.named("tidy"), Some(0));
        assert_eq!([choices.named("0"), choices.named("4")], [None, None]);
    }
}
