//! `skills improve`, `skills history` and `skills rollback`: repairs of skills, and the return to earlier
//! versions.

mod document;
pub(crate) mod history;
pub(crate) mod offer;
mod proposals;
pub(crate) mod rollback;
mod run;

use crate::catalog::find::given;
use crate::catalog::options::CatalogOptions;
use crate::commands::agent_settings::AgentOptions;
use crate::commands::install::session::Session;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, FormatOption};
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Improve {
    /// The skill
    #[arg(value_parser = given, required_unless_present_any = ["list", "log", "show", "approve", "reject"])]
    name: Option<String>,
    /// The trace of the run: JSON with the skills and the steps, or plain text with what failed
    #[arg(long, value_name = "FILE", requires = "name", required_unless_present_any = ["list", "log", "show", "approve", "reject"])]
    trace: Option<PathBuf>,
    #[command(flatten)]
    agent: AgentOptions,
    /// Apply the change at once, if the skill is the user's own and the change needs no review
    #[arg(long, requires = "name")]
    automatic: bool,
    /// List the pending changes
    #[arg(long, group = "about", conflicts_with = "agent")]
    list: bool,
    /// List the attempts for one skill or for all, with outcome and reason
    #[arg(long, group = "about", conflicts_with = "agent", value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    log: Option<String>,
    /// Show a pending change
    #[arg(long, group = "about", conflicts_with = "agent", value_name = "ID")]
    show: Option<String>,
    /// Apply a pending change, exactly as it was shown
    #[arg(long, group = "about", conflicts_with = "agent", value_name = "ID")]
    approve: Option<String>,
    /// Reject a pending change
    #[arg(long, group = "about", conflicts_with = "agent", value_name = "ID")]
    reject: Option<String>,
    /// Commit the skill in the project's repository, if its folder is in one
    #[arg(long, conflicts_with_all = ["list", "log", "show", "reject"])]
    in_project: bool,
    #[command(flatten)]
    catalog: CatalogOptions,
    #[command(flatten)]
    format: FormatOption,
}

const EXAMPLES: &str = "\
Examples:
  skills improve lint --trace trace.json --agent 'my-agent --print'
  skills improve --list
  skills improve --show 3f2a9c1d2e3f
  skills improve --approve 3f2a9c1d2e3f
  skills rollback lint

Exit code: 0 done, or nothing is to be improved; 1 the change was refused, or the agent failed;
2 wrong usage, or an operation that failed.";

impl Improve {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        if self.catalog.verbose {
            cx.say_all();
        }
        let session = Session::new(cx.env)?;
        let call = ImproveCall {
            improve: self,
            session: &session,
            env: cx.env,
        };
        call.run(cx)
    }
}

/// One call of the command.
#[derive(Clone, Copy)]
struct ImproveCall<'c> {
    improve: &'c Improve,
    session: &'c Session,
    env: &'c Environment,
}

impl ImproveCall<'_> {
    fn run(self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let improve = self.improve;
        if let Some(id) = &improve.show {
            return self.show(id, cx);
        }
        if let Some(id) = &improve.approve {
            return self.approve(id, cx);
        }
        if let Some(id) = &improve.reject {
            return self.reject(id, cx);
        }
        if let Some(name) = &improve.log {
            return self.log(name, cx);
        }
        match (&improve.name, &improve.trace) {
            (Some(name), Some(trace)) => self.improve(name, trace, cx),
            _ => self.list(cx),
        }
    }
}
