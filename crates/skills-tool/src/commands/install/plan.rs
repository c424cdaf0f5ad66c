//! The plan of a folder as printed for a person, the question, and the results.

use crate::commands::diff;
use crate::commands::install::left_out::LeftOutSkills;
use crate::commands::install::session::{ErrorJson, Session, consents};
use crate::commands::powers::summary;
use crate::environment::Environment;
use crate::input::can_ask;
use crate::outcome::{Failure, Outcome};
use crate::output::table::Table;
use crate::output::{Ctx, counted, one_line};
use serde::Serialize;
use skills_format::{Severity, prose};
use skills_host::deps::NotWritten;
use skills_host::install::{
    Action, Applied, FileDifference, OnConflict, Operation, Plan, PlannedSkill, apply_as,
};
use skills_permit::{Power, PowerKind, Powers};
use skills_repository::Provenance;
use std::collections::BTreeSet;
use std::io::Write as _;

/// The options with which a command carries out its plans.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "the flags of a command")]
pub(crate) struct Carry<'c> {
    /// The verb of the question, such as `Install`.
    pub(crate) verb: &'static str,
    /// True if the person consented before.
    pub(crate) yes: bool,
    /// True if skills that gain powers are taken without a question.
    pub(crate) widens: bool,
    pub(crate) dry_run: bool,
    /// True if the differences of a single skill are shown, as for an update.
    pub(crate) differences: bool,
    /// True if the description and the source of a skill are not shown.
    pub(crate) brief: bool,
    /// The skills of dependencies that are not in the plan.
    pub(crate) not_written: &'c [NotWritten],
    /// The skills of the source that are not in the plan, since nothing names them.
    pub(crate) left_out: Option<&'c LeftOutSkills>,
}

/// The document of `install`, `update`, `uninstall`, `restore` and `deps sync`.
#[derive(Serialize)]
struct InstallPlanDocument<'p> {
    #[serde(flatten)]
    first: Option<&'p FolderJson>,
    /// The skills of dependencies that are not in the plan.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    not_written: &'p [NotWritten],
    /// The skills of the source that are not in the plan.
    #[serde(flatten)]
    left_out: Option<&'p LeftOutSkills>,
    /// The other folders.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    others: &'p [FolderJson],
    /// The reason why nothing was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorJson<'p>>,
}

/// A plan, and its results; empty when nothing was done.
#[derive(Serialize)]
struct FolderJson {
    plan: Plan,
    results: Vec<ResultJson>,
}

#[derive(Serialize)]
struct ResultJson {
    name: String,
    action: Action,
    done: bool,
    error: Option<String>,
}

/// A command that carries out a plan in each of its folders. A failure in one folder does not stop the others.
pub(crate) struct Run<'r> {
    carry: &'r Carry<'r>,
    session: &'r Session,
    env: &'r Environment,
    operation: Operation,
    folders: Vec<FolderJson>,
    failures: Vec<Failure>,
    outcome: Outcome,
}

/// Returns the treatment of local changes that `--merge` and `--force` ask for.
pub(crate) fn on_conflict(merge: bool, force: bool) -> OnConflict {
    match (merge, force) {
        (true, _) => OnConflict::Merge,
        (_, true) => OnConflict::Force,
        _ => OnConflict::Refuse,
    }
}

impl Carry<'_> {
    /// Carries out the plan of a single folder.
    pub(crate) fn run(
        &self,
        plan: &Plan,
        session: &Session,
        cx: &mut Ctx,
    ) -> Result<Outcome, Failure> {
        let mut run = Run::new(self, session, cx.env);
        run.folder(Ok(plan.clone()), cx)?;
        run.finish(cx)
    }
}

impl<'r> Run<'r> {
    pub(crate) fn new(carry: &'r Carry<'r>, session: &'r Session, env: &'r Environment) -> Self {
        Self {
            carry,
            session,
            env,
            operation: Operation::new(session.host().clock),
            folders: Vec::new(),
            failures: Vec::new(),
            outcome: Outcome::Done,
        }
    }

