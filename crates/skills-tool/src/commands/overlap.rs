//! `skills overlap`: the skills that a model cannot distinguish by their descriptions.

use crate::commands::check::read::open;
use crate::outcome::{Failure, Outcome};
use crate::output::table::Table;
use crate::output::{Ctx, FormatOption, counted, one_line};
use clap::Args;
use serde::Serialize;
use serde_json::json;
use skills_clients::{Differing, DistinctWords, Relation, overlaps};
use skills_format::prose;
use skills_repository::repository::Settings;
use skills_repository::triggers::{Loaded, LoadedSkill};
use std::io::Write as _;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Overlap {
    /// A repository or a folder of skills
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,
    #[command(flatten)]
    format: FormatOption,
}

const EXAMPLES: &str = "\
Examples:
  skills overlap
  skills overlap ~/.agents/skills

Two skills cannot be distinguished if their descriptions have the same words, or if one description has every \
word of the other. Words such as `the` do not count, and the names of the \
skills are not compared. Exit code 1: some skills cannot be distinguished.";

/// The maximum number of reported pairs.
const MOST: usize = 50;
/// The minimum share of common words of two similar descriptions, in percent.
const NEAR: u8 = 50;
/// The maximum number of printed words of a description.
const WORDS: usize = 6;

/// The skills of one bundle, which a model reads in one list.
#[derive(Serialize)]
struct PairListDocument {
    path: String,
    skills: usize,
    /// The pairs, those that cannot be distinguished first.
    pairs: Vec<PairDocument>,
    /// The number of further pairs.
    more: usize,
    /// The number of pairs that cannot be distinguished.
    #[serde(skip)]
    inseparable: usize,
    /// True if a description was compared only with the descriptions that share its rarest words.
    partial: bool,
}

#[derive(Serialize)]
struct PairDocument {
    first: String,
    second: String,
    likeness: u8,
    relation: Relation,
    /// The first words that only one of the descriptions has.
    only_first: Vec<String>,
    only_second: Vec<String>,
}

impl Overlap {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let repository = open(&self.path, &Settings::default(), cx.env)?;
        let mut lists = Vec::new();
        for bundle in repository.bundles.iter().filter(|bundle| bundle.skills > 0) {
            let loaded = Loaded::read(&repository, bundle);
            if loaded.unread > 0 {
                let skills = counted(loaded.unread, "skill");
                let folder = &bundle.path;
                cx.warning(prose!(
                    "{skills} of {folder} cannot be read, and was left out: see `skills check`"
                ));
            }
            let skills = loaded.skills.into_iter();
            let (skills, others): (Vec<_>, Vec<_>) = skills.partition(|skill| skill.is_for_model);
            if !others.is_empty() {
                let names: Vec<&str> = others.iter().map(|skill| &*skill.name).collect();
                cx.note(format!("only you can start: {}", names.join(", ")));
            }
            lists.push(PairListDocument::of(bundle.path.clone(), &skills));
        }
        if lists.is_empty() {
            return Err(Failure::not_so(
                prose!("no skill is below {}", &self.path),
                "name a folder that contains folders with a SKILL.md",
            ));
        }
        cx.report(&json!({ "lists": lists }))?;
        for (number, list) in lists.iter().enumerate() {
            if number > 0 {
                writeln!(cx)?;
            }
            if lists.len() > 1 {
                writeln!(cx, "{}:", one_line(&list.path))?;
            }
            list.print(cx)?;
        }
        Ok(Outcome::of(lists.iter().any(|list| list.inseparable > 0)))
    }
}

impl PairListDocument {
    fn of(path: String, skills: &[LoadedSkill]) -> Self {
        let whole = skills.iter();
        let whole = whole.map(|skill| format!("{} {}", skill.description, skill.when_to_use));
        let whole: Vec<String> = whole.collect();
        let whole: Vec<&str> = whole.iter().map(String::as_str).collect();
        let overlap = overlaps(&whole, NEAR);
        let words = DistinctWords::new(&whole);
        let owned = |differing: Differing<'_>| -> Vec<String> {
            differing.words.into_iter().map(str::to_owned).collect()
        };
        let pairs = overlap.pairs.iter().take(MOST).map(|pair| {
            let (first, second) = words.differing(pair.first, pair.second, WORDS);
            PairDocument {
                first: skills[pair.first].name.clone(),
                second: skills[pair.second].name.clone(),
                likeness: pair.likeness,
                relation: pair.relation,
                only_first: owned(first),
                only_second: owned(second),
            }
        });
        let inseparable = overlap.pairs.iter();
        let inseparable = inseparable.filter(|pair| pair.relation.is_inseparable());
        Self {
            path,
            skills: skills.len(),
            pairs: pairs.collect(),
            more: overlap.pairs.len().saturating_sub(MOST),
            inseparable: inseparable.count(),
            partial: overlap.is_partial,
        }
    }

    fn print(&self, cx: &mut Ctx) -> Result<(), Failure> {
        let pairs = self.pairs.iter();
        let (inseparable, near): (Vec<_>, Vec<_>) =
            pairs.partition(|pair| pair.relation.is_inseparable());
        let skills = counted(self.skills, "skill");
        match self.inseparable {
            _ if self.skills == 0 => writeln!(cx, "{skills} to compare")?,
            0 => writeln!(cx, "{skills}: no two are alike")?,
            pairs => {
                let pairs = counted(pairs, "pair");
                writeln!(cx, "{skills}: {pairs} cannot be distinguished")?;
                table(&inseparable, cx)?;
            }
        }
        if !near.is_empty() {
            let pairs = counted(near.len(), "pair");
            writeln!(cx, "\n{pairs} with similar descriptions")?;
            table(&near, cx)?;
        }
        if self.more > 0 {
            cx.note(counted(self.more, "more pair"));
        }
        if self.partial {
            cx.note("many descriptions have no rare words: each was compared with only 200 others");
        }
        Ok(())
    }
}

fn table(pairs: &[&PairDocument], cx: &mut Ctx) -> Result<(), Failure> {
    let heads = ["FIRST", "SECOND", "SAME", "", "ONLY FIRST", "ONLY SECOND"];
    let mut table = Table::new(heads);
    let words = |words: &[String]| match words {
        [] => "-".to_owned(),
        words => one_line(&words.join(", ")),
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
            format!("{}%", pair.likeness),
            relation.to_owned(),
            words(&pair.only_first),
            words(&pair.only_second),
        ]);
    }
    table.print(cx)
}
