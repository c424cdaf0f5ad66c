//! `skills restore`: brings skills back from the trash, lists the trash, and empties it.

use crate::commands::install::plan::{Carry, Run};
use crate::commands::install::session::{Session, YesOption, consents};
use crate::commands::install::target::{Target, TargetOptions, own_places};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::table::Table;
use crate::output::{Ctx, FormatOption, counted, one_line};
use clap::Args;
use serde_json::json;
use skills_host::files::trash::{Trash, Trashed};
use skills_host::install::{Plan, plan_restore};
use skills_host::lock::collect;
use std::io::Write as _;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Restore {
    /// The skill to bring back; by default, all that the last command moved to the trash
    #[arg(conflicts_with_all = ["list", "empty"])]
    name: Option<String>,
    #[command(flatten)]
    target: TargetOptions,
    /// List the trash instead, for all folders unless --to is given
    #[arg(long)]
    list: bool,
    /// Permanently delete what is in the trash instead, for all folders unless --to is given
    #[arg(long, conflicts_with = "list")]
    empty: bool,
    #[command(flatten)]
    yes: YesOption,
    #[command(flatten)]
    format: FormatOption,
}

const EXAMPLES: &str = "\
Examples:
  skills restore
  skills restore code-review --to project
  skills restore --list
  skills restore --empty --yes       delete it permanently";

impl Restore {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let session = Session::new(cx.env)?;
        if self.list || self.empty {
            return self.trash(&session, cx);
        }
        self.restore(&session, cx)
    }

    fn restore(&self, session: &Session, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let targets = self.targets(cx.env)?;
        let plans = plan_restore(&targets, self.name.as_deref(), session.host())?;
        let displaces = plans
            .iter()
            .flat_map(Plan::changes)
            .any(|it| it.note.is_some());
        let carry = Carry {
            // What is missing comes back without a question: nothing that is there goes.
            yes: self.yes.yes || !displaces,
            widens: true,
            differences: true,
            brief: true,
            verb: "Restore",
            ..Carry::default()
        };
        let mut run = Run::new(&carry, session, cx.env);
        for plan in plans {
            run.folder(Ok(plan), cx)?;
        }
        run.finish(cx)
    }

    /// Returns the folders whose skills count: without `--to`, those of the person and of the current project.
    fn targets(&self, env: &Environment) -> Result<Vec<PathBuf>, Failure> {
        let mut targets = vec![self.target.target(env)?.folder];
        if self.target.is_open() {
            for (_, folder) in own_places(&self.target, env) {
                // A folder that cannot be written has nothing in the trash.
                if let Ok(target) = Target::of(folder, env)
                    && !targets.contains(&target.folder)
                {
                    targets.push(target.folder);
                }
            }
        }
        Ok(targets)
    }

    fn trash(&self, session: &Session, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let trash = session.data().trash();
        let folder = self.target.given(cx.env)?;
        let mut all = trash.list()?;
        all.retain(|it| {
            folder
                .as_ref()
                .is_none_or(|folder| it.record.from == *folder)
        });
        let mut removed = 0;
        if self.empty {
            if !all.is_empty() && !self.yes.yes {
                table(&all, cx)?;
            }
            let question = format!("Delete {} permanently?", counted(all.len(), "skill"));
            if !all.is_empty() && !consents(self.yes.yes, &question, cx)? {
                cx.note("nothing was changed");
                return Ok(Outcome::Findings);
            }
            removed = trash.empty(folder.as_deref())?;
            // The store has the installed versions of the deleted skills too.
            collect(session.data())?;
            all.clear();
        }
        let skills = all.iter().map(|it| {
            json!({
                "id": it.id,
                "name": it.record.name,
                "from": cx.env.documented(&it.record.from),
                "time": format!("{:.0}", it.record.time),
                "why": it.record.why,
                // The folder in the trash.
                "path": cx.env.documented(&it.folder),
            })
        });
        let skills: Vec<_> = skills.collect();
        report_rest(&trash, cx)?;
        cx.report(&json!({ "skills": skills, "removed": removed }))?;
        if self.empty {
            writeln!(cx, "deleted {} permanently", counted(removed, "skill"))?;
            return Ok(Outcome::Done);
        }
        if all.is_empty() {
            cx.note("the trash is empty");
            return Ok(Outcome::Done);
        }
        table(&all, cx)?;
        Ok(Outcome::Done)
    }
}

/// Prints the skills of the trash.
fn table(all: &[Trashed], cx: &mut Ctx) -> Result<(), Failure> {
    let mut table = Table::new(["SKILL", "FROM", "TIME", "BY"]);
    for Trashed { record, .. } in all {
        table.push([
            one_line(&record.name),
            one_line(&cx.env.shown(&record.from)),
            format!("{:.0}", record.time),
            one_line(&record.why),
        ]);
    }
    table.print(cx)
}

/// Warns about what is in the trash and is not a listed skill.
fn report_rest(trash: &Trash, cx: &mut Ctx) -> Result<(), Failure> {
    for path in trash.leftovers()? {
        cx.warning(format_args!(
            "{} is left of a deleted skill; --empty deletes it",
            cx.env.shown(&path)
        ));
    }
    for path in trash.unrecorded()? {
        cx.warning(format_args!(
            "the skill in {} has no readable record; move it to its place, or delete it by hand",
            cx.env.shown(&path)
        ));
    }
    Ok(())
}