    /// Prints the plan of a folder, asks once, carries the plan out, and prints the results.
    pub(crate) fn folder(
        &mut self,
        plan: Result<Plan, Failure>,
        cx: &mut Ctx,
    ) -> Result<(), Failure> {
        let mut plan = match plan {
            Ok(plan) => plan,
            Err(failure) => {
                self.failures.push(failure);
                return Ok(());
            }
        };
        let carry = self.carry;
        self.session.quiet();
        let is_text = !cx.is_json;
        let widens = !carry.widens && plan.changes().any(|skill| !skill.changes.passes());
        // The consent was given before anybody saw what the skills gain.
        if carry.yes && widens && !carry.dry_run && !(is_text && can_ask(cx)) {
            plan.refuse_where(|skill| {
                let help = "read its changes, then use --allow widening";
                let reason = "it may do more than the installed version";
                (!skill.changes.passes()).then(|| (reason.into(), help.into()))
            });
        }
        if is_text {
            carry.show(&plan, cx)?;
        }
        let count = plan.changes().count();
        let mut applied = Vec::new();
        if count > 0 && !carry.dry_run {
            let folder = one_line(&self.env.shown(&plan.target));
            let more = if widens { ", which may do more" } else { "" };
            let question = format!(
                "{} {} in {folder}{more}?",
                carry.verb,
                counted(count, "skill")
            );
            let widens = widens && plan.changes().any(|skill| !skill.changes.passes());
            match consents(carry.yes && !widens, &question, cx) {
                Ok(true) => match apply_as(&plan, &self.operation, self.session.host()) {
                    Ok(results) => applied = results,
                    Err(error) => self.failures.push(Failure::from(&error)),
                },
                Ok(false) => {
                    cx.note("nothing was changed");
                    self.outcome = Outcome::Findings;
                }
                Err(failure) => {
                    // The document still shows the plan.
                    self.keep(plan, &[]);
                    self.document(Some(&failure), cx)?;
                    return Err(failure);
                }
            }
            self.session.quiet();
        }
        if is_text {
            report(&plan, &applied, cx)?;
        }
        let is_conflicted = |skill: &PlannedSkill| {
            skill.action == Action::Refuse || !skill.conflicts.is_empty() && !applied.is_empty()
        };
        if plan.skills.iter().any(is_conflicted) {
            self.outcome = Outcome::Findings;
        }
        for one in &applied {
            let error = one.error.as_ref();
            self.failures.extend(
                error.map(|error| Failure::of_host(error, prose!("{}: {}", &one.name, error))),
            );
        }
        self.keep(plan, &applied);
        Ok(())
    }

    /// Prints the document, and the failures. The last failure is the failure of the command.
    pub(crate) fn finish(mut self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        if !self.folders.is_empty() {
            self.document(None, cx)?;
        }
        let Some(last) = self.failures.pop() else {
            return Ok(self.outcome);
        };
        for failure in &self.failures {
            cx.failure(failure);
        }
        Err(last)
    }

    fn keep(&mut self, mut plan: Plan, applied: &[Applied]) {
        plan.target = self.env.documented(&plan.target).into();
        let results = applied.iter().map(|one| ResultJson {
            name: one.name.clone(),
            action: one.action,
            done: one.error.is_none(),
            error: one.error.as_ref().map(|error| format!("{error:#}")),
        });
        let results = results.collect();
        self.folders.push(FolderJson { plan, results });
    }

    fn document(&self, error: Option<&Failure>, cx: &mut Ctx) -> Result<(), Failure> {
        if !cx.is_json {
            return Ok(());
        }
        cx.json(&InstallPlanDocument {
            first: self.folders.first(),
            not_written: self.carry.not_written,
            left_out: self.carry.left_out,
            others: self.folders.get(1..).unwrap_or_default(),
            error: error.map(ErrorJson::of),
        })
    }
}

