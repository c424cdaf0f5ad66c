//! `skills uninstall`, `restore` and `move`.

use crate::commands::install::plan::Carry;
use crate::commands::install::session::{self, Consent, Session, failure};
use crate::commands::install::target::TargetOptions;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output};
use clap::Args;
use serde::Serialize;
use skills_host::install::{OnConflict, move_skill, plan_restore, plan_uninstall};
use std::io::Write as _;

/// Move installed skills to the trash
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  skills uninstall code-review\n  skills uninstall code-review && skills restore"
)]
pub(crate) struct Uninstall {
    /// The skills
    #[arg(required = true)]
    names: Vec<String>,
    #[command(flatten)]
    target: TargetOptions,
    /// Also skills that were not installed
    #[arg(long)]
    force: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Bring back what was moved to the trash last
///
/// That is also what `install --force`, `update --force` and `export --force` replaced. What stands
/// there meanwhile goes to the trash.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  skills restore\n  skills restore code-review --to project")]
pub(crate) struct Restore {
    /// The skill; without it, whatever was moved last
    name: Option<String>,
    #[command(flatten)]
    target: TargetOptions,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Move a skill to another folder of skills, with what was changed by hand
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  skills move code-review --to project\n  skills move code-review --from project --to user"
)]
pub(crate) struct Move {
    /// The skill
    name: String,
    /// Where it is, as --to; without it `user` or `project`, whichever --to is not
    #[arg(long, value_name = "FROM")]
    from: Option<String>,
    #[command(flatten)]
    target: TargetOptions,
    /// Replace a skill of that name; it goes to the trash
    #[arg(long)]
    force: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// `move --format json`
#[derive(Serialize)]
struct MoveDocument<'m> {
    schema: u32,
    name: &'m str,
    from: String,
    to: String,
}

impl Uninstall {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        session::run(self.format, environment, output, |session, output| {
            let target = self.target.target(environment)?;
            let on_conflict = on_conflict(self.force);
            let plan = plan_uninstall(&target.folder, &self.names, on_conflict, session.host());
            let plan = plan.map_err(|error| failure(&error))?;
            // It can be restored: nobody is asked.
            carry(self.format, "Uninstall").run(&plan, session, environment, output)
        })
    }
}

impl Restore {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        session::run(self.format, environment, output, |session, output| {
            let target = self.target.target(environment)?;
            let plan = plan_restore(&target.folder, self.name.as_deref(), session.host());
            let plan = plan.map_err(|error| failure(&error))?;
            carry(self.format, "Restore").run(&plan, session, environment, output)
        })
    }
}

impl Move {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        session::run(self.format, environment, output, |session, output| {
            self.do_move(session, environment, output)
        })
    }

    fn do_move(
        &self,
        session: &Session,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let to = self.target.target(environment)?;
        let user = self.target.named("user", environment)?;
        let from = match &self.from {
            Some(from) => self.target.named(from, environment)?,
            None if user.folder == to.folder => self.target.named("project", environment)?,
            None => user,
        };
        let on_conflict = on_conflict(self.force);
        let moved = move_skill(
            &self.name,
            &from.folder,
            &to.folder,
            on_conflict,
            session.host(),
        );
        moved.map_err(|error| failure(&error))?;
        let (from, to) = (
            environment.shown(&from.folder),
            environment.shown(&to.folder),
        );
        match self.format {
            Format::Json => output.json(&MoveDocument {
                schema: 1,
                name: &self.name,
                from,
                to,
            })?,
            Format::Text => writeln!(output, "moved {} from {from} to {to}", self.name)?,
        }
        Ok(Outcome::Done)
    }
}

fn on_conflict(force: bool) -> OnConflict {
    if force {
        OnConflict::Force
    } else {
        OnConflict::Refuse
    }
}

fn carry(format: Format, verb: &'static str) -> Carry<'static> {
    Carry {
        format,
        consent: Consent::Given,
        dry_run: false,
        differences: false,
        brief: false,
        verb,
    }
}
