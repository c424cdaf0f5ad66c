//! `skills deps sync`: makes the project's skills as the dependencies ship them.

use crate::commands::deps::site::{DepsSite, Planned};
use crate::commands::install::plan::{Carry, on_conflict};
use crate::commands::install::session::{self, Session, YesOption};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output, counted};
use clap::Args;
use skills_format::disk::{resolved, resolved_ahead};
use skills_format::{command, prose};
use skills_host::deps::{DepsOptions, LockUse};
use skills_host::install::{Action, PlannedSkill, Strictness};
use skills_runtime::Profile;
use skills_runtime::catalog::Location;

/// Install, update and remove the skills of the dependencies, at the versions of Cargo.lock
///
/// A skill must be named as its crate, or begin with this name and a hyphen. A new version is an update, with
/// its difference. A skill that no dependency ships any more goes to the trash. Skills with local changes are
/// kept. What a crate ships starts only after a person trusts it.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "the flags of the command")]
pub(crate) struct Sync {
    #[command(flatten)]
    site: DepsSite,
    /// Write nothing; exit code 1 if the skills differ from what the dependencies ship
    #[arg(long, conflicts_with = "frozen")]
    check: bool,
    /// Install exactly the skills that skills.lock names, and do not change it
    #[arg(long, conflicts_with_all = ["merge", "force"])]
    frozen: bool,
    /// Also take skills in which a strict check finds errors
    #[arg(long)]
    lenient: bool,
    /// Merge local changes with the new version, file by file
    #[arg(long, conflicts_with = "force")]
    merge: bool,
    /// Replace or remove skills with local changes, and skills of other sources, which go to the trash
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    yes: YesOption,
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  skills deps sync
  skills deps sync --check                  in CI, where the skills are committed
  skills deps sync --frozen --yes           in CI, where only skills.lock is committed
  skills deps sync --to .claude/skills

Exit code: 0 done; 1 a skill was refused, or --check found a difference; 2 wrong usage, an operation \
that failed, or no terminal to ask on and no --yes.";

impl Sync {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        session::run(environment, output, |session, output| {
            self.sync(session, environment, output)
        })
    }

    fn sync(
        &self,
        session: &Session,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let planned = self.site.plan(self.options(), session, environment)?;
        let plan = &planned.deps.plan;
        if self.format == Format::Text {
            planned.warn(output);
            if plan.skills.is_empty() && planned.deps.not_written.is_empty() {
                planned.note_nothing(self.site.is_all(), output);
            }
        }
        let carry = Carry {
            format: self.format,
            consent: self.yes.consent(),
            dry_run: self.check,
            differences: true,
            brief: false,
            not_written: &planned.deps.not_written,
            more: None,
            verb: "Change",
        };
        let outcome = carry.run(plan, session, environment, output)?;
        if self.check {
            let mut skills = plan.skills.iter();
            // A kept skill belongs to another workspace.
            let is_same = |skill: &PlannedSkill| {
                matches!(skill.action, Action::Current | Action::Leave) && skill.by_hand.is_empty()
            };
            return Ok(if skills.all(is_same) {
                Outcome::Done
            } else {
                Outcome::Findings
            });
        }
        if self.format == Format::Text {
            self.note_trust(&planned, environment, output)?;
        }
        Ok(outcome)
    }

    fn options(&self) -> DepsOptions {
        let mut options = DepsOptions::default();
        options.on_conflict = on_conflict(self.merge, self.force);
        if self.lenient {
            options.strictness = Strictness::Lenient;
        }
        if self.frozen {
            options.lock = LockUse::Frozen;
        }
        options
    }

    /// Notes how many of the changed skills a person has to trust before they start.
    fn note_trust(
        &self,
        planned: &Planned,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let Some(options) = self.site.options().catalog_of(&planned.target) else {
            return Ok(());
        };
        let profile = options.profile();
        let catalog = options.load_untrusted(&planned.project)?.catalog;
        let target = resolved_ahead(&planned.deps.plan.target);
        let changed = |name: &str| planned.deps.plan.changes().any(|skill| skill.name == name);
        let waits = catalog.iter().filter(|entry| {
            let is_here = match entry.location() {
                Location::Folder(path) => path.parent().is_some_and(|at| resolved(at) == target),
                _ => false,
            };
            is_here && entry.source().asks_for_trust() && changed(entry.name())
        });
        // The name also for the folder of another program: without it, `trust` would not find the skills.
        let named = (profile.name != Profile::DEFAULT.name).then_some(&*profile.name);
        let count = waits.count();
        if count == 0 {
            return Ok(());
        }
        let trust = command("trust").option("--profile", named);
        let mut note = prose!(
            "{} can start only after you look at what changed and trust it: {}",
            counted(count, "skill"),
            trust
        );
        let project = &planned.project.working_folder;
        if let Some(folder) = project
            .as_ref()
            .filter(|_| *project != environment.working_folder)
        {
            note = prose!("{} in {}", &note, folder);
        }
        output.note(note);
        Ok(())
    }
}
