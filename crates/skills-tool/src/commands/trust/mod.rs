//! `skills trust`: trusts skills as they are, shows what changed since, and removes trust.

mod give;
#[cfg(feature = "agent")]
mod prompt;
mod shown;

use crate::catalog::find;
use crate::catalog::options::CatalogOptions;
#[cfg(feature = "agent")]
pub(crate) use crate::commands::trust::prompt::{asked_in_a_prompt, forget};
use crate::commands::trust::shown::{TrustCall, list};
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, FormatOption};
use clap::Args;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "the flags of the command")]
pub(crate) struct TrustCommand {
    /// A skill: its name, another name that its `aliases` give, SOURCE:NAME, or the path of its folder. With `@` and the trust
    /// digest that `skills show ID` prints, only that version
    #[arg(value_name = "ID[@DIGEST]", value_parser = given)]
    skills: Vec<String>,
    /// Every skill that needs trust
    #[arg(long, conflicts_with = "skills")]
    all: bool,
    /// Show what changed since the skills were trusted
    #[arg(long, requires = "skills", conflicts_with_all = ["all", "remove"])]
    diff: bool,
    /// Remove the trust; ID can also be a folder of skills, for all skills in it
    #[arg(long, requires = "skills")]
    remove: bool,
    /// Do not ask for confirmation
    #[arg(short, long, conflicts_with_all = ["diff", "remove"])]
    yes: bool,
    /// The output format. JSON output asks no question: without --yes or digests, nothing is trusted
    #[command(flatten)]
    format: FormatOption,
    #[command(flatten)]
    pub(super) catalog: CatalogOptions,
}

const EXAMPLES: &str = "\
Examples:
  skills trust
  skills show deploy && skills trust deploy
  skills trust --diff deploy
  skills trust --all
  skills trust --remove deploy";

impl TrustCommand {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let file = cx.env.trust_file()?;
        let changes = !self.skills.is_empty() || self.all;
        if changes && !self.diff {
            // Before a person is asked: their answer could not be stored.
            file.check()?;
        }
        let loaded = self.catalog.load(cx.env)?;
        self.catalog.report(&loaded, &[], cx);
        let call = TrustCall::open(&self.catalog, loaded.catalog, cx)?;
        match (self.remove, self.skills.is_empty()) {
            (true, _) => call.distrust(&self.skills, cx),
            (false, _) if self.all => call.trust_all(self.yes, cx),
            (false, true) => list(&call, cx),
            (false, false) if self.diff => call.print_diff(&self.skills, cx),
            (false, false) => call.trust(&self.skills, self.yes, cx),
        }
    }
}

fn given(text: &str) -> Result<String, String> {
    let Ok(id) = find::given(text);
    if id.trim().is_empty() || id.starts_with('@') {
        return Err("it is empty; write the name of a skill".to_owned());
    }
    Ok(id)
}
