//! `skills restore --list` and `--empty`: the operations, and the skills that were removed or replaced.

use crate::commands::install::decided::{recorded, standing, stays, undo, word};
use crate::commands::install::operations::{OperationJson, table};
use crate::commands::install::session::{Consent, Session, failure};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Format, Output, counted, one_line};
use serde::Serialize;
use skills_format::{command, prose};
use skills_host::install::{Undoable, forget_lost, undoable, undoable_only_with};
use skills_store::files::contents::Contents;
use skills_store::files::decided::Decided;
use skills_store::files::trash::{Trash, Trashed};
use std::io::Write as _;
use std::path::PathBuf;

/// The most operations that are named one by one.
const MOST: usize = 5;

/// A call that lists the trash or empties the trash.
pub(crate) struct TrashCall<'c> {
    pub(crate) action: TrashAction,
    /// The folder whose skills are meant. `None`: of all folders.
    pub(crate) folder: Option<PathBuf>,
    pub(crate) consent: Consent<'c>,
    /// Only reports what would be removed.
    pub(crate) dry_run: bool,
    pub(crate) format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TrashAction {
    List,
    Empty,
}

/// `restore --list --format json`
#[derive(Serialize)]
struct TrashDocument {
    schema: u32,
    /// The skills in the trash.
    skills: Vec<TrashedJson>,
    removed: usize,
    /// The operations that `restore` can undo, the latest first.
    operations: Vec<OperationJson>,
    /// The decisions that `restore` does not undo, the latest first, each with the command that does.
    decisions: Vec<DecisionJson>,
}

#[derive(Serialize)]
struct DecisionJson {
    time: String,
    /// The command.
    decision: &'static str,
    skills: Vec<String>,
    /// The command that undoes the decision.
    undo: Option<String>,
    /// The folder in which the command must run, if it is another one than the present folder.
    folder: Option<String>,
}

#[derive(Serialize)]
struct TrashedJson {
    id: String,
    name: String,
    from: String,
    time: String,
    why: String,
    /// The folder in the trash.
    path: String,
    files: usize,
    bytes: u64,
}

/// A skill in the trash, with its size.
struct Weighed {
    trashed: Trashed,
    contents: Contents,
}

impl TrashCall<'_> {
    pub(crate) fn run(
        &self,
        session: &Session,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let trash = session.data().trash();
        let empties = self.action == TrashAction::Empty && !self.dry_run;
        let is_trial = self.action == TrashAction::Empty && self.dry_run;
        let is_meant = |trashed: &Trashed| match &self.folder {
            Some(folder) => trashed.record.from == *folder,
            None => true,
        };
        let mut all = trash.list().map_err(|error| failure(&error))?;
        all.retain(is_meant);
        let host = session.host();
        let mut removed = 0;
        if empties && !all.is_empty() {
            let lost = undoable_only_with(is_meant, host).map_err(|error| failure(&error))?;
            report_lost(&lost, output);
            let question = format!("Remove {} for good?", counted(all.len(), "skill"));
            if !self.consent.is_given(&question, "", false, output)? {
                output.note("nothing was changed");
                return Ok(Outcome::Findings);
            }
            removed = trash
                .empty(self.folder.as_deref())
                .map_err(|error| failure(&error))?;
            all.clear();
            let forgotten = lost.iter().try_for_each(|lost| forget_lost(lost, host));
            forgotten.map_err(|error| failure(&error))?;
        } else if empties {
            // The user already agreed to the removal of what is left.
            trash.finish_removals().map_err(|error| failure(&error))?;
        }
        if is_trial && self.format == Format::Text {
            print_trial(&weighed(all)?, &trash, environment, output)?;
            let lost = undoable_only_with(is_meant, host).map_err(|error| failure(&error))?;
            report_lost(&lost, output);
            return report_unrecorded(&trash, environment, output).map(|()| Outcome::Done);
        }
        let operations = undoable(None, host).map_err(|error| failure(&error))?;
        let is_shown = |operation: &&Undoable| {
            let mut places = operation.places.iter();
            let folder = self.folder.as_ref();
            folder.is_none_or(|folder| places.any(|(place, _)| place == folder))
        };
        let shown: Vec<&Undoable> = operations.iter().filter(is_shown).collect();
        report_left(&trash, environment, output)?;
        let decisions = self.decisions(session, environment, output);
        match self.format {
            Format::Json => output.json(&TrashDocument {
                schema: 1,
                skills: weighed(all)?
                    .iter()
                    .map(|weighed| TrashedJson::of(weighed, environment))
                    .collect(),
                removed,
                operations: shown
                    .iter()
                    .map(|operation| OperationJson::of(operation, environment))
                    .collect(),
                decisions: decisions
                    .iter()
                    .map(|decided| DecisionJson::of(decided, environment))
                    .collect(),
            })?,
            Format::Text if empties => {
                writeln!(output, "removed {}", counted(removed, "skill"))?;
            }
            Format::Text => {
                if shown.is_empty() {
                    output.note("the trash is empty, and no operation is recorded");
                } else {
                    table(&shown, &operations, host, environment, output)?;
                }
                for (at, decided) in decisions.iter().enumerate() {
                    output.note(stays(decided, at == 0, environment));
                }
            }
        }
        Ok(Outcome::Done)
    }

    /// Returns the decisions to list. One is about a skill, and seldom about a folder.
    fn decisions(
        &self,
        session: &Session,
        environment: &Environment,
        output: &mut Output,
    ) -> Vec<Decided> {
        if self.folder.is_some() || self.action != TrashAction::List {
            return Vec::new();
        }
        let data = session.data();
        standing(recorded(data, output), data, environment)
    }
}