impl Carry<'_> {
    /// Prints a single skill whole, and of several a line each.
    fn show(&self, plan: &Plan, cx: &mut Ctx) -> Result<(), Failure> {
        let place = one_line(&cx.env.shown(&plan.target));
        if let [skill] = plan.skills.as_slice() {
            return self.show_one(skill, &place, cx);
        }
        let mut table = Table::new(["SKILL", "PLAN", "NOTE"]);
        let is_silent =
            |skill: &&PlannedSkill| skill.action == Action::Current && note(skill).is_empty();
        for skill in plan.skills.iter().filter(|skill| !is_silent(skill)) {
            table.push([
                one_line(&skill.name),
                what(skill, "").trim_end().to_owned(),
                note(skill),
            ]);
        }
        if !table.is_empty() {
            writeln!(cx, "{place}:")?;
            table.print(cx)?;
        }
        let wider = plan.skills.iter().filter(|skill| !skill.changes.passes());
        let helps: BTreeSet<&str> = wider.filter_map(|skill| skill.help.as_deref()).collect();
        for help in helps {
            cx.wrapped_line(&format!("help: {}", one_line(help)))?;
        }
        match plan.skills.iter().filter(is_silent).count() {
            0 => Ok(()),
            count => Ok(writeln!(cx, "{} up to date", counted(count, "skill"))?),
        }
    }

    fn show_one(&self, skill: &PlannedSkill, place: &str, cx: &mut Ctx) -> Result<(), Failure> {
        head(skill, place, cx)?;
        gained(skill, cx)?;
        if skill.action.changes() && skill.action != Action::Remove {
            if !self.brief {
                about(skill, cx)?;
            }
            details(skill, cx)?;
        }
        keeps(skill, cx)?;
        if skill.action == Action::Refuse && !skill.by_hand.is_empty() {
            writeln!(cx, "    local changes:")?;
            differences(&skill.by_hand, cx)?;
        }
        if self.differences && skill.action != Action::Install && !skill.difference.is_empty() {
            if skill.action == Action::Refuse {
                writeln!(cx, "    changed in the source:")?;
            }
            differences(&skill.difference, cx)?;
        }
        Ok(())
    }
}

/// Returns what a plan does with a skill.
fn what(skill: &PlannedSkill, place: &str) -> String {
    match skill.action {
        Action::Install if place.is_empty() => "install".to_owned(),
        Action::Install => format!("install into {place}"),
        Action::Update => "update".to_owned(),
        Action::Merge => "merge with local changes".to_owned(),
        Action::Replace => "replace; the existing skill goes to the trash".to_owned(),
        Action::Restore if place.is_empty() => "restore".to_owned(),
        Action::Restore => format!("restore into {place}"),
        Action::Remove if place.is_empty() => "move to the trash".to_owned(),
        Action::Remove => format!("move from {place} to the trash"),
        Action::Refuse => "refused".to_owned(),
        Action::Leave => "kept".to_owned(),
        _ if skill.reason.is_some() => "kept".to_owned(),
        _ => "up to date".to_owned(),
    }
}

/// Returns the facts of a skill for its line in a table.
fn note(skill: &PlannedSkill) -> String {
    // What a skill gains stands before the option that takes it.
    let help = skill.help.as_ref().filter(|_| skill.changes.passes());
    let mut facts: Vec<String> = [skill.reason.as_ref(), help, skill.note.as_ref()]
        .into_iter()
        .flatten()
        .map(|text| one_line(text))
        .collect();
    facts.extend(diff::text::denied(&skill.changes).map(|line| one_line(line.trim())));
    if skill.displaces_repository {
        facts.push("its git repository goes to the trash with it".to_owned());
    }
    if skill.action.changes() {
        let conflicts = skill.conflicts.iter();
        facts.extend(conflicts.map(|it| format!("conflict: {}", one_line(&it.path))));
        // Beside what it gains, the powers that a skill had are no news.
        let powers = skill.powers.iter().filter(|power| {
            skill.changes.passes()
                && power.kind != PowerKind::Tools
                && power.kind != PowerKind::Scripts
        });
        for (kind, texts) in by_kind(powers) {
            facts.push(format!("{kind}: {}", one_line(&texts)));
        }
        for (label, values) in [
            ("scripts", &skill.scripts),
            ("tools", &skill.allowed_tools),
            ("needs", &skill.missing_skills),
            ("has the name of", &skill.shadows),
        ] {
            if !values.is_empty() {
                facts.push(format!("{label}: {}", one_line(&values.join(", "))));
            }
        }
        if skill.hooks {
            facts.push("has hooks".to_owned());
        }
        if !skill.lfs_pointers.is_empty() {
            facts.push("has files that are only pointers of Git LFS".to_owned());
        }
    }
    facts.join("; ")
}

