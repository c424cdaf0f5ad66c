//! A plan as printed for a person, and its results.

use crate::commands::install::session::{Consent, ErrorJson, Session, failure, failure_of};
use crate::commands::install::summary::{Summary, counts};
use crate::commands::powers::{in_words, summary};
use crate::environment::Environment;
use crate::input::{agreed, can_ask};
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output, counted, one_line};
use serde::Serialize;
use skills_compiler::Provenance;
use skills_format::text::command::Command;
use skills_format::{Power, PowerKind, Powers, Severity, prose};
use skills_host::Error;
use skills_host::deps::NotWritten;
use skills_host::install::{
    Action, Applied, FileDifference, OnConflict, Plan, PlannedSkill, Remedy, apply,
};
use std::io::Write as _;

/// The maximum number of results of an action that are printed one by one.
const MOST: usize = 5;

/// The options for carrying out a plan.
pub(crate) struct Carry<'c> {
    pub(crate) format: Format,
    pub(crate) consent: Consent<'c>,
    /// True when nothing is written.
    pub(crate) dry_run: bool,
    /// True when differences are shown, as for an update.
    pub(crate) differences: bool,
    /// True when the description and the source of a skill are not shown: the lock names the source.
    pub(crate) brief: bool,
    /// The skills of dependencies that are not in the plan.
    pub(crate) not_written: &'c [NotWritten],
    /// The source, for skills that are needed too. `None` if the plan has no single source.
    pub(crate) more: Option<&'c More<'c>>,
    /// The verb of the question, such as `Install`.
    pub(crate) verb: &'static str,
}

/// The other skills of a source.
pub(crate) struct More<'m> {
    /// Returns the command that installs skills from the source.
    pub(crate) command: &'m dyn Fn(&[String]) -> Command,
    /// The names of the skills that the source offers.
    pub(crate) names: Vec<String>,
}

/// The document of `install`, `update`, `uninstall`, `restore` and `deps sync`.
#[derive(Serialize)]
struct InstallPlanDocument<'p> {
    schema: u32,
    plan: &'p Plan,
    /// The results; empty when nothing was done.
    results: Vec<ResultJson<'p>>,
    /// The skills of dependencies that are not in the plan.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    not_written: &'p [NotWritten],
    /// The reason why nothing was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorJson<'p>>,
}

#[derive(Serialize)]
struct ResultJson<'p> {
    name: &'p str,
    action: Action,
    done: bool,
    error: Option<String>,
}

fn documented(plan: &Plan, environment: &Environment) -> Plan {
    let mut plan = plan.clone();
    plan.target = environment.documented(&plan.target).into();
    plan
}

/// Returns the treatment of local changes that `--merge` and `--force` ask for.
pub(crate) fn on_conflict(merge: bool, force: bool) -> OnConflict {
    match (merge, force) {
        (true, _) => OnConflict::Merge,
        (_, true) => OnConflict::Force,
        _ => OnConflict::Refuse,
    }
}

/// Adds the options that are given to a command.
pub(crate) fn with_given(command: Command, options: &[(bool, &str)]) -> Command {
    let given = options.iter().filter(|(is_given, _)| *is_given);
    given.fold(command, |command, (_, option)| command.word(option))
}

/// The treatment of skills that gain powers.
pub(crate) struct Widening<'w> {
    pub(crate) format: Format,
    pub(crate) consent: Consent<'w>,
    /// True when the skills are taken without a question.
    pub(crate) is_allowed: bool,
    /// The verb of the question.
    pub(crate) verb: &'static str,
    /// Returns the command that takes a skill all the same.
    pub(crate) next: &'w dyn Fn(&str) -> Command,
}

impl Widening<'_> {
    /// With `--yes`, asks for the skills that gain powers: the consent was given before anybody saw them. Without a
    /// terminal they are refused, and the other skills are changed.
    pub(crate) fn consider(&self, plan: &mut Plan, output: &mut Output) -> Result<(), Failure> {
        let is_asked = matches!(self.consent, Consent::Given) && !self.is_allowed;
        let widened = plan.changes().filter(|skill| !skill.gained.is_empty());
        let widened: Vec<String> = widened.map(|skill| one_line(&skill.name)).collect();
        if !is_asked || widened.is_empty() {
            return Ok(());
        }
        let agrees = self.format == Format::Text && can_ask(output) && {
            for skill in plan.changes() {
                gained(skill, output)?;
            }
            let names = widened.join(", ");
            agreed(
                &format!("{} {names}, which may do more?", self.verb),
                output,
            )
        };
        if agrees {
            return Ok(());
        }
        plan.refuse_widened(self.next)
            .map_err(|error| failure(&error))
    }
}

