//! `skills overlap`: the skills that a model cannot distinguish by their descriptions.

mod compared;
pub(crate) mod list;

use crate::catalog::clients::Offered;
use crate::catalog::options::CatalogOptions;
use crate::commands::overlap::compared::PairListDocument;
use crate::commands::overlap::list::{OfferedList, offered};
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, FormatOption};
use clap::Args;
use serde::Serialize;
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
            let plugins = self.catalog.profile().mentions.plugins;
            let skills = Offered::all(&catalog, plugins);
            return Ok(vec![OfferedList {
                folder: None,
                skills,
            }]);
        }
        let here = Path::new(".");
        offered(self.path.as_deref().unwrap_or(here), cx)
    }
}