/// Prints the files that are kept.
fn keeps(skill: &PlannedSkill, cx: &mut Ctx) -> Result<(), Failure> {
    for path in &skill.kept {
        writeln!(cx, "    keeps {}", one_line(path))?;
    }
    for path in &skill.not_kept {
        let path = one_line(path);
        cx.wrapped_line(&format!(
            "    does not keep {path}: the new version has its place, and it goes to the trash"
        ))?;
    }
    Ok(())
}

/// Prints a unified difference for each file.
pub(crate) fn differences(all: &[FileDifference], cx: &mut Ctx) -> Result<(), Failure> {
    for difference in all {
        if let Some(executable) = difference.executable {
            let path = one_line(&difference.path);
            writeln!(cx, "    {path}: {}", run_bit(executable))?;
        }
        match &difference.unified {
            None => writeln!(cx, "    {}: its bytes differ", one_line(&difference.path))?,
            Some(text) => {
                for line in text.lines() {
                    cx.difference(line)?;
                }
            }
        }
    }
    Ok(())
}

/// Says how the run bit of a file changes.
fn run_bit(executable: bool) -> &'static str {
    if executable {
        "becomes executable"
    } else {
        "is no longer executable"
    }
}

fn head(skill: &PlannedSkill, place: &str, cx: &mut Ctx) -> Result<(), Failure> {
    let (name, what) = (cx.strong(&skill.name), what(skill, place));
    match &skill.reason {
        Some(reason) => cx.wrapped_line(&format!("{name}: {what}: {}", one_line(reason)))?,
        None => cx.wrapped_line(&format!("{name}: {what}"))?,
    }
    // What a skill gains stands before the option that takes it.
    if let Some(help) = skill.help.as_ref().filter(|_| skill.changes.passes()) {
        cx.wrapped_line(&format!("    help: {}", one_line(help)))?;
    }
    if skill.action != Action::Refuse || skill.conflicts.len() > 1 {
        for conflict in &skill.conflicts {
            let path = one_line(&conflict.path);
            cx.wrapped_line(&format!("    conflict: {path}: {}", conflict.reason))?;
        }
    }
    if skill.displaces_repository {
        let line = "    ! its git repository (`.git`) goes to the trash with it";
        writeln!(cx, "{}", cx.careful(line))?;
    }
    if let Some(note) = &skill.note {
        cx.wrapped_line(&format!("    note: {}", one_line(note)))?;
    }
    let errors = skill.findings.iter();
    for found in errors
        .filter(|found| found.severity == Severity::Error)
        .take(10)
    {
        let place = format!("{}:{}", found.path, found.start);
        let line = one_line(&format!("{place}: {}", found.message));
        cx.wrapped_line(&format!("    error[{}]: {line}", found.rule))?;
    }
    Ok(())
}

/// Prints the description, the source and the size of a skill.
fn about(skill: &PlannedSkill, cx: &mut Ctx) -> Result<(), Failure> {
    if !skill.description.is_empty() {
        cx.wrapped_line(&format!("    {}", one_line(&skill.description)))?;
    }
    if let Some(source) = &skill.source {
        let mut from = Provenance::new(source);
        from.path.clone_from(&skill.path);
        from.requested.clone_from(&skill.requested);
        from.commit.clone_from(&skill.commit);
        cx.wrapped_line(&format!("    from {}", one_line(&from.to_string())))?;
    }
    if let Some(archive) = &skill.archive {
        cx.wrapped_line(&format!("    archive {archive}"))?;
    }
    if !skill.files.is_empty() {
        let files = counted(skill.files.len(), "file");
        cx.wrapped_line(&format!("    {files}, {} bytes", skill.size))?;
    }
    Ok(())
}