impl Carry<'_> {
    /// Prints a plan, asks for consent, carries the plan out, and prints the results.
    pub(crate) fn run(
        &self,
        plan: &Plan,
        session: &Session,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        self.run_with(None, plan, session, environment, output)
    }

    /// Does the same as [`Carry::run`], with a table at the end instead of a line for each skill.
    pub(crate) fn run_with(
        &self,
        summary: Option<&Summary<'_>>,
        plan: &Plan,
        session: &Session,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let summary = summary.filter(|_| Summary::is_for(plan));
        session.quiet();
        let count = plan.changes().count();
        let refused = plan.refused().count();
        if self.format == Format::Text {
            self.show(summary, plan, environment, output)?;
        }
        let question = format!("{} {}?", self.verb, counted(count, "skill"));
        // A missing consent is kept as a value: the document still shows the plan.
        let consent = if count == 0 || self.dry_run {
            Ok(false)
        } else {
            let widens = plan.changes().any(|skill| !skill.gained.is_empty());
            self.consent.is_given(&question, &plan.id, widens, output)
        };
        let results = match &consent {
            Ok(true) => apply(plan, session.host()).map_err(|error| failure(&error))?,
            _ => Vec::new(),
        };
        session.quiet();
        match self.format {
            Format::Json => output.json(&InstallPlanDocument {
                schema: 1,
                plan: &documented(plan, environment),
                results: results.iter().map(ResultJson::of).collect(),
                not_written: self.not_written,
                error: consent.as_ref().err().and_then(ErrorJson::of),
            })?,
            Format::Text => {
                match summary {
                    Some(summary) => summary.print(plan, &results, output)?,
                    None => report(&results, output)?,
                }
                report_missing(plan, &results, self.more, output);
            }
        }
        if !consent? && count > 0 && !self.dry_run {
            output.note("nothing was changed");
            return Ok(Outcome::Findings);
        }
        match results.iter().find_map(failed) {
            Some((name, error)) => Err(failure_of(name, error)),
            None if refused > 0 => Ok(Outcome::Findings),
            None => Ok(Outcome::Done),
        }
    }

    fn show(
        &self,
        summary: Option<&Summary<'_>>,
        plan: &Plan,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let place = environment.shown(&plan.target);
        let is_whole = summary.is_none_or(|summary| summary.shows_differences(plan));
        for skill in &plan.skills {
            // The table names the skills that stay as they are.
            let is_shown = skill.action.changes() || is_whole && skill.action == Action::Refuse;
            if summary.is_some() && !is_shown {
                continue;
            }
            head(skill, &place, output)?;
            gained(skill, output)?;
            if skill.action.changes() && skill.action != Action::Remove {
                if !self.brief {
                    about(skill, output)?;
                }
                details(skill, output)?;
            }
            if !is_whole {
                keeps(skill, output)?;
                counts(&skill.difference, output)?;
            } else if self.differences || skill.action == Action::Refuse {
                self.show_differences(skill, output)?;
            }
        }
        Ok(())
    }

    fn show_differences(&self, skill: &PlannedSkill, output: &mut Output) -> Result<(), Failure> {
        keeps(skill, output)?;
        if skill.action == Action::Refuse && !skill.by_hand.is_empty() {
            writeln!(output, "    local changes:")?;
            differences(&skill.by_hand, output)?;
        }
        if self.differences && skill.action != Action::Install && !skill.difference.is_empty() {
            if skill.action == Action::Refuse {
                writeln!(output, "    changed in the source:")?;
            }
            differences(&skill.difference, output)?;
        }
        Ok(())
    }
}

/// Prints the files that are kept.
fn keeps(skill: &PlannedSkill, output: &mut Output) -> Result<(), Failure> {
    for path in &skill.kept {
        writeln!(output, "    keeps {}", one_line(path))?;
    }
    Ok(())
}

