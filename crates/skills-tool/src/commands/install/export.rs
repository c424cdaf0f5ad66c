//! `skills export`: writes the bundled skills into folders of agents.

use crate::commands::install::session::{self, Session, failure};
use crate::commands::install::target::{Target, TargetOptions};
use crate::environment::{Environment, SystemClock};
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output, one_line};
use clap::Args;
use serde::Serialize;
use skills_host::export::{
    Direction, ExportAction, ExportPlan, ExportState, ExportedSkill, Others, Program, plan,
};
use std::io::Write as _;

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
    /// Show the plan, and change nothing; an interrupted change is finished first
    #[arg(long)]
    dry_run: bool,
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  skills export --to claude-code
  skills export --to all              the folder that many agents share, and that of Claude Code
  skills export code-review --to .agents/skills --remove";

/// `export --format json`
#[derive(Serialize)]
struct InstallExportDocument {
    schema: u32,
    targets: Vec<ExportPlan>,
}

/// This program, as the owner of exported skills.
const PROGRAM: Program = Program::new("skills", env!("CARGO_PKG_VERSION"), &bundled_skills::SKILLS);

impl Export {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        session::run(environment, output, |session, output| {
            self.export(session, environment, output)
        })
    }

    fn export(
        &self,
        session: &Session,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let mut plans = Vec::new();
        for target in self.target.all(environment)? {
            let plan = self.plan(&target, session)?;
            if !self.dry_run {
                let done = plan.apply(&PROGRAM, session.data(), &SystemClock);
                done.map_err(|error| failure(&error))?;
            }
            plans.push(plan);
        }
        let leaves = plans.iter().any(ExportPlan::leaves);
        match self.format {
            Format::Json => output.json(&InstallExportDocument {
                schema: 1,
                targets: plans
                    .into_iter()
                    .map(|plan| documented(plan, environment))
                    .collect(),
            })?,
            Format::Text => print(&plans, environment, output)?,
        }
        Ok(if leaves {
            Outcome::Findings
        } else {
            Outcome::Done
        })
    }

    fn plan(&self, target: &Target, session: &Session) -> Result<ExportPlan, Failure> {
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
        let (names, folder) = (&self.names, &target.folder);
        let plan = plan(&PROGRAM, names, folder, direction, others, session.data());
        plan.map_err(|error| failure(&error))
    }
}

fn documented(mut plan: ExportPlan, environment: &Environment) -> ExportPlan {
    plan.target = environment.documented(&plan.target).into();
    plan
}

fn print(
    plans: &[ExportPlan],
    environment: &Environment,
    output: &mut Output,
) -> Result<(), Failure> {
    for plan in plans {
        for skill in &plan.skills {
            let place = environment.shown(&plan.target.join(&skill.name));
            let what = words(skill);
            writeln!(output, "{place}: {what}")?;
            if skill.action == ExportAction::Write && !skill.goes_to_trash() {
                for path in &skill.beside {
                    writeln!(output, "    keeps {}", one_line(path))?;
                }
            }
        }
    }
    Ok(())
}

fn words(skill: &ExportedSkill) -> &'static str {
    match (skill.action, skill.state) {
        (ExportAction::Write, ExportState::Missing) => "written",
        (ExportAction::Write, ExportState::Outdated) if !skill.goes_to_trash() => "updated",
        (ExportAction::Write, _) => "replaced; the old skill is in the trash",
        (ExportAction::Remove, ExportState::Orphaned) if !skill.goes_to_trash() => {
            "removed: this program no longer has it"
        }
        (ExportAction::Remove, _) if skill.goes_to_trash() => "removed; it is in the trash",
        (ExportAction::Remove, _) => "removed",
        (ExportAction::Leave, ExportState::Changed) => {
            "left: it has local changes; --force replaces it"
        }
        (ExportAction::Leave, _) => "left: it is not this program's; --force replaces it",
        (_, ExportState::Missing) => "not there",
        _ => "up to date",
    }
}
