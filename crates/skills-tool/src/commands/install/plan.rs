//! A plan as printed for a person, and its results.

use crate::commands::install::left_out::LeftOutSkills;
use crate::commands::install::session::{Consent, ErrorJson, Session, failure, failure_of};
use crate::commands::install::summary::{Summary, counts, run_bit};
use crate::commands::install::targets::joined;
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
    Action, Applied, FileDifference, OnConflict, Operation, Plan, PlannedSkill, Remedy, apply_as,
};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::Path;

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
    /// The skills that the source has and that are not in the plan, since nothing names them.
    pub(crate) left_out: &'m LeftOutSkills,
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
    /// The skills of the source that are not in the plan.
    #[serde(flatten)]
    left_out: Option<&'p LeftOutSkills>,
    /// The id of all plans together, for `--yes=ID`, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'p str>,
    /// The plans of the other folders.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<OtherPlanJson<'p>>,
    /// The reason why nothing was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorJson<'p>>,
}

/// The plan of another folder.
#[derive(Serialize)]
struct OtherPlanJson<'p> {
    plan: Plan,
    results: Vec<ResultJson<'p>>,
}

/// A plan that was carried out, with its results.
struct Carried<'p> {
    plan: &'p Plan,
    results: Vec<Applied>,
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
    /// Returns the command that takes a skill of a folder all the same.
    pub(crate) next: &'w dyn Fn(&Path, &str) -> Command,
}

