//! The comparison of one list of skills.

use crate::catalog::clients::{ClientOptions, Offered, cut};
use crate::commands::overlap::list::OfferedList;
use crate::commands::prompt::named::note_skills;
use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::table::Table;
use crate::output::{Format, Output, counted, one_line};
use serde::Serialize;
use skills_clients::Differing;
use skills_clients::listing::Shown;
use skills_clients::{DistinctWords, Pair, Relation, overlaps};
use skills_format::text::command::Command;
use skills_format::{command, prose};
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
    bare: Vec<String>,
    omitted: Vec<String>,
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
    /// Compares the skills, or the part of the skills that a client shows.
    pub(super) fn compare(
        &self,
        client: &ClientOptions,
        near: u8,
        format: Format,
        environment: &Environment,
    ) -> PairListDocument {
        let whole: Vec<String> = self.skills.iter().map(Offered::whole).collect();
        let cut = client
            .client
            .map(|named| cut(named, client.context, &self.skills, environment));
        let left: Vec<&str> = match &cut {
            Some(cut) => cut.skills.iter().map(|kept| &*kept.description).collect(),
            None => whole.iter().map(String::as_str).collect(),
        };
        let overlap = overlaps(&left, near);
        let whole: Vec<&str> = whole.iter().map(String::as_str).collect();
        let with = |shown| {
            let skills = cut.iter().flat_map(|cut| cut.skills.iter().enumerate());
            skills
                .filter(|(_, kept)| kept.shown == shown)
                .map(|(number, _)| self.id(number))
                .collect()
        };
        PairListDocument {
            path: self.folder.clone(),
            skills: self.skills.len(),
            pairs: self.pairs(&overlap.pairs, &whole, format),
            partial: overlap.is_partial,
            bare: with(Shown::Bare),
            omitted: with(Shown::Gone),
        }
    }

    /// Returns the documents of the pairs, with the words in which the whole descriptions differ. Pairs that
    /// cannot be distinguished come first.
    fn pairs(&self, pairs: &[Pair], whole: &[&str], format: Format) -> Vec<PairDocument> {
        let words = DistinctWords::new(whole);
        let inseparable = pairs.iter().filter(|pair| pair.relation.is_inseparable());
        let first_near = inseparable.count();
        let owned = |differing: &Differing<'_>| -> Vec<String> {
            differing.words.iter().copied().map(str::to_owned).collect()
        };
        let document = |(at, pair): (usize, &Pair)| {
            // Pairs that a table does not show are not compared word by word: a list can have many pairs.
            let most = match format {
                Format::Json => Some(LISTED),
                Format::Text if at < first_near => (at < MOST).then_some(WORDS),
                Format::Text => (at - first_near < SHOWN).then_some(WORDS),
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
    pub(super) fn print(
        &self,
        client: &ClientOptions,
        is_headed: bool,
        output: &mut Output,
    ) -> Result<(), Failure> {
        if let Some(path) = self.path.as_ref().filter(|_| is_headed) {
            writeln!(output, "{}:", one_line(path))?;
        }
        let is_inseparable = |pair: &&PairDocument| pair.relation.is_inseparable();
        let (inseparable, near): (Vec<_>, Vec<_>) = self.pairs.iter().partition(is_inseparable);
        let skills = counted(self.skills, "skill");
        let shown_by = client.client.map_or_else(String::new, |client| {
            format!(", as {} shows them", client.title)
        });
        if self.skills == 0 {
            writeln!(output, "{skills} to compare")?;
        } else if !self.has_findings() {
            writeln!(output, "{skills}: each has words of its own{shown_by}")?;
        } else {
            writeln!(
                output,
                "{skills}: {}{shown_by}",
                self.found(inseparable.len())
            )?;
        }
        if !inseparable.is_empty() {
            let shown = inseparable.get(..MOST).unwrap_or(&inseparable);
            table(shown, client, output)?;
            note_more(inseparable.len(), MOST, output);
        }
        if !near.is_empty() {
            print_near(&near, client, output)?;
        }
        self.note_rest(client, output);
        Ok(())
    }

    /// Returns whether a model must guess between skills.
    pub(super) fn has_findings(&self) -> bool {
        let mut pairs = self.pairs.iter();
        let is_found = pairs.any(|pair| pair.relation.is_inseparable());
        is_found || !self.bare.is_empty() || !self.omitted.is_empty()
    }

    /// Describes the findings in words.
    fn found(&self, pairs: usize) -> String {
        let parts = [
            (pairs, "pair", "cannot be distinguished"),
            (
                self.bare.len(),
                "skill",
                "without a word of the description",
            ),
            (self.omitted.len(), "skill", "left out"),
        ];
        let parts: Vec<String> = parts
            .into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, what, found)| format!("{} {found}", counted(count, what)))
            .collect();
        parts.join(", ")
    }

    /// Notes the skills that were not compared, or were not compared with all others.
    fn note_rest(&self, client: &ClientOptions, output: &mut Output) {
        note_skills(
            "listed without a description, not compared",
            &self.bare,
            output,
        );
        note_skills("missing from the list, not compared", &self.omitted, output);
        if !self.bare.is_empty() || !self.omitted.is_empty() {
            output.hint(prose!("{} shows the list", self.prompt(client)));
        }
        if self.partial {
            output.note(
                "many descriptions have no rare words: each was compared with only 200 others",
            );
        }
    }

    /// Returns the command that shows the part of the skills that a client shows.
    fn prompt(&self, client: &ClientOptions) -> Command {
        let prompt = command("prompt");
        let prompt = match &self.path {
            Some(path) => prompt.word(path),
            None => prompt,
        };
        let context = client.context.map(|tokens| tokens.to_string());
        prompt
            .option("--client", client.client.map(|client| &*client.name))
            .option("--context", context.as_deref())
    }
}

fn print_near(
    near: &[&PairDocument],
    client: &ClientOptions,
    output: &mut Output,
) -> Result<(), Failure> {
    writeln!(
        output,
        "\n{} with similar descriptions",
        counted(near.len(), "pair")
    )?;
    table(near.get(..SHOWN).unwrap_or(near), client, output)?;
    note_more(near.len(), SHOWN, output);
    Ok(())
}

/// Notes the number of pairs that are not shown.
fn note_more(all: usize, shown: usize, output: &mut Output) {
    if all > shown {
        let more = counted(all - shown, "more pair");
        output.note(format!("{more}: --format json lists all pairs"));
    }
}

/// The maximum number of printed words of a description.
const WORDS: usize = 6;

fn table(
    pairs: &[&PairDocument],
    client: &ClientOptions,
    output: &mut Output,
) -> Result<(), Failure> {
    // After a cut, the words are of the whole descriptions.
    let heads = match client.client {
        None => ["FIRST", "SECOND", "SAME", "", "ONLY FIRST", "ONLY SECOND"],
        Some(_) => [
            "FIRST",
            "SECOND",
            "SAME",
            "",
            "UNCUT: ONLY FIRST",
            "UNCUT: ONLY SECOND",
        ],
    };
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
    table.print(output)
}
