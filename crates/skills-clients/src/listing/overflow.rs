//! The rules by which a client shortens a list that is too long.

use crate::listing::list::{Fitted, List, Row, TRIGGER};
use crate::listing::{Counts, Overflow};

impl List<'_> {
    /// Applies the client's rule to a list that is too long.
    pub(super) fn fitted(&self, most: usize) -> Vec<Fitted> {
        let shown = self.skills.len().min(most);
        let mut fitted = match self.listing.overflow {
            Overflow::Common {
                shortest,
                longest,
                bare,
            } => self.common(shown, shortest, longest, bare),
            Overflow::Even => self.even(),
            Overflow::Proportional { shortest } => self.proportional(shortest),
            Overflow::FirstFit => self.first_fit(),
            Overflow::Stop { half } => self.stop(half),
        };
        fitted.resize(self.skills.len(), Fitted::Gone);
        fitted
    }

    /// Returns the cost of a skill in a form.
    pub(super) fn cost_of(&self, number: usize, fitted: Fitted) -> usize {
        self.skills
            .get(number)
            .map_or(0, |row| self.cost(row, &self.kept(row, fitted)))
    }

    /// Returns the budget for the lines.
    pub(super) fn room(&self) -> usize {
        // The last line of a joined list has no line feed.
        let last = usize::from(self.listing.counts == Counts::Joined);
        self.budget
            .saturating_add(last)
            .saturating_sub(self.listing.frame + self.table)
    }

    /// Counts how many of the first skills fit.
    fn most_that_fit(&self, shown: usize, fitted: Fitted) -> usize {
        let all = self.skills.len();
        let mut used = 0;
        let mut most = 0;
        for number in 0..shown {
            used += self.cost_of(number, fitted);
            let note = if number + 1 < all {
                self.listing.note
            } else {
                0
            };
            if used + note <= self.room() {
                most = number + 1;
            } else if used > self.room() {
                break;
            }
        }
        most
    }

    fn common(&self, shown: usize, shortest: usize, longest: usize, bare: bool) -> Vec<Fitted> {
        let note = |shown| {
            if shown < self.skills.len() || bare {
                self.listing.note
            } else {
                0
            }
        };
        let fits = |shown: usize, fitted| {
            (0..shown)
                .map(|number| self.cost_of(number, fitted))
                .sum::<usize>()
                + note(shown)
                <= self.room()
        };
        if bare && self.skills.len() <= shown && fits(shown, Fitted::Whole) {
            return vec![Fitted::Whole; shown];
        }
        let least = if bare {
            Fitted::Bare
        } else {
            Fitted::Length(shortest)
        };
        let shown = self.most_that_fit(shown, least);
        if bare && !fits(shown, Fitted::Length(shortest)) {
            return vec![Fitted::Bare; shown];
        }
        let (mut length, mut over) = (shortest, longest + 1);
        while over - length > 1 {
            let middle = length + (over - length) / 2;
            if fits(shown, Fitted::Length(middle)) {
                length = middle;
            } else {
                over = middle;
            }
        }
        vec![Fitted::Length(length); shown]
    }

    fn proportional(&self, shortest: usize) -> Vec<Fitted> {
        let join = |number: usize| {
            let has_trigger = self
                .skills
                .get(number)
                .is_some_and(|row| row.trigger.is_some());
            if has_trigger { TRIGGER.len() } else { 0 }
        };
        let all = 0..self.skills.len();
        let lengths: Vec<usize> = self.skills.iter().map(super::list::Row::length).collect();
        let full: usize = all
            .clone()
            .zip(&lengths)
            .map(|(number, length)| length + join(number))
            .sum();
        // The cost of a line without its description and the space before it.
        let empty = |number: usize| {
            let length = lengths.get(number).copied().unwrap_or_default() + join(number);
            self.cost_of(number, Fitted::Whole)
                .saturating_sub(length + usize::from(length > 0))
        };
        let beside: usize = all.clone().map(empty).sum();
        let room = self.room().saturating_sub(beside);
        if full > 0 && room >= self.skills.len() * shortest {
            let fitted: Vec<Fitted> = all
                .clone()
                .zip(&lengths)
                .map(|(number, length)| {
                    let share = (length + join(number)) * room / full;
                    Fitted::Length(
                        share
                            .saturating_sub(join(number))
                            .max(shortest)
                            .min(*length),
                    )
                })
                .collect();
            let used: usize = all
                .zip(&fitted)
                .map(|(number, fitted)| self.cost_of(number, *fitted))
                .sum();
            if used <= self.room() {
                return fitted;
            }
        }
        self.names_that_fit(self.room().saturating_sub(self.listing.note))
    }

    /// Lists names only, and leaves out names that do not fit.
    pub(super) fn names_that_fit(&self, room: usize) -> Vec<Fitted> {
        let mut used = 0;
        let fitted = (0..self.skills.len()).map(|number| {
            let cost = self.cost_of(number, Fitted::Bare);
            if used + cost > room {
                return Fitted::Gone;
            }
            used += cost;
            Fitted::Bare
        });
        fitted.collect()
    }

    /// Keeps every name, and in the order of the list each description for which there is room.
    fn first_fit(&self) -> Vec<Fitted> {
        let least = |row: &Row<'_>| {
            if row.keeps {
                Fitted::Whole
            } else {
                Fitted::Bare
            }
        };
        let mut used: usize = self
            .skills
            .iter()
            .map(|row| self.cost(row, &self.kept(row, least(row))))
            .sum();
        let fitted = self.skills.iter().enumerate().map(|(number, row)| {
            let more =
                self.cost_of(number, Fitted::Whole) - self.cost(row, &self.kept(row, least(row)));
            if used + more > self.room() {
                return least(row);
            }
            used += more;
            Fitted::Whole
        });
        fitted.collect()
    }

    fn stop(&self, half: Option<usize>) -> Vec<Fitted> {
        let mut fitted = Vec::new();
        let mut used = 0;
        for (number, row) in self.skills.iter().enumerate() {
            let cost = self.cost_of(number, Fitted::Whole);
            if used + cost <= self.room() {
                used += cost;
                fitted.push(Fitted::Whole);
                continue;
            }
            if let Some(kept_free) = half {
                let beside = cost - self.unit.of(&row.description) - 1;
                let room = self.room().saturating_sub(used + beside + kept_free);
                if room > 0 {
                    fitted.push(Fitted::Length(
                        room / 2 + self.listing.ellipsis.chars().count(),
                    ));
                }
            }
            break;
        }
        fitted
    }
}
