//! The rule `even`: all descriptions share the budget evenly.

use crate::listing::Unit;
use crate::listing::list::{Fitted, List};

impl List<'_> {
    /// Adds one character to each description in turn until the budget is used.
    pub(super) fn even(&self) -> Vec<Fitted> {
        let bare: Vec<usize> = (0..self.skills.len())
            .map(|number| self.cost_of(number, Fitted::Bare))
            .collect();
        let Some(mut room) = self.room().checked_sub(bare.iter().sum()) else {
            return self.names_that_fit(self.room());
        };
        // Round robin: each description in turn takes its next character, if the room is enough.
        let mut lines: Vec<Line> = self
            .skills
            .iter()
            .map(|row| Line::of(&row.description))
            .collect();
        let bare_lines = self
            .skills
            .iter()
            .map(|row| self.kept(row, Fitted::Bare).line);
        // Plus the line feed, as `List::cost` counts it.
        for (line, bare) in lines.iter_mut().zip(bare_lines) {
            line.bytes = bare.len() + 1;
            line.characters = bare.chars().count() + 1;
        }
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for line in &mut lines {
                is_changed |= line.grow(self.unit, &mut room);
            }
        }
        let is_whole = |number: usize, taken: usize| {
            self.skills
                .get(number)
                .is_some_and(|row| row.length() <= taken)
        };
        let fitted = lines
            .iter()
            .enumerate()
            .map(|(number, line)| match line.taken {
                taken if is_whole(number, taken) => Fitted::Whole,
                0 => Fitted::Bare,
                taken => Fitted::Head(taken),
            });
        fitted.collect()
    }
}

/// A line under construction: its description grows by single characters.
struct Line {
    lengths: Vec<u8>,
    taken: usize,
    bytes: usize,
    characters: usize,
}

impl Line {
    fn of(description: &str) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a character has at most four bytes"
        )]
        let lengths = description.chars().map(|c| c.len_utf8() as u8).collect();
        Self {
            lengths,
            taken: 0,
            bytes: 0,
            characters: 0,
        }
    }

    /// Takes the next character of the description, if there is room.
    fn grow(&mut self, unit: Unit, room: &mut usize) -> bool {
        let Some(length) = self.lengths.get(self.taken) else {
            return false;
        };
        // The first character needs a space before the description.
        let space = usize::from(self.taken == 0);
        let (bytes, characters) = (
            self.bytes + usize::from(*length) + space,
            self.characters + 1 + space,
        );
        let cost = |bytes: usize, characters: usize| match unit {
            Unit::Tokens => bytes.div_ceil(4),
            _ => characters,
        };
        let more = cost(bytes, characters) - cost(self.bytes, self.characters);
        if more > *room {
            return false;
        }
        *room -= more;
        (self.bytes, self.characters) = (bytes, characters);
        self.taken += 1;
        true
    }
}
