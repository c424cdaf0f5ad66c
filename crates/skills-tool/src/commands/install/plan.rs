//! The plan of a folder as printed for a person, the question, and the results.

use crate::commands::diff;
use crate::commands::install::session::{Session, consents};
use crate::commands::powers::summary;
use crate::environment::Environment;
use crate::input::can_ask;
use crate::outcome::{Failure, Outcome};
use crate::output::table::Table;
use crate::output::{Ctx, add, counted, one_line, some_of};
use serde::Serialize;
use serde_json::{Value, json};
use skills_format::{Severity, prose};
use skills_host::deps::NotWritten;
use skills_host::install::{
    Action, Applied, FileDifference, NotOffered, Offer, OnConflict, Operation, Plan, PlannedSkill,
    apply_as,
};
use skills_permit::{PowerKind, Powers};
use skills_repository::Provenance;
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

/// A plan, and its results; empty when nothing was done.
#[derive(Serialize)]
struct FolderJson {
    plan: Plan,
    results: Vec<Value>,
}

/// A command that carries out a plan in each of its folders. A failure in one folder does not stop the others.
pub(crate) struct Run<'r> {
    carry: &'r Carry<'r>,
    session: &'r Session,
    env: &'r Environment,
    operation: Operation,
    folders: Vec<FolderJson>,
    failures: Vec<Failure>,
    /// The question of a folder could not be asked.
    unasked: Option<Failure>,
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
            unasked: None,
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
        let widens = !carry.widens && plan.changes().any(|skill| !skill.changes.passes());
        // The consent was given before anybody saw what the skills gain.
        if widens && (carry.yes || carry.dry_run && !can_ask(cx)) {
            plan.refuse_where(|skill| {
                let name = &skill.name;
                let help = match carry.verb {
                    "Update" => format!(
                        "`skills update {name} --dry-run` shows its changes; then use --allow widening"
                    ),
                    _ => "read its changes, then use --allow widening".to_owned(),
                };
                let reason = "it may do more than the installed version";
                (!skill.changes.passes()).then(|| (reason.into(), help.into()))
            });
        }
        carry.show(&plan, cx)?;
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
            match consents(carry.yes, &question, cx) {
                Ok(true) => match apply_as(&plan, &self.operation, self.session.host()) {
                    Ok(results) => applied = results,
                    Err(error) => self.failures.push(Failure::from(&error)),
                },
                Ok(false) => {
                    cx.note(format!("nothing was changed in {folder}"));
                    self.outcome = Outcome::Findings;
                }
                // The plans of the other folders are still shown.
                Err(failure) => self.unasked = Some(failure),
            }
            self.session.quiet();
        }
        report(&plan, &applied, carry.verb == "Install", cx)?;
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
            self.document(self.unasked.as_ref(), cx)?;
        }
        self.failures.extend(self.unasked.take());
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
        let results = applied.iter().map(|one| {
            let error = one.error.as_ref().map(|error| format!("{error:#}"));
            json!({ "name": one.name, "action": one.action, "done": error.is_none(), "error": error })
        });
        let results = results.collect();
        self.folders.push(FolderJson { plan, results });
    }

    fn document(&self, error: Option<&Failure>, cx: &mut Ctx) -> Result<(), Failure> {
        let mut document = json!(self.folders.first());
        // What is not in the plan: skills of dependencies, and skills of the source that nothing names.
        if !self.carry.not_written.is_empty() {
            document["not_written"] = json!(self.carry.not_written);
        }
        if let Some(left_out) = self.carry.left_out {
            add(&mut document, left_out);
        }
        if let Some(others) = self.folders.get(1..).filter(|others| !others.is_empty()) {
            document["others"] = json!(others);
        }
        // The reason why nothing was done.
        if let Some(error) = error {
            document["error"] = error.json();
        }
        cx.report(&document)
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
        let mut silent = 0;
        for skill in &plan.skills {
            let facts = skill.reason.iter().map(|reason| one_line(reason));
            let note = facts.chain(facts_of(skill)).collect::<Vec<_>>().join("; ");
            if skill.action == Action::Current && note.is_empty() {
                silent += 1;
            } else {
                table.push([one_line(&skill.name), what(skill).to_owned(), note]);
            }
        }
        if !table.is_empty() {
            writeln!(cx, "{place}:")?;
            table.print(cx)?;
        }
        if silent > 0 {
            writeln!(cx, "{} up to date", counted(silent, "skill"))?;
        }
        Ok(())
    }

    fn show_one(&self, skill: &PlannedSkill, place: &str, cx: &mut Ctx) -> Result<(), Failure> {
        let reason = skill.reason.as_ref();
        let reason = reason.map_or_else(String::new, |it| format!(": {}", one_line(it)));
        let name = cx.strong(&skill.name);
        cx.wrapped_line(&format!("{name} in {place}: {}{reason}", what(skill)))?;
        let errors = skill.findings.iter();
        let errors = errors.filter(|found| found.severity == Severity::Error);
        for found in errors.take(10) {
            let place = format!("{}:{}", found.path, found.start);
            let line = one_line(&format!("{place}: {}", found.message));
            cx.wrapped_line(&format!("    error[{}]: {line}", found.rule))?;
        }
        if !self.brief && skill.action.changes() && skill.action != Action::Remove {
            about(skill, cx)?;
        }
        for fact in facts_of(skill) {
            let line = format!("    {fact}");
            if fact.starts_with('!') {
                writeln!(cx, "{}", cx.careful(line))?;
            } else {
                cx.wrapped_line(&line)?;
            }
        }
        if skill.action == Action::Refuse && !skill.by_hand.is_empty() {
            writeln!(cx, "    local changes:")?;
            differences(&skill.by_hand, cx)?;
        }
        if self.differences && skill.action != Action::Install && !skill.difference.is_empty() {
            if skill.action == Action::Refuse {
                let is_merge = usize::from(!skill.conflicts.is_empty());
                let heading = ["changed in the source", "the merge would change"][is_merge];
                writeln!(cx, "    {heading}:")?;
            }
            differences(&skill.difference, cx)?;
        }
        Ok(())
    }
}