/// Prints a unified difference for each file.
pub(crate) fn differences(all: &[FileDifference], output: &mut Output) -> Result<(), Failure> {
    for difference in all {
        match &difference.unified {
            None => writeln!(
                output,
                "    {}: its bytes differ",
                one_line(&difference.path)
            )?,
            Some(text) => {
                for line in text.lines() {
                    output.difference(line)?;
                }
            }
        }
    }
    Ok(())
}

fn head(skill: &PlannedSkill, place: &str, output: &mut Output) -> Result<(), Failure> {
    let name = output.strong(&skill.name);
    let what = match skill.action {
        Action::Install => format!("install into {place}"),
        Action::Update => "update".to_owned(),
        Action::Merge => "merge with local changes".to_owned(),
        Action::Replace => "replace; the existing skill goes to the trash".to_owned(),
        Action::Restore => format!("restore into {place}"),
        Action::Adopt => format!("adopt in {place}"),
        Action::Remove => format!("move from {place} to the trash"),
        Action::Refuse => "refused".to_owned(),
        _ if skill.remedy == Some(Remedy::Unpin) => "kept".to_owned(),
        _ => "up to date".to_owned(),
    };
    match &skill.reason {
        Some(reason) => writeln!(output, "{name}: {what}: {}", one_line(reason))?,
        None => writeln!(output, "{name}: {what}")?,
    }
    if let Some(help) = &skill.help {
        writeln!(output, "    help: {}", one_line(help))?;
    }
    if skill.conflicts.len() > 1 {
        for conflict in &skill.conflicts {
            let path = one_line(&conflict.path);
            writeln!(output, "    conflict: {path}: {}", conflict.reason)?;
        }
    }
    if let Some(note) = &skill.note {
        writeln!(output, "    note: {}", one_line(note))?;
    }
    let errors = skill
        .findings
        .iter()
        .filter(|found| found.severity == Severity::Error);
    for found in errors.take(10) {
        let place = format!("{}:{}", found.path, found.start);
        let line = one_line(&format!("{place}: {}", found.message));
        writeln!(output, "    error[{}]: {line}", found.rule)?;
    }
    Ok(())
}

/// Prints the description, the source and the size of a skill.
fn about(skill: &PlannedSkill, output: &mut Output) -> Result<(), Failure> {
    if !skill.description.is_empty() {
        writeln!(output, "    {}", one_line(&skill.description))?;
    }
    if let Some(source) = &skill.source {
        let mut from = Provenance::new(source);
        from.path.clone_from(&skill.path);
        from.requested.clone_from(&skill.requested);
        from.commit.clone_from(&skill.commit);
        writeln!(output, "    from {}", one_line(&from.to_string()))?;
    }
    if !skill.files.is_empty() {
        let files = counted(skill.files.len(), "file");
        writeln!(output, "    {files}, {} bytes", skill.size)?;
    }
    Ok(())
}

/// Prints the facts for the person's decision: scripts, tools, shadowed skills, omissions, hooks.
fn details(skill: &PlannedSkill, output: &mut Output) -> Result<(), Failure> {
    let powers = skill
        .powers
        .iter()
        .filter(|power| power.kind != PowerKind::Tools && power.kind != PowerKind::Scripts);
    for (kind, texts) in by_kind(powers) {
        writeln!(output, "    {kind}: {}", one_line(&texts))?;
    }
    let by = skill.shadowed_by.as_deref().unwrap_or_default();
    let others = skill.shadows.iter().filter(|other| !by.contains(other));
    let others: Vec<String> = others.cloned().collect();
    // A folder that is not searched here has no rank.
    let (same, shadowed) = match skill.shadowed_by {
        None => (others, Vec::new()),
        Some(_) => (Vec::new(), others),
    };
    for (label, values) in [
        ("scripts", &skill.scripts),
        ("asks for the tools", &skill.allowed_tools),
        ("shadows", &shadowed),
        ("is shadowed by", &by.to_vec()),
        ("has the name of", &same),
        ("needs skills that are not here", &skill.missing_skills),
    ] {
        if !values.is_empty() {
            writeln!(output, "    {label}: {}", one_line(&values.join(", ")))?;
        }
    }
    for left_out in &skill.left_out {
        let path = one_line(&left_out.path);
        writeln!(output, "    left out: {path}: {}", left_out.reason)?;
    }
    if skill.hooks {
        writeln!(output, "    ! has hooks, which a host may run by itself")?;
    }
    if let Some(tool) = &skill.command_tool {
        let tool = one_line(tool);
        writeln!(
            output,
            "    ! its slash command calls the tool {tool} without a model turn"
        )?;
    }
    Ok(())
}

