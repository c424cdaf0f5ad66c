//! `skills restore`: undoes the last operation, or the last change of one skill.

use crate::commands::install::plan::Carry;
use crate::commands::install::session::{Consent, Session, YesOption, failure};
use crate::commands::install::target::{Target, TargetOptions};
use crate::commands::install::targets::own_places;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output, one_line};
use skills_format::SkillName;
use skills_host::install::{Scope, Undo, Wanted, plan_undo};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The most skills of an operation that the list names.
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
        let undo = plan_undo(&targets, scope, wanted, host);
        let undo = undo.map_err(|error| failure(&error))?;
        if self.format == Format::Text {
            output.note(format!("this undoes {}", words(&undo)));
        }
        let carry = self.carry(&undo);
        let outcome = carry.run_all(None, &undo.plans, session, environment, output)?;
        if !self.dry_run && matches!(outcome, Outcome::Done) {
            undo.finish(host).map_err(|error| failure(&error))?;
        }
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
        if undo.displaces {
            self.yes.consent()
        } else {
            Consent::Given
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

fn words(undo: &Undo) -> String {
    let skills = undo.plans.iter().flat_map(|plan| &plan.skills);
    // A skill in several folders is named once.
    let names: BTreeSet<&String> = skills.map(|skill| &skill.name).collect();
    let names: Vec<&String> = names.into_iter().collect();
    format!("`{}`: {}", one_line(&undo.of.why), named(&names))
}

fn named(names: &[&String]) -> String {
    let shown: Vec<String> = names.iter().take(MOST).map(|name| one_line(name)).collect();
    match names.len().saturating_sub(MOST) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
