//! A numbered menu on a terminal: arrows, numbers, letters that filter, Enter, Esc.

use crate::commands::chat::choices::{Choices, Window};
use crate::output::Ctx;
use crate::output::fit::shortened;
use crate::output::panel::Panel;
use crate::output::style::{STRONG, marked};
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal;
use std::io::{self, Write as _};
use std::time::Duration;

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
