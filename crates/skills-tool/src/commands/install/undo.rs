//! `skills restore`: undoes the last operation, or the last change of one skill.

use crate::commands::install::decided;
use crate::commands::install::operations::named;
use crate::commands::install::plan::Carry;
use crate::commands::install::session::{Consent, Session, YesOption, failure};
use crate::commands::install::target::{Target, TargetOptions};
use crate::commands::install::targets::{joined, own_places};
use crate::commands::schedule::site::Site;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output, counted, one_line};
use skills_format::{Prose, SkillName, command, prose};
use skills_host::install::{
    Action, Plan, PlannedSkill, Scope, Undo, Undoable, Wanted, plan_undo, short_id, undoable,
};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The most later decisions that are named one by one.
const MOST: usize = 3;

/// A call that undoes something.
pub(crate) struct UndoCall<'u> {
    /// A skill, or the id of an operation.
    pub(crate) name: Option<&'u str>,
    pub(crate) target: &'u TargetOptions,
    pub(crate) yes: &'u YesOption,
    pub(crate) dry_run: bool,
    pub(crate) format: Format,
}

impl UndoCall<'_> {
    pub(crate) fn run(
        &self,
        session: &Session,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let host = session.host();
        let wanted = match self.name {
            None => Wanted::Last,
            Some(name) if SkillName::new(name).is_ok() => Wanted::Skill(name),
            Some(id) => Wanted::Operation(id),
        };
        let (targets, scope) = self.targets(environment)?;
        for scheduler in Site::schedulers(environment) {
            // An interrupted removal of a schedule would take the restored skill.
            if let Err(error) = scheduler.finish_changes() {
                output.failure(&failure(&error));
            }
        }
        let mut undo = plan_undo(&targets, scope, wanted, host);
        if let Ok(undo) = &mut undo {
            refuse_used_names(&mut undo.plans, environment)?;
        }
        let is_last = self.name.is_none();
        let later = if is_last {
            later(undo.as_ref().ok(), session, environment, output)
        } else {
            Vec::new()
        };
        let undo = undo.map_err(|error| failure(&error))?;
        if self.format == Format::Text {
            output.note(format!("this undoes {}", words(&undo)));
        }
        let mut carry = self.carry(&undo);
        if !later.is_empty() {
            for hint in later {
                output.hint(hint);
            }
            // The person may mean the later decision.
            carry.consent = self.yes.consent();
        }
        let outcome = carry.run_all(None, &undo.plans, session, environment, output)?;
        report_rest(&undo, session, environment, output)?;
        Ok(outcome)
    }

    /// Returns the folders whose operations count.
    fn targets(&self, environment: &Environment) -> Result<(Vec<PathBuf>, Scope), Failure> {
        let own = self.target.target(environment)?.folder;
        let Some(project) = self.target.in_project() else {
            return Ok((vec![own], Scope::Only));
        };
        let mut targets = vec![own];
        // Without a project there is only the person's folder.
        let project = project.target(environment).map(|target| target.folder);
        let places = own_places(self.target, environment).into_iter();
        // The folders of clients too: what the last command did there is the last operation.
        let places =
            places.filter_map(|(_, folder)| Some(Target::of(folder, environment).ok()?.folder));
        for folder in project.into_iter().chain(places) {
            if !targets.contains(&folder) {
                targets.push(folder);
            }
        }
        Ok((targets, Scope::Whole))
    }

    fn consent(&self, undo: &Undo) -> Consent<'_> {
        // What is missing comes back without a question: nothing that is there goes.
        match self.yes.consent() {
            Consent::Ask if !undo.displaces => Consent::Given,
            consent => consent,
        }
    }

    fn carry(&self, undo: &Undo) -> Carry<'_> {
        let is_one = undo
            .plans
            .iter()
            .map(|plan| plan.skills.len())
            .sum::<usize>()
            == 1;
        Carry {
            format: self.format,
            consent: self.consent(undo),
            dry_run: self.dry_run,
            differences: is_one,
            brief: true,
            not_written: &[],
            more: None,
            verb: "Restore",
        }
    }
}

/// Refuses to bring back a scheduled skill whose short name is used again: neither could then be named by it.
fn refuse_used_names(plans: &mut [Plan], environment: &Environment) -> Result<(), Failure> {
    for plan in plans {
        let Some(scheduler) = Site::scheduler_of(&plan.target, environment) else {
            continue;
        };
        let why = |skill: &PlannedSkill| {
            let other = scheduler.same_short_as(&skill.name).ok().flatten();
            let other = other.filter(|_| skill.action == Action::Restore)?;
            let remove = command("schedule remove").word(&other);
            Some((
                prose!("its short name is used: {}", other.to_string()),
                prose!("free the name with {}, then restore again", remove),
            ))
        };
        plan.refuse_where(why).map_err(|error| failure(&error))?;
    }
    Ok(())
}

/// Returns what is to be said of the decisions that came after the operation that would be undone. Without such an operation,
/// that of the last decision is said at once.
fn later(
    undo: Option<&Undo>,
    session: &Session,
    environment: &Environment,
    output: &mut Output,
) -> Vec<Prose> {
    let mut decided = decided::recorded(session.data(), output);
    decided.retain(|decided| undo.is_none_or(|undo| decided.time > undo.of.time));
    let decided = decided::standing(decided, session.data(), environment);
    let most = if undo.is_some() { MOST } else { 1 };
    let named = decided.iter().take(most).enumerate();
    let mut hints: Vec<Prose> = named
        .map(|(at, decided)| decided::stays(decided, at == 0, environment))
        .collect();
    if let more @ 1.. = decided.len().saturating_sub(most) {
        let more = counted(more, "earlier decision");
        let list = command("restore --list");
        hints.push(prose!("nor does it undo {more}: {} lists them", list));
    }
    if undo.is_none() {
        hints.drain(..).for_each(|hint| output.hint(hint));
    }
    hints
}

/// Names the commands for what the undoing leaves.
fn report_rest(
    undo: &Undo,
    session: &Session,
    environment: &Environment,
    output: &mut Output,
) -> Result<(), Failure> {
    if undo.before.is_none() && undo.left.is_empty() {
        return Ok(());
    }
    // With the undoing itself: a shown id is the beginning of no other.
    let all = undoable(None, session.host()).map_err(|error| failure(&error))?;
    let restore = |operation: &Undoable| command("restore").word(&short_id(&operation.id, &all));
    if let Some(before) = &undo.before {
        let (of, before_why) = (one_line(&undo.of.why), one_line(&before.why));
        output.hint(prose!(
            "nothing of this {of} can be restored; {} undoes the {before_why} before it",
            restore(before)
        ));
    }
    if !undo.left.is_empty() {
        let left = joined(undo.left.iter().map(PathBuf::as_path), environment);
        output.hint(prose!(
            "the same change in {left} stays; {} undoes all of it",
            restore(&undo.of)
        ));
    }
    Ok(())
}

fn words(undo: &Undo) -> String {
    let skills = undo.plans.iter().flat_map(|plan| &plan.skills);
    // A skill in several folders is named once.
    let names: BTreeSet<&String> = skills.map(|skill| &skill.name).collect();
    let names: Vec<&String> = names.into_iter().collect();
    let open = if undo.of.is_open {
        ", which was interrupted"
    } else {
        ""
    };
    format!("`{}`{open}: {}", one_line(&undo.of.why), named(&names))
}