/// Returns what a plan does with a skill.
fn what(skill: &PlannedSkill) -> &'static str {
    match skill.action {
        Action::Install => "install",
        Action::Update => "update",
        Action::Merge => "merge with local changes",
        Action::Replace => "replace; the existing skill goes to the trash",
        Action::Restore => "restore",
        Action::Remove => "move to the trash",
        Action::Refuse => "refused",
        Action::Leave => "kept",
        Action::Current if skill.reason.is_some() => "kept",
        Action::Current => "up to date",
    }
}

/// Returns the facts of a skill for the person's decision. Those that ask for care begin with `!`.
fn facts_of(skill: &PlannedSkill) -> Vec<String> {
    // What a skill gains stands before the option that takes it.
    let denied = diff::text::denied(&skill.changes);
    let mut facts: Vec<String> = denied.map(|line| line.trim().to_owned()).collect();
    facts.extend(skill.help.as_ref().map(|help| format!("help: {help}")));
    facts.extend(skill.note.as_ref().map(|note| format!("note: {note}")));
    let conflicts = skill.conflicts.iter();
    facts.extend(conflicts.map(|it| format!("conflict: {}: {}", it.path, it.reason)));
    if skill.displaces_repository {
        facts.push("! its git repository (`.git`) goes to the trash with it".to_owned());
    }
    if skill.action.changes() && skill.action != Action::Remove {
        let mut powers = Powers::default();
        // Beside what it gains, the powers that a skill had are no news.
        for power in skill.powers.iter().filter(|_| skill.changes.passes()) {
            if !matches!(power.kind, PowerKind::Tools | PowerKind::Scripts) {
                powers.insert(power.kind, power.text.as_str());
                for place in &power.places {
                    powers.add(power.kind, power.text.as_str(), &place.path, place.line);
                }
            }
        }
        let before = match skill.action {
            Action::Update | Action::Merge => " (as before)",
            _ => "",
        };
        let powers = summary(&powers).into_iter();
        facts.extend(powers.map(|(kind, texts)| format!("{kind}{before}: {texts}")));
        for (label, values) in [
            ("code", &skill.scripts),
            ("allowed-tools", &skill.allowed_tools),
            ("has the same name as", &skill.shadows),
            ("needs missing skills", &skill.missing_skills),
            (
                "! only pointers of Git LFS, and not the files",
                &skill.lfs_pointers,
            ),
        ] {
            if !values.is_empty() {
                facts.push(format!("{label}: {}", values.join(", ")));
            }
        }
        let left_out = skill.left_out.iter();
        facts.extend(left_out.map(|it| format!("left out: {}: {}", it.path, it.reason)));
        if skill.hooks {
            facts.push("! has hooks, which a client may run by itself".to_owned());
        }
        let tool = skill.command_tool.iter();
        facts.extend(
            tool.map(|tool| {
                format!("! its slash command calls the tool {tool} without a model turn")
            }),
        );
    }
    if skill.action != Action::Current {
        facts.extend(skill.kept.iter().map(|path| format!("keeps {path}")));
        facts.extend(skill.not_kept.iter().map(|path| {
            format!("does not keep {path}: the new version has its place, and it goes to the trash")
        }));
    }
    facts.iter().map(|fact| one_line(fact)).collect()
}

