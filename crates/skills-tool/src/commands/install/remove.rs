//! `skills uninstall`.

use crate::commands::install::plan::{Carry, on_conflict};
use crate::commands::install::session::{self, Consent, Session, YesOption};
use crate::commands::install::target::{TargetOptions, word_of};
use crate::commands::install::targets::{Planned, names_of_each, own_places};
use crate::environment::Environment;
use crate::input::can_ask;
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output, one_line};
use clap::Args;
use skills_compiler::Lock;
use skills_format::{SkillName, command, prose};
use skills_host::install::{ByHandState, Plan, installed, plan_uninstall};
use skills_host::lock::read_lock;
use skills_host::{Error, ErrorKind};
use std::path::Path;

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
    /// Also move skills that were not installed
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    yes: YesOption,
    /// Show the plan, and change nothing; an interrupted change is finished first
    #[arg(long)]
    dry_run: bool,
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    format: Format,
}

impl Uninstall {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        session::run(environment, output, |session, output| {
            self.uninstall(session, environment, output)
        })
    }

    fn uninstall(
        &self,
        session: &Session,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let to = &self.target;
        let chosen = to.installed("uninstall", &self.names, session, environment, output)?;
        // A plan reports a lock that cannot be read.
        let folders = chosen.iter().map(|one| one.target.folder.as_path());
        let folders = folders.map(|folder| (folder, read_lock(folder, session.data()).ok()));
        let folders: Vec<(&Path, Option<Lock>)> = folders.collect();
        let has = |at: usize, name: &str| {
            folders.get(at).is_some_and(|(folder, lock)| {
                let lock = lock.as_ref();
                let is_installed = lock.is_some_and(|lock| lock.skills.contains_key(name));
                is_installed || SkillName::new(name).is_ok() && folder.join(name).is_dir()
            })
        };
        let (mut planned, mut asks, mut changed) = (Planned::default(), false, false);
        let names = names_of_each(&self.names, folders.len(), has);
        for ((folder, _), names) in folders.iter().zip(names) {
            let Some(names) = names else {
                continue;
            };
            let all_installed = to.holds_installed(folder, environment);
            let on_conflict = on_conflict(false, self.force || all_installed);
            let plan = plan_uninstall(folder, &names, on_conflict, session.host());
            let plan = match plan {
                Ok(plan) => plan,
                Err(error) => {
                    let by_hand = self.by_hand(&error, folder, &names, environment);
                    let other = || to.failure(&error, "uninstall", &names, environment);
                    let failure = by_hand.unwrap_or_else(other);
                    // Of a list with an unknown name, nothing is uninstalled in any folder.
                    if error.kind() == ErrorKind::NotFound {
                        return Err(failure);
                    }
                    planned.add(Err(failure));
                    continue;
                }
            };
            // An uninstalled skill can be restored, so the person is not asked. The exception is a skill
            // without a known source: the skill can be the person's only copy.
            let is_unknown = plan.skills.iter().any(|skill| skill.source.is_none());
            asks |= all_installed && is_unknown && !self.force;
            changed |= has_local_changes(&plan, session);
            planned.add(Ok(plan));
        }
        planned.check(output)?;
        let carry = Carry {
            consent: match self.yes.consent() {
                Consent::Ask if !asks && !is_asked(changed, &planned.plans, output) => {
                    Consent::Given
                }
                consent => consent,
            },
            ..carry(self.format, self.dry_run, "Uninstall")
        };
        let done = carry.run_all(None, &planned.plans, session, environment, output);
        planned.conclude(done, output)
    }
}

impl Uninstall {
    /// Names the folder of a client in which a skill lies that was not installed: only installed skills are looked for
    /// everywhere.
    fn by_hand(
        &self,
        error: &Error,
        here: &Path,
        names: &[String],
        environment: &Environment,
    ) -> Option<Failure> {
        if error.kind() != ErrorKind::NotFound || !self.target.is_open() {
            return None;
        }
        let places = own_places(&self.target, environment);
        let is_there = |name: &str, folder: &Path| {
            SkillName::new(name).is_ok() && folder.join(name).join("SKILL.md").is_file()
        };
        // What is here is not what is missing.
        let missing = names.iter().filter(|name| !is_there(name, here));
        missing.into_iter().find_map(|name| {
            let mut places = places.iter().map(|(_, folder)| folder);
            let folder = places.find(|folder| is_there(name, folder))?;
            let command = command("uninstall").word(name).word("--to");
            let command = command
                .short_path(&word_of(folder, environment))
                .word("--force");
            let folder = one_line(&environment.shown(folder));
            let help = prose!("it is in {folder}, and was not installed: {}", command);
            Some(Failure::not_so(error, help))
        })
    }
}

/// Returns whether a person is asked before an uninstall: for skills with local changes, and for several folders. Without a
/// terminal nobody is asked, since `restore` brings the skills back.
fn is_asked(changed: bool, plans: &[Plan], output: &mut Output) -> bool {
    let folders = plans.iter().filter(|plan| plan.changes().next().is_some());
    (changed || folders.count() > 1) && can_ask(output)
}

/// Returns whether a plan removes a skill that was changed since it was installed.
fn has_local_changes(plan: &Plan, session: &Session) -> bool {
    let Ok(installed) = installed(&plan.target, session.data()) else {
        return false;
    };
    let mut states = plan
        .changes()
        .filter_map(|skill| installed.get(&skill.name));
    states.any(|skill| matches!(skill.state, ByHandState::Changed | ByHandState::Added))
}

fn carry(format: Format, dry_run: bool, verb: &'static str) -> Carry<'static> {
    Carry {
        format,
        consent: Consent::Given,
        dry_run,
        differences: false,
        brief: false,
        not_written: &[],
        more: None,
        verb,
    }
}
