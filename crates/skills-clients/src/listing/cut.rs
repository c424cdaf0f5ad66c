//! Cuts a list of skills as a client does.

use crate::listing::list::{Fitted, List, Row};
use crate::listing::own::RootNames;
use crate::listing::text::{parted, shares};
use crate::listing::{Cut, Kept, Listed, Listing, OwnPlace, Shown};
use skills_format::text::control;
use std::borrow::Cow;

impl Listing {
    /// Cuts a list of skills to a client's budget, in the order in which the client lists them. `context` is the size
    /// of the model's context in tokens.
    ///
    /// Cost: renders the list about ten times.
    pub fn cut(&self, context: Option<u64>, skills: &[Listed<'_>]) -> Cut {
        self.cut_in(None, context, skills)
    }

    /// Cuts as [`Listing::cut`], for a person with this home folder: a client can count its path.
    pub fn cut_in(&self, home: Option<&str>, context: Option<u64>, skills: &[Listed<'_>]) -> Cut {
        let (budget, unit) = self.budget(context);
        let names = RootNames::of(self, home, skills);
        let own = self.own.iter().map(Row::own);
        let rows = skills.iter().map(|skill| Row {
            location: names.shortened(skill),
            ..self.row(*skill)
        });
        let (first, rows): (usize, Vec<Row<'_>>) = match self.own_place {
            OwnPlace::First => (self.own.len(), own.chain(rows).collect()),
            OwnPlace::Last => (0, rows.chain(own).collect()),
        };
        let list = List {
            listing: self,
            unit,
            budget,
            table: names.cost(self),
            skills: rows,
        };
        let whole = list.cost_of_all();
        let most = self.skills.unwrap_or(usize::MAX);
        let fitted = if whole <= budget && list.skills.len() <= most {
            vec![Fitted::Whole; list.skills.len()]
        } else {
            list.fitted(most)
        };
        let all: Vec<Kept> = list
            .skills
            .iter()
            .zip(&fitted)
            .map(|(row, fitted)| list.kept(row, *fitted))
            .collect();
        let lines: usize = list
            .skills
            .iter()
            .zip(&all)
            .map(|(row, kept)| list.cost(row, kept))
            .sum();
        let kept: Vec<Kept> = all.into_iter().skip(first).take(skills.len()).collect();
        let is_cut = kept.iter().any(|kept| kept.shown == Shown::Gone);
        Cut {
            unit,
            budget,
            whole,
            used: list.with_frame(lines) + if is_cut { self.note } else { 0 },
            roots: names.lines(),
            skills: kept,
        }
    }

    fn row<'a>(&self, skill: Listed<'a>) -> Row<'a> {
        let written = |text| {
            self.reads.map_or_else(
                || one_line(text),
                |reader| reader.written(text).into_owned(),
            )
        };
        let first = skill.description.lines().next().unwrap_or_default();
        let mut whole = written(if self.first_line {
            first
        } else {
            skill.description
        });
        if let Some(between) = &self.when_to_use
            && !skill.when_to_use.is_empty()
        {
            whole = format!("{whole}{between}{}", written(skill.when_to_use));
        }
        let (mut description, mut trigger) = if self.use_when {
            parted(&whole)
        } else {
            (whole, None)
        };
        let mut is_part = self.first_line && one_line(skill.description).len() > description.len();
        if let (Some(entry), Some(unit)) = (self.entry, self.entry_unit) {
            if let Some(short) = self.cut_exactly(&description, entry, unit) {
                description = short;
                is_part = true;
            }
        } else if let Some(entry) = self.entry {
            let (rest, of_trigger) = shares(&description, trigger.as_deref(), entry);
            for (text, length) in [
                (Some(&mut description), rest),
                (trigger.as_mut(), of_trigger),
            ] {
                if let Some(text) = text
                    && let Cow::Owned(short) = self.shortened(text, length)
                {
                    *text = short;
                    is_part = true;
                }
            }
        }
        Row {
            skill,
            location: skill.location.into(),
            keeps: false,
            description,
            trigger,
            is_part,
        }
    }
}

/// Writes a text on one line. Control characters other than white space stay.
fn one_line(text: &str) -> String {
    control::one_line(text, Some).into_owned()
}