/// Prints what `--empty` would remove, with the sizes.
fn print_trial(
    all: &[Weighed],
    trash: &Trash,
    environment: &Environment,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut total = Contents::default();
    for Weighed { trashed, contents } in all {
        total = total.and(*contents);
        let (name, size) = (one_line(&trashed.record.name), sized(*contents));
        let from = one_line(&environment.shown(&trashed.record.from));
        let path = one_line(&environment.shown(&trashed.folder));
        writeln!(output, "{name} of {from}: {size}, in {path}")?;
    }
    for path in trash.leftovers().map_err(|error| failure(&error))? {
        let contents = Contents::of(&path).map_err(|error| failure(&error))?;
        total = total.and(contents);
        let path = one_line(&environment.shown(&path));
        writeln!(
            output,
            "the rest of a removed skill: {}, in {path}",
            sized(contents)
        )?;
    }
    let skills = counted(all.len(), "skill");
    writeln!(output, "would remove {skills}: {}", sized(total))?;
    Ok(())
}

fn sized(contents: Contents) -> String {
    let files = counted(contents.files, "file");
    format!("{files}, {} bytes", contents.bytes)
}

/// Reports the operations that cannot be undone without the trash.
fn report_lost(lost: &[Undoable], output: &mut Output) {
    if lost.is_empty() {
        return;
    }
    let mut words: Vec<String> = lost
        .iter()
        .take(MOST)
        .map(|one| one_line(&one.why))
        .collect();
    if let more @ 1.. = lost.len().saturating_sub(MOST) {
        words.push(format!("{more} more"));
    }
    let count = counted(lost.len(), "operation");
    output.note(prose!(
        "{count} can then not be undone whole: {}; {} shows all",
        words.join(", "),
        command("restore --list")
    ));
}

/// Warns about what is in the trash and is not a listed skill.
fn report_left(
    trash: &Trash,
    environment: &Environment,
    output: &mut Output,
) -> Result<(), Failure> {
    for path in trash.leftovers().map_err(|error| failure(&error))? {
        output.warning(prose!(
            "{} is left of a removed skill; {} removes it",
            environment.shown(&path),
            command("restore --empty")
        ));
    }
    report_unrecorded(trash, environment, output)
}

/// Warns about the skills that nothing removes, since their origin is unknown.
fn report_unrecorded(
    trash: &Trash,
    environment: &Environment,
    output: &mut Output,
) -> Result<(), Failure> {
    for path in trash.unrecorded().map_err(|error| failure(&error))? {
        output.warning(format_args!(
            "the skill in {} has no readable record; move it to its place, or remove it manually",
            environment.shown(&path)
        ));
    }
    Ok(())
}

impl DecisionJson {
    fn of(decided: &Decided, environment: &Environment) -> Self {
        let undo = undo(decided, environment);
        let folder = undo.as_ref().and_then(|undo| undo.place.as_ref());
        Self {
            time: format!("{:.0}", decided.time),
            folder: folder.map(|folder| environment.documented(folder)),
            decision: word(decided.decision),
            skills: decided.names.clone(),
            undo: undo.map(|undo| undo.command.line()),
        }
    }
}

/// Counts what each skill holds, which reads every folder of it.
fn weighed(all: Vec<Trashed>) -> Result<Vec<Weighed>, Failure> {
    let weigh = |trashed: Trashed| {
        let contents = Contents::of(&trashed.folder).map_err(|error| failure(&error))?;
        Ok(Weighed { trashed, contents })
    };
    all.into_iter().map(weigh).collect()
}

impl TrashedJson {
    fn of(weighed: &Weighed, environment: &Environment) -> Self {
        let Weighed { trashed, contents } = weighed;
        let record = &trashed.record;
        Self {
            id: trashed.id.clone(),
            name: record.name.clone(),
            from: environment.documented(&record.from),
            time: format!("{:.0}", record.time),
            why: record.why.clone(),
            path: environment.documented(&trashed.folder),
            files: contents.files,
            bytes: contents.bytes,
        }
    }
}