/// Prints a unified difference for each file.
pub(crate) fn differences(all: &[FileDifference], cx: &mut Ctx) -> Result<(), Failure> {
    for difference in all {
        let path = one_line(&difference.path);
        match difference.executable {
            Some(true) => writeln!(cx, "    {path}: becomes executable")?,
            Some(false) => writeln!(cx, "    {path}: is no longer executable")?,
            None => {}
        }
        match &difference.unified {
            None => writeln!(cx, "    {path}: its bytes differ")?,
            Some(text) => text.lines().try_for_each(|line| cx.difference(line))?,
        }
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

/// Prints what was done: a line for a single skill, or a line for each kind of change.
fn report(
    plan: &Plan,
    applied: &[Applied],
    names_readers: bool,
    cx: &mut Ctx,
) -> Result<(), Failure> {
    let mut place = one_line(&cx.env.shown(&plan.target));
    if names_readers && let Some(readers) = cx.env.readers([plan.target.clone()]) {
        place = match readers.as_str() {
            "" => format!("{place}, which no agent found here reads"),
            readers => format!("{place}, read by {readers}"),
        };
    }
    let mut done: Vec<(&str, Vec<&str>)> = Vec::new();
    // A skill is current if another process has made the same change meanwhile.
    let is_done = |one: &&Applied| one.error.is_none() && one.action != Action::Current;
    for one in applied.iter().filter(is_done) {
        let word = past(one.action);
        match done.iter_mut().find(|(known, _)| *known == word) {
            Some((_, names)) => names.push(&one.name),
            None => done.push((word, vec![&one.name])),
        }
    }
    for (word, names) in done {
        let at = if word == UNINSTALLED { "from" } else { "in" };
        match names.as_slice() {
            [name] => writeln!(cx, "{word} {name} {at} {place}")?,
            names => writeln!(cx, "{word} {} {at} {place}", counted(names.len(), "skill"))?,
        }
    }
    for skill in plan.changes().filter(|_| !applied.is_empty()) {
        for conflict in &skill.conflicts {
            cx.warning(format_args!(
                "{}/{} has conflict markers (`ours` is your version, `theirs` the new one): resolve them; `skills restore` undoes the \
                 merge",
                one_line(&skill.name),
                one_line(&conflict.path)
            ));
        }
    }
    Ok(())
}

const UNINSTALLED: &str = "uninstalled";

fn past(action: Action) -> &'static str {
    match action {
        Action::Install => "installed",
        Action::Update => "updated",
        Action::Merge => "merged",
        Action::Replace => "replaced",
        Action::Restore => "restored",
        _ => UNINSTALLED,
    }
}

/// The skills that a source has and that are not installed, since nothing names them. Empty if the person named the wanted
/// skills.
#[derive(Default, Serialize)]
pub(crate) struct LeftOutSkills {
    /// The skills that cannot be installed from where they lie.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_offered: Vec<NotOffered>,
    /// The folders of the skills that a name installs: hidden, internal, of tests, in dist, or inside the skill of the root.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<String>,
}

impl LeftOutSkills {
    /// Finds the skills that a source does not offer.
    pub(super) fn of(offer: &Offer<'_>) -> Result<Self, Failure> {
        let left_out = offer.left_out()?;
        Ok(Self {
            not_offered: offer.not_offered(),
            left_out: left_out.into_iter().map(str::to_owned).collect(),
        })
    }

    pub(super) fn report(&self, cx: &mut Ctx) {
        const MOST: usize = 5;
        if !self.left_out.is_empty() {
            cx.note(format!(
                "{} not offered (hidden, internal, in tests or dist, or inside the root skill); install by name: {}",
                counted(self.left_out.len(), "skill"),
                some_of(&self.left_out, MOST)
            ));
        }
        // Each with its reason: these cannot be installed from where they lie.
        for skill in self.not_offered.iter().take(MOST) {
            let (path, reason) = (one_line(&skill.path), one_line(&skill.reason));
            cx.warning(format_args!("{path} is not offered: {reason}"));
        }
        if self.not_offered.len() > MOST {
            let more = counted(self.not_offered.len() - MOST, "more skill");
            cx.warning(format_args!("{more} not offered"));
        }
    }
}
