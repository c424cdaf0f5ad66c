//! `skills uninstall`, `restore`, `trash` and `move`.

use crate::commands::install::plan::Carry;
use crate::commands::install::session::{self, Consent, Session, failure};
use crate::commands::install::target::{OptionalTarget, TargetOptions};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::table::Table;
use crate::output::{Format, Output, counted, one_line};
use clap::Args;
use serde::Serialize;
use skills_host::files::trash::Trashed;
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

/// List what is in the trash, or empty it
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  skills trash\n  skills trash --empty --yes")]
pub(crate) struct TrashCommand {
    /// Remove what it holds for good
    #[arg(long)]
    empty: bool,
    #[command(flatten)]
    target: OptionalTarget,
    /// Do not ask
    #[arg(long)]
    yes: bool,
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

/// `trash --format json`
#[derive(Serialize)]
struct TrashDocument {
    schema: u32,
    skills: Vec<TrashedJson>,
    removed: usize,
}

#[derive(Serialize)]
struct TrashedJson {
    id: String,
    name: String,
    from: String,
    time: String,
    why: String,
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

impl TrashCommand {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        session::run(self.format, environment, output, |session, output| {
            self.trash(session, environment, output)
        })
    }

    fn trash(
        &self,
        session: &Session,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let trash = session.data().trash();
        let folder = self.target.folder(environment)?;
        let is_meant = |trashed: &Trashed| match &folder {
            Some(folder) => trashed.record.from == *folder,
            None => true,
        };
        let mut all = trash.list().map_err(|error| failure(&error))?;
        all.retain(is_meant);
        let mut removed = 0;
        if self.empty && !all.is_empty() {
            let question = format!("Remove {} for good?", counted(all.len(), "skill"));
            let yes = self.yes.then_some("");
            if !Consent::of(yes).is_given(&question, "", output)? {
                output.note("nothing was changed");
                return Ok(Outcome::Findings);
            }
            removed = trash
                .empty(folder.as_deref())
                .map_err(|error| failure(&error))?;
            all.clear();
        }
        match self.format {
            Format::Json => output.json(&TrashDocument {
                schema: 1,
                skills: all
                    .iter()
                    .map(|trashed| TrashedJson::of(trashed, environment))
                    .collect(),
                removed,
            })?,
            Format::Text if self.empty => {
                writeln!(output, "removed {}", counted(removed, "skill"))?;
            }
            Format::Text if all.is_empty() => output.note("the trash is empty"),
            Format::Text => {
                let mut table = Table::new(["SKILL", "FROM", "BY", "TIME"]);
                for trashed in all
                    .iter()
                    .map(|trashed| TrashedJson::of(trashed, environment))
                {
                    let TrashedJson {
                        name,
                        from,
                        why,
                        time,
                        ..
                    } = trashed;
                    table.push([one_line(&name), one_line(&from), one_line(&why), time]);
                }
                table.print(output)?;
            }
        }
        Ok(Outcome::Done)
    }
}

impl TrashedJson {
    fn of(trashed: &Trashed, environment: &Environment) -> Self {
        let record = &trashed.record;
        Self {
            id: trashed.id.clone(),
            name: record.name.clone(),
            from: environment.shown(&record.from),
            time: record.time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            why: record.why.clone(),
        }
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