/// Prints what a skill may do beyond the installed version.
pub(crate) fn gained(skill: &PlannedSkill, output: &mut Output) -> Result<(), Failure> {
    for power in &skill.gained {
        let what = if power.kind == PowerKind::Restraints {
            "loses the restraint"
        } else {
            "gains"
        };
        let line = format!(
            "    ! {what} {}: {}",
            power.kind.as_str(),
            one_line(&in_words(power))
        );
        writeln!(output, "{}", output.careful(line))?;
    }
    Ok(())
}

fn by_kind<'p>(powers: impl Iterator<Item = &'p Power>) -> Vec<(&'static str, String)> {
    let mut all = Powers::default();
    powers.for_each(|power| all.insert(power.kind, power.text.as_str()));
    summary(&all)
}

fn report(results: &[Applied], output: &mut Output) -> Result<(), Failure> {
    let mut done: Vec<(&str, &str)> = results
        .iter()
        .filter(|result| result.error.is_none())
        .map(|result| (past(result.action), result.name.as_str()))
        .collect();
    done.sort_by_key(|(what, _)| *what);
    for same in done.chunk_by(|(a, _), (b, _)| a == b) {
        match same {
            [(what, _), ..] if same.len() > MOST => {
                writeln!(output, "{what} {}", counted(same.len(), "skill"))?;
            }
            _ => {
                for (what, name) in same {
                    writeln!(output, "{what} {name}")?;
                }
            }
        }
    }
    // The first error becomes the failure of the command.
    for (name, error) in results.iter().filter_map(failed).skip(1) {
        output.error(prose!("{name}: {}", error));
    }
    Ok(())
}

/// Reports again what the installed skills need, since the plan can have gone by unseen.
fn report_missing(plan: &Plan, results: &[Applied], more: Option<&More<'_>>, output: &mut Output) {
    let done = |skill: &&PlannedSkill| {
        let is_it = |result: &Applied| result.name == skill.name && result.error.is_none();
        results.iter().any(is_it)
    };
    for skill in plan.skills.iter().filter(done) {
        let missing = &skill.missing_skills;
        if missing.is_empty() {
            continue;
        }
        let (name, shown) = (&skill.name, one_line(&missing.join(", ")));
        let unmarked = |name: &String| name.trim_start_matches('$').to_owned();
        let is_offered = |name: &String| more.is_some_and(|more| more.names.contains(name));
        let (offered, others): (Vec<String>, Vec<String>) =
            missing.iter().map(unmarked).partition(is_offered);
        let mut help = Vec::new();
        if let Some(more) = more.filter(|_| !offered.is_empty()) {
            help.push(prose!(
                "{} installs what the source has",
                (more.command)(&offered)
            ));
        }
        if !others.is_empty() {
            let others = one_line(&others.join(", "));
            help.push(if more.is_some() {
                prose!("the source has no skill {others}: install it from another one")
            } else {
                prose!("install {others} from its source")
            });
        }
        let mut told = prose!("{name} needs skills that are not here: {shown}");
        for help in &help {
            told = prose!("{}; {}", &told, help);
        }
        output.warning(told);
    }
}

fn failed(applied: &Applied) -> Option<(&str, &Error)> {
    Some((applied.name.as_str(), applied.error.as_ref()?))
}

fn past(action: Action) -> &'static str {
    match action {
        Action::Install => "installed",
        Action::Update => "updated",
        Action::Merge => "merged",
        Action::Replace => "replaced",
        Action::Restore => "restored",
        Action::Adopt => "adopted",
        _ => "uninstalled",
    }
}

impl<'p> ResultJson<'p> {
    fn of(applied: &'p Applied) -> Self {
        Self {
            name: &applied.name,
            action: applied.action,
            done: applied.error.is_none(),
            error: applied.error.as_ref().map(|error| format!("{error:#}")),
        }
    }
}
