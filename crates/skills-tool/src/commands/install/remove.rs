//! `skills uninstall`.

use crate::commands::install::plan::{Carry, Run, on_conflict};
use crate::commands::install::session::{Session, YesOption};
use crate::commands::install::target::TargetOptions;
use crate::input::can_ask;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, FormatOption};
use clap::Args;
use skills_format::SkillName;
use skills_host::install::{Plan, plan_uninstall};
use skills_host::lock::read_lock;

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
    /// Also move skills that were not installed
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    yes: YesOption,
    /// Show the plan, and change nothing; an interrupted change is finished first
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    format: FormatOption,
}

impl Uninstall {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let session = Session::new(cx.env)?;
        self.uninstall(&session, cx)
    }

    fn uninstall(&self, session: &Session, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let targets = self.target.places_of(&self.names, cx)?;
        let mut plans = Vec::new();
        for target in &targets {
            let folder = &target.folder;
            let lock = read_lock(folder, session.data()).ok();
            let is_there = |name: &&String| {
                let is_locked = lock
                    .as_ref()
                    .is_some_and(|it| it.skills.contains_key(*name));
                is_locked || SkillName::new(name).is_ok() && folder.join(name).is_dir()
            };
            // Of several folders, each gives up what it has. A name that no folder has is an error of the first.
            let mut names: Vec<String> = self.names.clone();
            if targets.len() > 1 {
                names.retain(|name| is_there(&name));
            }
            let holds_installed = self.target.holds_installed(folder, cx.env);
            let on_conflict = on_conflict(false, self.force || holds_installed);
            let plan = plan_uninstall(folder, &names, on_conflict, session.host());
            let plan =
                plan.map_err(|error| self.target.failure(&error, folder, &self.names, cx.env));
            // A skill without a known source can be the person's only copy.
            let is_only_copy = |plan: &Plan| plan.skills.iter().any(|skill| skill.source.is_none());
            let asks = holds_installed && !self.force && plan.as_ref().is_ok_and(is_only_copy);
            plans.push((plan, asks));
        }
        // Of a list with an unknown name, nothing is uninstalled in any folder.
        for name in &self.names {
            let has = |plan: &Plan| plan.skills.iter().any(|skill| skill.name == *name);
            let is_known = plans
                .iter()
                .any(|(plan, _)| plan.as_ref().map_or(true, has));
            if !is_known {
                let fact = format!("there is no skill '{}' there", name.escape_debug());
                return Err(Failure::not_so(fact, "`skills list` shows the skills"));
            }
        }
        if let [(Err(_), _), ..] = plans.as_slice()
            && plans.len() == 1
        {
            return plans.remove(0).0.map(|_| Outcome::Done);
        }
        // An uninstalled skill can be restored, so a person is asked only about local changes and several folders.
        let is_changed = |plan: &Plan| plan.changes().any(|skill| skill.note.is_some());
        let asks = plans.iter().any(|(plan, asks)| {
            *asks || (plans.len() > 1 || plan.as_ref().is_ok_and(is_changed)) && can_ask(cx)
        });
        let carry = Carry {
            verb: "Uninstall",
            yes: self.yes.yes || !asks,
            widens: true,
            dry_run: self.dry_run,
            ..Carry::default()
        };
        let mut run = Run::new(&carry, session, cx.env);
        for (plan, _) in plans {
            run.folder(plan, cx)?;
        }
        run.finish(cx)
    }
}
