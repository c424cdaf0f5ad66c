//! `skills export`: writes the bundled skills into folders of agents.

use crate::commands::install::session::Session;
use crate::commands::install::target::TargetOptions;
use crate::environment::SystemClock;
use crate::outcome::{Failure, Outcome};
use crate::output::Ctx;
use clap::Args;
use skills_host::export::command::summary;
use skills_host::export::{Direction, Others, Program, plan};

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Export {
    /// The skills; by default all
    names: Vec<String>,
    #[command(flatten)]
    target: TargetOptions,
    /// Remove the exported skills from the folder
    #[arg(long)]
    remove: bool,
    /// Replace skills with local changes and foreign skills, which go to the trash
    #[arg(long)]
    force: bool,
}

const EXAMPLES: &str = "\
Examples:
  skills export --to claude-code
  skills export --to all              the folder that many agents share, and that of Claude Code
  skills export code-review --to .agents/skills --remove";

/// This program, as the owner of exported skills.
const PROGRAM: Program = Program::new("skills", env!("CARGO_PKG_VERSION"), &bundled_skills::SKILLS);

impl Export {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let session = Session::new(cx.env)?;
        self.export(&session, cx)
    }

    fn export(&self, session: &Session, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let direction = if self.remove {
            Direction::Remove
        } else {
            Direction::Export
        };
        let others = if self.force {
            Others::Force
        } else {
            Others::Leave
        };
        let mut outcome = Outcome::Done;
        for target in self.target.all(cx.env)? {
            let plan = plan(
                &PROGRAM,
                &self.names,
                &target.folder,
                direction,
                others,
                session.data(),
            );
            let mut plan = plan?;
            let done = plan.apply(&PROGRAM, session.data(), &SystemClock);
            done?;
            if plan.leaves() {
                outcome = Outcome::Findings;
            }
            plan.target = cx.env.shown(&plan.target).into();
            cx.foreign(&summary(&plan))?;
        }
        Ok(outcome)
    }
}
