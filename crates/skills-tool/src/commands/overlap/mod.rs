//! `skills overlap`: the skills that a model cannot distinguish by their descriptions.

use crate::catalog::clients::Offered;
use crate::catalog::options::CatalogOptions;
use crate::commands::check::read::open;
use crate::outcome::{Failure, Outcome};
use crate::output::table::Table;
use crate::output::{Ctx, FormatOption, counted, one_line};
use clap::Args;
use serde::Serialize;
use skills_clients::{Differing, DistinctWords, Pair, Relation, overlaps};
use skills_format::{command, prose};
use skills_repository::repository::Settings;
use skills_repository::triggers::Loaded;
use std::io::Write as _;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Overlap {
    /// A folder of skills, or of a repository [default: .]
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,
    /// Compare the skills that `skills list` lists, instead of a folder
    #[arg(long = "catalog", conflicts_with = "path")]
    in_catalog: bool,
    /// The minimum share of common words, in percent, of two near descriptions
    #[arg(long, value_name = "PERCENT", default_value_t = 50, value_parser = clap::value_parser!(u8).range(1..=100))]
    near: u8,
    #[command(flatten)]
    format: FormatOption,
    #[command(flatten)]
    pub(super) catalog: CatalogOptions,
}

const EXAMPLES: &str = "\
Examples:
  skills overlap
  skills overlap skills
  skills overlap --near 30
  skills overlap --catalog

Two skills cannot be distinguished if their descriptions have the same words, or if one description has every \
word of the other. Words such as `the` do not count, and the names of the \
skills are not compared. Exit code 1: some skills cannot be distinguished.";

/// `overlap --format json`
#[derive(Serialize)]
struct OverlapDocument {
    lists: Vec<PairListDocument>,
}

impl Overlap {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let lists = self.lists(cx)?;
        let lists: Vec<PairListDocument> = lists
            .iter()
            .map(|list| list.compare(self.near, cx.is_json))
            .collect();
        let outcome = Outcome::of(lists.iter().any(PairListDocument::has_findings));
        if cx.is_json {
            cx.json(&OverlapDocument { lists })?;
        } else {
            for (number, list) in lists.iter().enumerate() {
                if number > 0 {
                    writeln!(cx)?;
                }
                list.print(lists.len() > 1, cx)?;
            }
        }
        Ok(outcome)
    }

    /// Returns the lists of skills. Each list is compared by itself.
    fn lists(&self, cx: &mut Ctx) -> Result<Vec<OfferedList>, Failure> {
        if self.in_catalog || self.catalog.is_given() {
            let catalog = self.catalog.catalog(&[], cx)?;
            let skills = Offered::all(&catalog);
            return Ok(vec![OfferedList {
                folder: None,
                skills,
            }]);
        }
        let here = Path::new(".");
        offered(self.path.as_deref().unwrap_or(here), cx)
    }
}

/// The maximum number of printed pairs that cannot be distinguished. The document has all pairs.
const MOST: usize = 50;
/// The maximum number of printed near pairs.
const SHOWN: usize = 10;

#[derive(Serialize)]
struct PairListDocument {
    path: Option<String>,
    skills: usize,
    pairs: Vec<PairDocument>,
    /// True if a description was compared only with the descriptions that share its rarest words.
    partial: bool,
}

#[derive(Serialize)]
struct PairDocument {
    first: String,
    second: String,
    likeness: u8,
    relation: Relation,
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
    fn compare(&self, near: u8, is_json: bool) -> PairListDocument {
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
    fn print(&self, is_headed: bool, cx: &mut Ctx) -> Result<(), Failure> {
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
    fn has_findings(&self) -> bool {
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

/// Skills that a model reads in one list.
pub(crate) struct OfferedList {
    /// The folder of the bundle. `None` for the catalog.
    pub(crate) folder: Option<String>,
    pub(crate) skills: Vec<Offered>,
}

/// Returns the skills of each bundle of a folder, as offered to a model. Reports the skills that are left
/// out.
pub(crate) fn offered(path: &Path, cx: &mut Ctx) -> Result<Vec<OfferedList>, Failure> {
    let repository = open(path, &Settings::default(), cx.env)?;
    let mut lists = Vec::new();
    for bundle in repository.bundles.iter().filter(|bundle| bundle.skills > 0) {
        let loaded = Loaded::read(&repository, bundle);
        let folder = &bundle.path;
        if loaded.unread > 0 {
            let skills = counted(loaded.unread, "skill");
            cx.warning(prose!(
                "{skills} of {folder} cannot be read, and took no part: see {}",
                command("check").word(folder)
            ));
        }
        let (skills, others): (Vec<_>, Vec<_>) = loaded
            .skills
            .into_iter()
            .partition(|skill| skill.is_for_model);
        if !others.is_empty() {
            let names: Vec<&str> = others.iter().map(|skill| &*skill.name).collect();
            cx.note(format!("not offered to models: {}", names.join(", ")));
        }
        lists.push(OfferedList {
            folder: Some(folder.clone()),
            skills: skills.into_iter().map(Offered::from).collect(),
        });
    }
    if lists.is_empty() {
        return Err(Failure::not_so(
            prose!("no skill is below {}", path),
            prose!(
                "name a folder that holds folders with a SKILL.md; `skills overlap --catalog` compares the skills that `skills list` lists"
            ),
        ));
    }
    Ok(lists)
}
