//! `skills uninstall`.

use crate::commands::install::plan::{Carry, Run, on_conflict};
use crate::commands::install::session::{Session, YesOption};
use crate::commands::install::target::{Target, TargetOptions, with_names};
use crate::input::can_ask;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, FormatOption};
use clap::Args;
use skills_host::install::plan_uninstall;

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  skills uninstall code-review\n  skills uninstall code-review && skills restore"
)]
pub(crate) struct Uninstall {
    /// The skills; without --to, from the only folder that has them
    #[arg(required = true)]
    names: Vec<String>,
    #[command(flatten)]
    target: TargetOptions,
    /// Also move skills that `skills install` did not install
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    yes: YesOption,
    /// Show the plan without carrying it out. Only an earlier command that was interrupted is completed first
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    format: FormatOption,
}

impl Uninstall {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let session = Session::new(cx.env)?;
        let targets = self.target.places_of(&self.names, cx)?;
        let is_one = targets.len() == 1;
        let (mut plans, mut asks) = (Vec::new(), false);
        for (Target { folder, .. }, names) in
            with_names(targets, &self.names, true, &session, cx.env)
        {
            let all_installed = self.target.holds_installed(&folder, cx.env);
            let on_conflict = on_conflict(false, self.force || all_installed);
            // Of a list with an unknown name, nothing is uninstalled in any folder.
            let plan = plan_uninstall(&folder, &names, on_conflict, session.host())
                .map_err(|error| TargetOptions::failure(&error, &folder, &names, cx.env))?;
            // A skill without a known source can be the person's only copy.
            let is_only_copy = plan.skills.iter().any(|skill| skill.source.is_none());
            // An uninstalled skill can be restored, so a person is asked only about local changes and several folders.
            let is_changed = plan.changes().any(|skill| skill.note.is_some());
            asks |= all_installed && !self.force && is_only_copy;
            asks |= (!is_one || is_changed) && can_ask(cx);
            plans.push(plan);
        }
        let carry = Carry {
            verb: "Uninstall",
            yes: self.yes.yes || !asks,
            widens: true,
            dry_run: self.dry_run,
            ..Carry::default()
        };
        let mut run = Run::new(&carry, &session, cx.env);
        for plan in plans {
            run.folder(Ok(plan), cx)?;
        }
        run.finish(cx)
    }
}
