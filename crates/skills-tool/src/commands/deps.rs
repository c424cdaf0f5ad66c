//! `cargo skills deps`: installs the skills that the dependencies of a cargo workspace ship.

use crate::commands::install::plan::Carry;
use crate::commands::install::session::{Session, YesOption};
use crate::commands::install::target::TargetOptions;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, FormatOption, counted, one_line};
use clap::Args;
use skills_format::prose;
use skills_host::deps::{Cargo, DepsOptions, DepsPlan, NotWritten, Workspace, plan_deps};
use skills_host::install::{Action, PlannedSkill};

const PROJECT: &str = "project";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Deps {
    /// Include transitive dependencies
    #[arg(long)]
    all: bool,
    /// `project`, or a folder of it
    #[arg(long, value_name = "TO", default_value = PROJECT)]
    to: String,
    /// Write nothing; exit code 1 if the skills differ from what the dependencies ship
    #[arg(long)]
    check: bool,
    /// Replace skills with local changes, and skills of other sources, which go to the trash
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    yes: YesOption,
    #[command(flatten)]
    format: FormatOption,
}

const EXAMPLES: &str = "\
Examples:
  cargo skills deps             show the plan, ask, and install
  cargo skills deps --check     in CI, where the skills are committed
  cargo skills deps --to .claude/skills";

impl Deps {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let session = &Session::new(cx.env)?;
        let deps = self.plan(session, cx.env)?;
        self.report(&deps, cx);
        let carry = Carry {
            verb: "Change",
            yes: self.yes.yes,
            dry_run: self.check,
            differences: true,
            not_written: &deps.not_written,
            ..Carry::default()
        };
        let outcome = carry.run(&deps.plan, session, cx)?;
        let is_same = |skill: &PlannedSkill| {
            matches!(skill.action, Action::Current | Action::Leave) && skill.by_hand.is_empty()
        };
        if self.check {
            return Ok(Outcome::of(!deps.plan.skills.iter().all(is_same)));
        }
        if deps.plan.changes().next().is_some() {
            cx.note("`skills trust` shows the change and lets the skill start");
        }
        Ok(outcome)
    }

    fn plan(&self, session: &Session, env: &Environment) -> Result<DepsPlan, Failure> {
        let folder = env.working_folder.clone().unwrap_or_default();
        let host = session.host();
        let cargo = Cargo::new(Environment::cargo());
        let read = Workspace::read(&folder, &cargo, host.observer);
        session.quiet();
        let workspace = read?;
        let mut project = env.clone();
        // Without a repository, the project is the workspace.
        if self.to == PROJECT && !folder.ancestors().any(|above| above.join(".git").exists()) {
            project.working_folder = Some(workspace.root.clone());
        }
        let target = TargetOptions::of_words(Some(&self.to), None).target(&project)?;
        // Skills of a person's own folder need no trust, and a crate's skill starts only after a person trusts it.
        if target.is_own {
            return Err(Failure::failed(
                prose!("{} is your own folder", &target.folder),
                "leave out --to, or name a folder of the project",
            ));
        }
        let options = DepsOptions {
            all: self.all,
            force: self.force,
        };
        let planned = plan_deps(&workspace, &target.folder, options, host);
        session.quiet();
        planned.map_err(Failure::from)
    }

    /// Warns about the skills that are not in the plan, once for each crate and reason: a crate whose program carries
    /// skills of its own can have dozens.
    fn report(&self, deps: &DepsPlan, cx: &mut Ctx) {
        let same = |a: &NotWritten, b: &NotWritten| {
            (&a.krate, &a.version, &a.reason) == (&b.krate, &b.version, &b.reason)
        };
        for group in deps.not_written.chunk_by(same) {
            let first = &group[0];
            let what = match group.len() {
                1 => one_line(&first.path),
                count => counted(count, "skill"),
            };
            let (krate, version) = (one_line(&first.krate), one_line(&first.version));
            cx.warning(prose!(
                "{krate} {version}: {what}: not installed: {}",
                &first.reason
            ));
        }
        if deps.plan.skills.is_empty() && deps.not_written.is_empty() {
            let count = counted(deps.searched, "crate");
            let all = if self.all {
                ""
            } else {
                "; --all looks at the transitive ones too"
            };
            cx.note(format!("no skill in {count}{all}"));
        }
    }
}
