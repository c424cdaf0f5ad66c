//! The last decisions that leave no operation, as `restore` reports them.

use crate::catalog::options::CatalogOptions;
use crate::commands::install::operations::named;
use crate::commands::install::target::word_of;
use crate::commands::trust::target::folder_of;
use crate::environment::{Environment, SystemClock};
use crate::output::{Output, one_line};
use skills_format::text::command::Command;
use skills_format::{Prose, command, prose};
use skills_runtime::source::TrustRecord;
use skills_store::files::decided::{Decided, Decision};
use std::path::PathBuf;

/// Creates the record of a decision of now.
pub(crate) fn decided(decision: Decision, names: Vec<String>) -> Decided {
    Decided::new(&SystemClock, decision, names)
}

/// Records a decision. A failure is a warning: the decision itself was stored.
pub(crate) fn record(decided: Decided, environment: &Environment, output: &mut Output) {
    let Some(data) = environment.data_folder() else {
        return;
    };
    if decided.names.is_empty() {
        return;
    }
    if let Err(error) = decided.write(&data) {
        output.warning(prose!("`restore` will not name this: {}", &error));
    }
}

/// Records that skills were enabled or disabled. Options can name another file than that of this machine: the command that
/// undoes the decision names it too.
pub(crate) fn of_catalog(
    decision: Decision,
    ids: Vec<String>,
    options: &CatalogOptions,
    environment: &Environment,
    output: &mut Output,
) {
    let decided = decided(decision, ids).with_options(options.absolute_words(environment));
    record(decided, environment, output);
}

/// Records that skills were trusted, or are trusted no longer. They are named by their folders: an id means another skill in
/// another project.
pub(crate) fn of_trust(
    decision: Decision,
    skills: Vec<(String, &TrustRecord)>,
    options: &CatalogOptions,
    environment: &Environment,
    output: &mut Output,
) {
    let (ids, records): (Vec<String>, Vec<&TrustRecord>) = skills.into_iter().unzip();
    let decided = decided(decision, ids)
        .in_folders(records.into_iter().map(folder_of).collect())
        .with_options(options.absolute_words(environment));
    record(decided, environment, output);
}

/// Returns the decision as the person typed it.
pub(crate) fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::Disable => "disable",
        Decision::Enable => "enable",
        Decision::Pin => "pin",
        Decision::Unpin => "unpin",
        Decision::Trust => "trust",
        Decision::Untrust => "trust --remove",
        Decision::ScheduleAdd => "schedule add",
        Decision::ScheduleSet => "schedule set",
        Decision::ScheduleRemove => "schedule remove",
        _ => "decision",
    }
}

/// Returns the command that undoes a decision, and what it does. `None` if no command does.
pub(crate) fn undo(
    decided: &Decided,
    environment: &Environment,
) -> Option<(Command, &'static str)> {
    let Decided {
        names,
        folders,
        options,
        ..
    } = decided;
    let of_names = |undo: Command| names.iter().fold(undo, |undo, name| undo.word(name));
    let of_folders = |undo: Command| {
        let paths = folders.iter().map(|folder| environment.shown(folder));
        paths.fold(undo, |undo, path| undo.short_path(&path))
    };
    let in_folders = |undo: Command| {
        let in_folder = |undo: Command, folder: &PathBuf| {
            undo.word("--to").short_path(&word_of(folder, environment))
        };
        folders.iter().fold(undo, in_folder)
    };
    let (undo, what) = match decided.decision {
        Decision::Disable => (of_names(command("enable")), "does"),
        Decision::Enable => (of_names(command("disable")), "does"),
        Decision::Pin => (in_folders(of_names(command("unpin"))), "does"),
        Decision::Unpin => (in_folders(of_names(command("pin"))), "does"),
        Decision::Trust => (of_folders(command("trust --remove")), "does"),
        // The skill can have changed since: the person looks at it again.
        Decision::Untrust => (of_folders(command("trust")), "trusts it as it is now"),
        Decision::ScheduleAdd => (of_names(command("schedule remove")), "does"),
        Decision::ScheduleSet if options.is_empty() => return None,
        Decision::ScheduleSet => (of_names(command("schedule set")), "does"),
        Decision::ScheduleRemove => (
            in_folders(of_names(command("restore"))),
            "brings its skill back, without the schedule",
        ),
        // A decision that this function does not know.
        _ => return None,
    };
    let undo = options.iter().fold(undo, |undo, word| undo.word(word));
    Some((undo, what))
}

/// Says that `restore` does not undo a decision, and which command does.
pub(crate) fn stays(decided: &Decided, is_last: bool, environment: &Environment) -> Prose {
    let names: Vec<&String> = decided.names.iter().collect();
    let (word, names) = (word(decided.decision), one_line(&named(&names)));
    let when = if is_last { ", which came last" } else { "" };
    let stays = prose!("`restore` does not undo the `{word}` of {names}{when}");
    if let Some((undo, what)) = undo(decided, environment) {
        return prose!("{}: {} {what}", stays, undo);
    }
    stays
}
