//! The recorded operations as a person reads them.

use crate::commands::install::session::{Session, failure};
use crate::commands::install::targets::joined;
use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::table::Table;
use crate::output::{Output, one_line};
use serde::Serialize;
use skills_format::{command, prose};
use skills_host::install::{Host, Interrupted, Undoable, can_undo, interrupted, short_id};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The most skills of an operation that a line names.
const MOST: usize = 3;

/// An operation in the document of `restore --list`.
#[derive(Serialize)]
pub(crate) struct OperationJson {
    id: String,
    /// The command.
    why: String,
    time: String,
    /// `done`, `failed`, `undone`, `interrupted` or `running`
    state: &'static str,
    /// The id of the operation that this operation undid.
    undoes: Option<String>,
    places: Vec<PlaceJson>,
}

#[derive(Serialize)]
struct PlaceJson {
    folder: String,
    skills: Vec<String>,
}

impl OperationJson {
    pub(crate) fn of(operation: &Undoable, environment: &Environment) -> Self {
        let place = |(folder, skills): &(PathBuf, Vec<String>)| PlaceJson {
            folder: environment.documented(folder),
            skills: skills.clone(),
        };
        Self {
            id: operation.id.clone(),
            why: operation.why.clone(),
            time: format!("{:.0}", operation.time),
            state: state(operation),
            undoes: operation.undoes.clone(),
            places: operation.places.iter().map(place).collect(),
        }
    }
}

/// Prints a row for each operation, with the beginning of its id that `restore` takes.
pub(crate) fn table(
    shown: &[&Undoable],
    all: &[Undoable],
    host: Host<'_>,
    environment: &Environment,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut table = Table::new(["ID", "TIME", "BY", "STATE", "SKILLS", "WHERE"]);
    for operation in shown {
        table.push([
            short_id(&operation.id, all),
            format!("{:.0}", operation.time),
            one_line(&operation.why),
            state(operation).to_owned(),
            named(&names(operation)),
            joined(folders(&operation.places), environment),
        ]);
    }
    table.print(output)?;
    // The example works as it is printed: the operation of a failure may have changed nothing.
    let mut shown = shown.iter().filter(|it| !it.is_undone);
    if let Some(last) = shown.find(|it| can_undo(it, host)) {
        let restore = command("restore").word(&short_id(&last.id, all));
        output.note(prose!(
            "{} undoes the operation of that id, in all its folders; a restore is undone by its id too",
            restore
        ));
    }
    Ok(())
}

/// Reports the last operation if a kill interrupted it, unless the present one undoes it.
pub(crate) fn report_interrupted(
    undoes: Option<&str>,
    session: &Session,
    environment: &Environment,
    output: &mut Output,
) {
    let interrupted = match interrupted(session.host()) {
        Ok(interrupted) => interrupted,
        Err(error) => {
            output.failure(&failure(&error));
            return;
        }
    };
    let Some(Interrupted {
        of, made, not_made, ..
    }) = interrupted
    else {
        return;
    };
    if undoes.is_some_and(|id| id == of.id || of.undoes.as_deref() == Some(id)) {
        return;
    }
    let (why, time) = (one_line(&of.why), of.time);
    let (made, not_made) = (
        in_folders(&made, environment),
        in_folders(&not_made, environment),
    );
    let (id, what) = match &of.undoes {
        Some(undone) => (undone, "finishes it"),
        None => (&of.id, "undoes all of it"),
    };
    output.warning(prose!(
        "the {why} of {time:.0} was interrupted. Done: {made}; not done: {not_made}; {} {what}",
        command("restore").word(id)
    ));
}

fn in_folders(places: &[(PathBuf, Vec<String>)], environment: &Environment) -> String {
    let place = |(folder, names): &(PathBuf, Vec<String>)| {
        let names: Vec<&String> = names.iter().collect();
        format!(
            "{} in {}",
            named(&names),
            one_line(&environment.shown(folder))
        )
    };
    places.iter().map(place).collect::<Vec<_>>().join(", ")
}

fn folders(places: &[(PathBuf, Vec<String>)]) -> impl Iterator<Item = &Path> {
    places.iter().map(|(folder, _)| folder.as_path())
}

fn names(operation: &Undoable) -> Vec<&String> {
    let names = operation.places.iter().flat_map(|(_, names)| names);
    // A skill in several folders is named once.
    names.collect::<BTreeSet<_>>().into_iter().collect()
}

fn state(operation: &Undoable) -> &'static str {
    match (operation.is_open, operation.is_undone) {
        _ if operation.is_running => "running",
        (true, _) => "interrupted",
        (_, true) => "undone",
        _ if operation.has_failed => "failed",
        _ => "done",
    }
}

/// Returns the first names, and the number of the others.
pub(crate) fn named(names: &[&String]) -> String {
    let shown: Vec<String> = names.iter().take(MOST).map(|name| one_line(name)).collect();
    match names.len().saturating_sub(MOST) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