impl Widening<'_> {
    /// With `--yes`, asks for the skills that gain powers: the consent was given before anybody saw them. Without a
    /// terminal they are refused, and the other skills are changed.
    pub(crate) fn consider(&self, plans: &mut [Plan], output: &mut Output) -> Result<(), Failure> {
        let is_asked = matches!(self.consent, Consent::Given) && !self.is_allowed;
        let changes = plans.iter().flat_map(Plan::changes);
        let widened = changes.filter(|skill| !skill.gained.is_empty());
        let widened: BTreeSet<String> = widened.map(|skill| one_line(&skill.name)).collect();
        if !is_asked || widened.is_empty() {
            return Ok(());
        }
        let agrees = self.format == Format::Text && can_ask(output) && {
            for skill in plans.iter().flat_map(Plan::changes) {
                gained(skill, output)?;
            }
            let names = widened.into_iter().collect::<Vec<_>>().join(", ");
            agreed(
                &format!("{} {names}, which may do more?", self.verb),
                output,
            )
        };
        if agrees {
            return Ok(());
        }
        for plan in plans {
            let folder = plan.target.clone();
            plan.refuse_widened(|name| (self.next)(&folder, name))
                .map_err(|error| failure(&error))?;
        }
        Ok(())
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
        let plans = std::slice::from_ref(plan);
        self.run_all(None, plans, session, environment, output)
    }

    /// Carries out the plans of several folders as one plan: one difference, one question. Each folder has its own
    /// journal, and a failure in one folder does not stop the others. `summary` is a table at the end in place of a line for
    /// each skill.
    pub(crate) fn run_all(
        &self,
        summary: Option<&Summary<'_>>,
        plans: &[Plan],
        session: &Session,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let summary = summary.filter(|_| Summary::is_for(plans));
        session.quiet();
        let changes = || plans.iter().flat_map(Plan::changes);
        let names: BTreeSet<&str> = changes().map(|skill| skill.name.as_str()).collect();
        let is_refused = plans.iter().any(|plan| plan.refused().next().is_some());
        if self.format == Format::Text {
            self.show(summary, plans, environment, output)?;
        }
        let id = Plan::id_of(plans);
        let places = plans.iter().filter(|plan| plan.changes().next().is_some());
        let place = match places.count() {
            0 | 1 => String::new(),
            places => format!(" in {}", counted(places, "folder")),
        };
        let question = format!("{} {}{place}?", self.verb, counted(names.len(), "skill"));
        // A missing consent is kept as a value: the document still shows the plan.
        let consent = if names.is_empty() || self.dry_run {
            Ok(false)
        } else {
            let widens = changes().any(|skill| !skill.gained.is_empty());
            self.consent.is_given(&question, &id, widens, output)
        };
        let is_given = matches!(consent, Ok(true));
        let (mut carried, mut failures) = (Vec::new(), Vec::new());
        let operation = Operation::new(session.host().clock);
        for plan in plans {
            let results = if is_given {
                apply_as(plan, &operation, session.host())
            } else {
                Ok(Vec::new())
            };
            let results = results.unwrap_or_else(|error| {
                failures.push(failure(&error));
                Vec::new()
            });
            carried.push(Carried { plan, results });
        }
        session.quiet();
        match self.format {
            Format::Json => {
                self.document(&carried, &id, consent.as_ref().err(), environment, output)?;
            }
            Format::Text => {
                match summary {
                    Some(summary) => {
                        let done = carried.iter().map(|one| one.results.as_slice());
                        let done: Vec<&[Applied]> = done.collect();
                        summary.print(plans, &done, environment, output)?;
                    }
                    None => report(&carried, environment, output)?,
                }
                report_missing(&carried, self.more, output);
            }
        }
        if !consent? && !names.is_empty() && !self.dry_run {
            output.note("nothing was changed");
            return Ok(Outcome::Findings);
        }
        let failed = carried.iter().flat_map(|one| &one.results).find_map(failed);
        if let Some((name, error)) = failed {
            failures.push(failure_of(name, error));
        }
        // The last failure becomes the failure of the command.
        let Some(last) = failures.pop() else {
            return Ok(if is_refused {
                Outcome::Findings
            } else {
                Outcome::Done
            });
        };
        for failure in &failures {
            output.failure(failure);
        }
        Err(last)
    }

    fn document(
        &self,
        carried: &[Carried<'_>],
        id: &str,
        error: Option<&Failure>,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let Some((first, others)) = carried.split_first() else {
            return Ok(());
        };
        output.json(&InstallPlanDocument {
            schema: 1,
            plan: &documented(first.plan, environment),
            results: first.results.iter().map(ResultJson::of).collect(),
            not_written: self.not_written,
            left_out: self.more.map(|more| more.left_out),
            id: (!others.is_empty()).then_some(id),
            others: others
                .iter()
                .map(|one| OtherPlanJson {
                    plan: documented(one.plan, environment),
                    results: one.results.iter().map(ResultJson::of).collect(),
                })
                .collect(),
            error: error.and_then(ErrorJson::of),
        })
    }

    /// Prints the skills of the plans. What is the same in several folders is printed once.
    fn show(
        &self,
        summary: Option<&Summary<'_>>,
        plans: &[Plan],
        environment: &Environment,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let is_whole = summary.is_none_or(|summary| summary.shows_differences(plans));
        for (skill, targets) in together(plans) {
            // The table names the skills that stay as they are.
            let is_shown = skill.action.changes() || is_whole && skill.action == Action::Refuse;
            if summary.is_some() && !is_shown {
                continue;
            }
            let place = Placed {
                folders: joined(targets.iter().copied(), environment),
                is_one_of_several: plans.len() > 1,
            };
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
    for path in &skill.not_kept {
        let path = one_line(path);
        output.wrapped_line(&format!(
            "    does not keep {path}: the new version has its place, and it goes to the trash"
        ))?;
    }
    Ok(())
}

/// The folders of a planned change.
struct Placed {
    folders: String,
    /// True if the command works on several folders: every line then names its folders.
    is_one_of_several: bool,
}

/// Returns the skills of plans in the order of names, each with the folders in which the same is planned.
fn together(plans: &[Plan]) -> Vec<(&PlannedSkill, Vec<&Path>)> {
    if let [plan] = plans {
        let target = plan.target.as_path();
        return plan
            .skills
            .iter()
            .map(|skill| (skill, vec![target]))
            .collect();
    }
    // By the text of everything that a person would see. The number keeps apart what has no text.
    let mut all: BTreeMap<(&str, String), (&PlannedSkill, Vec<&Path>)> = BTreeMap::new();
    for (number, plan) in plans.iter().enumerate() {
        for skill in &plan.skills {
            let text = serde_json::to_string(skill).unwrap_or_else(|_| number.to_string());
            let one = all
                .entry((&skill.name, text))
                .or_insert_with(|| (skill, Vec::new()));
            one.1.push(&plan.target);
        }
    }
    all.into_values().collect()
}

/// Prints a unified difference for each file.
pub(crate) fn differences(all: &[FileDifference], output: &mut Output) -> Result<(), Failure> {
    for difference in all {
        if let Some(executable) = difference.executable {
            let path = one_line(&difference.path);
            writeln!(output, "    {path}: {}", run_bit(executable))?;
        }
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

fn head(skill: &PlannedSkill, placed: &Placed, output: &mut Output) -> Result<(), Failure> {
    let name = output.strong(&skill.name);
    let place = &placed.folders;
    let beside = if placed.is_one_of_several {
        format!(" in {place}")
    } else {
        String::new()
    };
    let what = match skill.action {
        Action::Install => format!("install into {place}"),
        Action::Update => format!("update{beside}"),
        Action::Merge => format!("merge with local changes{beside}"),
        Action::Replace => format!("replace{beside}; the existing skill goes to the trash"),
        Action::Restore => format!("restore into {place}"),
        Action::Adopt => format!("adopt in {place}"),
        Action::Remove => format!("move from {place} to the trash"),
        Action::Refuse => format!("refused{beside}"),
        _ if skill.remedy == Some(Remedy::Unpin) => format!("kept{beside}"),
        Action::Leave => format!("kept{beside}"),
        _ => format!("up to date{beside}"),
    };
    match &skill.reason {
        Some(reason) => output.wrapped_line(&format!("{name}: {what}: {}", one_line(reason)))?,
        None => output.wrapped_line(&format!("{name}: {what}"))?,
    }
    if let Some(help) = &skill.help {
        output.wrapped_line(&format!("    help: {}", one_line(help)))?;
    }
    if skill.conflicts.len() > 1 {
        for conflict in &skill.conflicts {
            let path = one_line(&conflict.path);
            output.wrapped_line(&format!("    conflict: {path}: {}", conflict.reason))?;
        }
    }
    if skill.displaces_repository {
        let line = "    ! its git repository (`.git`) goes to the trash with it";
        writeln!(output, "{}", output.careful(line))?;
    }
    if let Some(note) = &skill.note {
        output.wrapped_line(&format!("    note: {}", one_line(note)))?;
    }
    let errors = skill
        .findings
        .iter()
        .filter(|found| found.severity == Severity::Error);
    for found in errors.take(10) {
        let place = format!("{}:{}", found.path, found.start);
        let line = one_line(&format!("{place}: {}", found.message));
        output.wrapped_line(&format!("    error[{}]: {line}", found.rule))?;
    }
    Ok(())
}

/// Prints the description, the source and the size of a skill.
fn about(skill: &PlannedSkill, output: &mut Output) -> Result<(), Failure> {
    if !skill.description.is_empty() {
        output.wrapped_line(&format!("    {}", one_line(&skill.description)))?;
    }
    if let Some(source) = &skill.source {
        let mut from = Provenance::new(source);
        from.path.clone_from(&skill.path);
        from.requested.clone_from(&skill.requested);
        from.commit.clone_from(&skill.commit);
        output.wrapped_line(&format!("    from {}", one_line(&from.to_string())))?;
    }
    if let Some(archive) = &skill.archive {
        output.wrapped_line(&format!("    archive {archive}"))?;
    }
    if !skill.files.is_empty() {
        let files = counted(skill.files.len(), "file");
        output.wrapped_line(&format!("    {files}, {} bytes", skill.size))?;
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
        output.wrapped_line(&format!("    {kind}: {}", one_line(&texts)))?;
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
            output.wrapped_line(&format!("    {label}: {}", one_line(&values.join(", "))))?;
        }
    }
    for left_out in &skill.left_out {
        let path = one_line(&left_out.path);
        output.wrapped_line(&format!("    left out: {path}: {}", left_out.reason))?;
    }
    if !skill.lfs_pointers.is_empty() {
        let files = one_line(&skill.lfs_pointers.join(", "));
        output.wrapped_line(&format!(
            "    ! a Git LFS pointer, and not the file itself: {files}; for the file, clone the source, run `git lfs pull` \
             there, and install from the folder"
        ))?;
    }
    if skill.hooks {
        output.wrapped_line("    ! has hooks, which a host may run by itself")?;
    }
    if let Some(tool) = &skill.command_tool {
        let tool = one_line(tool);
        output.wrapped_line(&format!(
            "    ! its slash command calls the tool {tool} without a model turn"
        ))?;
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

fn report(
    carried: &[Carried<'_>],
    environment: &Environment,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut done: BTreeMap<(&str, &str), Vec<&Path>> = BTreeMap::new();
    for one in carried {
        let results = one.results.iter().filter(|result| result.error.is_none());
        for result in results.filter(|result| !is_unchanged(result)) {
            let key = (past(result.action), result.name.as_str());
            done.entry(key).or_default().push(&one.plan.target);
        }
    }
    let done: Vec<_> = done.into_iter().collect();
    let where_ = |targets: &[&Path]| match carried {
        [_] => String::new(),
        _ => format!(" in {}", joined(targets.iter().copied(), environment)),
    };
    for same in done.chunk_by(|((a, _), there), ((b, _), here)| a == b && there == here) {
        match same {
            [((what, _), targets), ..] if same.len() > MOST => {
                let skills = counted(same.len(), "skill");
                writeln!(output, "{what} {skills}{}", where_(targets))?;
            }
            _ => {
                for ((what, name), targets) in same {
                    writeln!(output, "{what} {name}{}", where_(targets))?;
                }
            }
        }
    }
    report_unchanged(carried, output);
    // The first error becomes the failure of the command.
    let results = carried.iter().flat_map(|one| &one.results);
    for (name, error) in results.filter_map(failed).skip(1) {
        output.error(prose!("{name}: {}", error));
    }
    Ok(())
}

/// Returns whether another process had made the change already.
fn is_unchanged(result: &Applied) -> bool {
    result.action == Action::Current
}

/// Reports the skills that another process changed between the plan and the change.
fn report_unchanged(carried: &[Carried<'_>], output: &mut Output) {
    let results = || carried.iter().flat_map(|one| &one.results);
    let count = results().filter(|result| is_unchanged(result)).count();
    if count == 0 {
        return;
    }
    let skills = counted(count, "skill");
    output.note(if count == results().count() {
        format!("nothing was changed: another process has made the same change of {skills}")
    } else {
        format!("{skills} not changed: another process has made the same change")
    });
}

/// Reports again what the installed skills need, since the plan can have gone by unseen.
fn report_missing(carried: &[Carried<'_>], more: Option<&More<'_>>, output: &mut Output) {
    let done = |one: &Carried<'_>, skill: &PlannedSkill| {
        let is_it = |result: &Applied| result.name == skill.name && result.error.is_none();
        one.results.iter().any(is_it)
    };
    let skills = carried.iter().flat_map(|one| {
        let skills = one.plan.skills.iter();
        skills.filter(move |skill| done(one, skill))
    });
    let mut reported = BTreeSet::new();
    for skill in skills {
        let missing = &skill.missing_skills;
        // Once, also if several folders miss the same skills.
        if missing.is_empty() || !reported.insert((&skill.name, missing)) {
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
