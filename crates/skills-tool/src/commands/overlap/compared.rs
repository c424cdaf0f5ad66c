//! The comparison of one list of skills.

use crate::catalog::clients::Offered;
use crate::commands::overlap::list::OfferedList;
use crate::outcome::Failure;
use crate::output::table::Table;
use crate::output::{Ctx, counted, one_line};
use serde::Serialize;
use skills_clients::Differing;
use skills_clients::{DistinctWords, Pair, Relation, overlaps};
use std::io::Write as _;

/// The maximum number of printed pairs that cannot be distinguished. The document has all pairs.
const MOST: usize = 50;
/// The maximum number of printed near pairs.
const SHOWN: usize = 10;

#[derive(Serialize)]
pub(super) struct PairListDocument {
    path: Option<String>,
    skills: usize,
    pub(super) pairs: Vec<PairDocument>,
    /// True if a description was compared only with the descriptions that share its rarest words.
    partial: bool,
}

#[derive(Serialize)]
pub(super) struct PairDocument {
    first: String,
    second: String,
    likeness: u8,
    pub(super) relation: Relation,
    /// The words that only the first or only the second description has, before the cut of a client.
    only_first: Vec<String>,
    only_second: Vec<String>,
    /// The number of further words. A description within the limits has fewer words than are listed.
    #[serde(skip_serializing_if = "is_zero")]
    more_first: usize,
    #[serde(skip_serializing_if = "is_zero")]
    more_second: usize,
}

/// The maximum number of words of a description that a document lists for a pair. A list can have many
/// pairs, and an overlong description has many words.
const LISTED: usize = 200;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl OfferedList {
    /// Compares the skills.
    pub(super) fn compare(&self, near: u8, is_json: bool) -> PairListDocument {
        let whole: Vec<String> = self.skills.iter().map(Offered::whole).collect();
        let whole: Vec<&str> = whole.iter().map(String::as_str).collect();
        let overlap = overlaps(&whole, near);
        PairListDocument {
            path: self.folder.clone(),
            skills: self.skills.len(),
            pairs: self.pairs(&overlap.pairs, &whole, is_json),
            partial: overlap.is_partial,
        }
    }

    /// Returns the documents of the pairs, with the words in which the whole descriptions differ. Pairs that
    /// cannot be distinguished come first.
    fn pairs(&self, pairs: &[Pair], whole: &[&str], is_json: bool) -> Vec<PairDocument> {
        let words = DistinctWords::new(whole);
        let inseparable = pairs.iter().filter(|pair| pair.relation.is_inseparable());
        let first_near = inseparable.count();
        let owned = |differing: &Differing<'_>| -> Vec<String> {
            differing.words.iter().copied().map(str::to_owned).collect()
        };
        let document = |(at, pair): (usize, &Pair)| {
            // Pairs that a table does not show are not compared word by word: a list can have many pairs.
            let most = if is_json {
                Some(LISTED)
            } else if at < first_near {
                (at < MOST).then_some(WORDS)
            } else {
                (at - first_near < SHOWN).then_some(WORDS)
            };
            let differing = most.map(|most| words.differing(pair.first, pair.second, most));
            let (first, second) = differing.unwrap_or_default();
            PairDocument {
                first: self.id(pair.first),
                second: self.id(pair.second),
                likeness: pair.likeness,
                relation: pair.relation,
                only_first: owned(&first),
                only_second: owned(&second),
                more_first: first.more,
                more_second: second.more,
            }
        };
        pairs.iter().enumerate().map(document).collect()
    }

    fn id(&self, number: usize) -> String {
        let skill = self.skills.get(number);
        skill.map_or_else(String::new, |skill| skill.id.clone())
    }
}

impl PairListDocument {
    pub(super) fn print(&self, is_headed: bool, cx: &mut Ctx) -> Result<(), Failure> {
        if let Some(path) = self.path.as_ref().filter(|_| is_headed) {
            writeln!(cx, "{}:", one_line(path))?;
        }
        let is_inseparable = |pair: &&PairDocument| pair.relation.is_inseparable();
        let (inseparable, near): (Vec<_>, Vec<_>) = self.pairs.iter().partition(is_inseparable);
        let skills = counted(self.skills, "skill");
        if self.skills == 0 {
            writeln!(cx, "{skills} to compare")?;
        } else if inseparable.is_empty() {
            writeln!(cx, "{skills}: each has words of its own")?;
        } else {
            let pairs = counted(inseparable.len(), "pair");
            writeln!(cx, "{skills}: {pairs} cannot be distinguished")?;
        }
        if !inseparable.is_empty() {
            let shown = inseparable.get(..MOST).unwrap_or(&inseparable);
            table(shown, cx)?;
            note_more(inseparable.len(), MOST, cx);
        }
        if !near.is_empty() {
            print_near(&near, cx)?;
        }
        if self.partial {
            cx.note("many descriptions have no rare words: each was compared with only 200 others");
        }
        Ok(())
    }

    /// Returns whether a model must guess between skills.
    pub(super) fn has_findings(&self) -> bool {
        self.pairs.iter().any(|pair| pair.relation.is_inseparable())
    }
}

fn print_near(near: &[&PairDocument], cx: &mut Ctx) -> Result<(), Failure> {
    writeln!(
        cx,
        "\n{} with similar descriptions",
        counted(near.len(), "pair")
    )?;
    table(near.get(..SHOWN).unwrap_or(near), cx)?;
    note_more(near.len(), SHOWN, cx);
    Ok(())
}

/// Notes the number of pairs that are not shown.
fn note_more(all: usize, shown: usize, cx: &mut Ctx) {
    if all > shown {
        let more = counted(all - shown, "more pair");
        cx.note(format!("{more}: --format json lists all pairs"));
    }
}

/// The maximum number of printed words of a description.
const WORDS: usize = 6;

fn table(pairs: &[&PairDocument], cx: &mut Ctx) -> Result<(), Failure> {
    let heads = ["FIRST", "SECOND", "SAME", "", "ONLY FIRST", "ONLY SECOND"];
    let mut table = Table::new(heads).right(&[2]);
    let words = |words: &[String], more: usize| {
        let words: Vec<String> = words.iter().map(|word| one_line(word)).collect();
        match more {
            _ if words.is_empty() => "-".to_owned(),
            0 => words.join(", "),
            more => format!("{} and {more} more", words.join(", ")),
        }
    };
    for pair in pairs {
        let relation = match pair.relation {
            Relation::Same => "same words",
            Relation::FirstInSecond => "first in second",
            Relation::SecondInFirst => "second in first",
            _ => "",
        };
        table.push([
            one_line(&pair.first),
            one_line(&pair.second),
            format!("{} %", pair.likeness),
            relation.to_owned(),
            words(&pair.only_first, pair.more_first),
            words(&pair.only_second, pair.more_second),
        ]);
    }
    table.print(cx)
}
