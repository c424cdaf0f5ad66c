//! `skills trust`: trusts skills as they are, shows what changed since, and removes trust.

mod call;
mod give;
#[cfg(feature = "agent")]
mod prompt;
mod shown;

use crate::catalog::find;
use crate::catalog::options::CatalogOptions;
use crate::commands::trust::call::TrustCall;
#[cfg(feature = "agent")]
pub(crate) use crate::commands::trust::prompt::{asked_in_a_prompt, forget};
use crate::commands::trust::shown::list;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, FormatOption};
use clap::Args;
use skills_store::TrustedTexts;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "the flags of the command")]
pub(crate) struct TrustCommand {
    /// A skill: its name, an alias, SOURCE:NAME, or the path of its folder. With `@` and the trust
    /// digest that `skills show ID` prints, only that version
    #[arg(value_name = "ID[@DIGEST]", value_parser = named)]
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
        let plain = self.catalog.load_untrusted(cx.env)?.catalog;
        let stored = file.read()?;
        // Otherwise the load has reported the same diagnostics.
        if !self.catalog.asks_for_trust() {
            cx.warnings(&stored.diagnostics);
        }
        let call = TrustCall {
            catalog: &loaded.catalog,
            plain: &plain,
            file,
            texts: texts(cx.env),
            records: stored.value,
        };
        match (self.remove, self.skills.is_empty()) {
            (true, _) => call.distrust(&self.skills, cx),
            (false, _) if self.all => call.trust_all(self.yes, cx),
            (false, true) => {
                list(&call, cx)?;
                Ok(Outcome::Done)
            }
            (false, false) if self.diff => call.print_diff(&self.skills, cx),
            (false, false) => call.trust(&self.skills, self.yes, cx),
        }
    }
}

fn texts(env: &Environment) -> Option<TrustedTexts> {
    let data = env.data.as_ref()?;
    Some(TrustedTexts::new(data.join("skills/trusted")))
}

fn named(text: &str) -> Result<String, String> {
    let Ok(id) = find::given(text);
    if id.trim().is_empty() || id.starts_with('@') {
        return Err("it is empty; write the name of a skill".to_owned());
    }
    Ok(id)
}
