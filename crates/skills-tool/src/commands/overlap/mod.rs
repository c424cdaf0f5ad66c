//! `skills overlap`: the skills that a model cannot distinguish by their descriptions.

use crate::catalog::clients::Offered;
use crate::catalog::options::CatalogOptions;
use crate::commands::check::read::open;
use crate::outcome::{Failure, Outcome};
use crate::output::table::Table;
use crate::output::{Ctx, FormatOption, counted, one_line};
use clap::Args;
use serde::Serialize;
use skills_clients::{Differing, DistinctWords, Relation, overlaps};
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
    #[command(flatten)]
    format: FormatOption,
    #[command(flatten)]
    pub(super) catalog: CatalogOptions,
}

const EXAMPLES: &str = "\
Examples:
  skills overlap
  skills overlap skills
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
        let lists: Vec<PairListDocument> = lists.iter().map(OfferedList::compare).collect();
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

/// The maximum number of reported pairs.
const MOST: usize = 50;
/// The minimum share of common words of two similar descriptions, in percent.
const NEAR: u8 = 50;

#[derive(Serialize)]
struct PairListDocument {
    path: Option<String>,
    skills: usize,
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

impl OfferedList {
    /// Compares the skills. Pairs that cannot be distinguished come first.
    fn compare(&self) -> PairListDocument {
        let whole: Vec<String> = self.skills.iter().map(Offered::whole).collect();
        let whole: Vec<&str> = whole.iter().map(String::as_str).collect();
        let overlap = overlaps(&whole, NEAR);
        let words = DistinctWords::new(&whole);
        let owned = |differing: Differing<'_>| -> Vec<String> {
            differing.words.into_iter().map(str::to_owned).collect()
        };
        let pairs = overlap.pairs.iter().take(MOST).map(|pair| {
            let (first, second) = words.differing(pair.first, pair.second, WORDS);
            PairDocument {
                first: self.skills[pair.first].id.clone(),
                second: self.skills[pair.second].id.clone(),
                likeness: pair.likeness,
                relation: pair.relation,
                only_first: owned(first),
                only_second: owned(second),
            }
        });
        PairListDocument {
            path: self.folder.clone(),
            skills: self.skills.len(),
            pairs: pairs.collect(),
            more: overlap.pairs.len().saturating_sub(MOST),
            inseparable: overlap
                .pairs
                .iter()
                .filter(|pair| pair.relation.is_inseparable())
                .count(),
            partial: overlap.is_partial,
        }
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
            let pairs = counted(self.inseparable, "pair");
            writeln!(cx, "{skills}: {pairs} cannot be distinguished")?;
        }
        if !inseparable.is_empty() {
            table(&inseparable, cx)?;
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

    /// Returns whether a model must guess between skills.
    fn has_findings(&self) -> bool {
        self.pairs.iter().any(|pair| pair.relation.is_inseparable())
    }
}

/// The maximum number of printed words of a description.
const WORDS: usize = 6;

fn table(pairs: &[&PairDocument], cx: &mut Ctx) -> Result<(), Failure> {
    let heads = ["FIRST", "SECOND", "SAME", "", "ONLY FIRST", "ONLY SECOND"];
    let mut table = Table::new(heads).right(&[2]);
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
            format!("{} %", pair.likeness),
            relation.to_owned(),
            words(&pair.only_first),
            words(&pair.only_second),
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
                "{skills} of {folder} cannot be read, and was left out: see {}",
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