/// Prints the facts for the person's decision: scripts, tools, shadowed skills, omissions, hooks.
fn details(skill: &PlannedSkill, cx: &mut Ctx) -> Result<(), Failure> {
    let powers = skill
        .powers
        .iter()
        .filter(|power| power.kind != PowerKind::Tools && power.kind != PowerKind::Scripts);
    for (kind, texts) in by_kind(powers) {
        cx.wrapped_line(&format!("    {kind}: {}", one_line(&texts)))?;
    }
    for (label, values) in [
        ("scripts", &skill.scripts),
        ("asks for the tools", &skill.allowed_tools),
        ("has the name of", &skill.shadows),
        ("needs missing skills", &skill.missing_skills),
    ] {
        if !values.is_empty() {
            cx.wrapped_line(&format!("    {label}: {}", one_line(&values.join(", "))))?;
        }
    }
    for left_out in &skill.left_out {
        let path = one_line(&left_out.path);
        cx.wrapped_line(&format!("    left out: {path}: {}", left_out.reason))?;
    }
    if !skill.lfs_pointers.is_empty() {
        let files = one_line(&skill.lfs_pointers.join(", "));
        cx.wrapped_line(&format!(
            "    ! a Git LFS pointer, and not the file itself: {files}; for the file, clone the source, run `git lfs pull` \
             there, and install from the folder"
        ))?;
    }
    if skill.hooks {
        cx.wrapped_line("    ! has hooks, which a host may run by itself")?;
    }
    if let Some(tool) = &skill.command_tool {
        let tool = one_line(tool);
        cx.wrapped_line(&format!(
            "    ! its slash command calls the tool {tool} without a model turn"
        ))?;
    }
    Ok(())
}

/// Prints what the gate does not pass, in the words of `skills diff`, and then the help.
fn gained(skill: &PlannedSkill, cx: &mut Ctx) -> Result<(), Failure> {
    for line in diff::text::denied(&skill.changes) {
        writeln!(cx, "{}", cx.careful(format!("  {line}")))?;
    }
    if !skill.changes.passes()
        && let Some(help) = &skill.help
    {
        cx.wrapped_line(&format!("    help: {}", one_line(help)))?;
    }
    Ok(())
}

fn by_kind<'p>(powers: impl Iterator<Item = &'p Power>) -> Vec<(&'static str, String)> {
    let mut all = Powers::default();
    powers.for_each(|power| all.insert(power.kind, power.text.as_str()));
    summary(&all)
}

/// Prints what was done: a line for a single skill, or a line for each kind of change.
fn report(plan: &Plan, applied: &[Applied], cx: &mut Ctx) -> Result<(), Failure> {
    let place = one_line(&cx.env.shown(&plan.target));
    let (mut done, mut unchanged): (Vec<(&str, Vec<&str>)>, usize) = (Vec::new(), 0);
    for one in applied.iter().filter(|one| one.error.is_none()) {
        if one.action == Action::Current {
            unchanged += 1;
            continue;
        }
        let word = past(one.action);
        match done.iter_mut().find(|(known, _)| *known == word) {
            Some((_, names)) => names.push(&one.name),
            None => done.push((word, vec![&one.name])),
        }
    }
    for (word, names) in done {
        match names.as_slice() {
            [name] => writeln!(cx, "{word} {name} in {place}")?,
            names => writeln!(cx, "{word} {} in {place}", counted(names.len(), "skill"))?,
        }
    }
    if unchanged > 0 {
        let skills = counted(unchanged, "skill");
        cx.note(format!(
            "{skills} not changed: another process has made the same change"
        ));
    }
    for skill in plan.changes().filter(|_| !applied.is_empty()) {
        for conflict in &skill.conflicts {
            cx.warning(format_args!(
                "{}/{} has conflict markers: resolve them; `skills restore` undoes the merge",
                one_line(&skill.name),
                one_line(&conflict.path)
            ));
        }
    }
    Ok(())
}

fn past(action: Action) -> &'static str {
    match action {
        Action::Install => "installed",
        Action::Update => "updated",
        Action::Merge => "merged",
        Action::Replace => "replaced",
        Action::Restore => "restored",
        _ => "uninstalled",
    }
}
