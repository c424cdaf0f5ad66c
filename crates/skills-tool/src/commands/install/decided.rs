//! The last decision that leaves no operation, as `restore` reports it.

use crate::catalog::options::CatalogOptions;
use crate::commands::install::target::word_of;
use crate::environment::{Environment, SystemClock};
use crate::output::{Output, one_line};
use skills_format::text::command::Command;
use skills_format::{Prose, command, prose};
use skills_store::files::decided::{Decided, Decision};
use std::path::PathBuf;

/// Records a decision. A failure is a warning: the decision itself was stored.
pub(crate) fn record(
    decision: Decision,
    names: Vec<String>,
    folders: Vec<PathBuf>,
    environment: &Environment,
    output: &mut Output,
) {
    let Some(data) = environment.data_folder() else {
        return;
    };
    if names.is_empty() {
        return;
    }
    let decided = Decided::new(&SystemClock, decision, names, folders);
    if let Err(error) = decided.write(&data) {
        output.warning(prose!("`restore` will not name this: {}", &error));
    }
}

/// Records that skills were enabled or disabled. Options can name another file than that of this machine: what they change
/// is not recorded.
pub(crate) fn of_catalog(
    decision: Decision,
    ids: Vec<String>,
    options: &CatalogOptions,
    environment: &Environment,
    output: &mut Output,
) {
    if !options.is_given() {
        record(decision, ids, Vec::new(), environment, output);
    }
}

/// Says that `restore` does not undo a decision, and which command does.
pub(crate) fn stays(decided: &Decided, environment: &Environment) -> Prose {
    let names: Vec<String> = decided.names.iter().map(|name| one_line(name)).collect();
    let (words, undo, what) = match decided.decision {
        Decision::Disable => ("disable", command("enable"), "does"),
        Decision::Enable => ("enable", command("disable"), "does"),
        Decision::Pin => ("pin", command("unpin"), "does"),
        Decision::Unpin => ("unpin", command("pin"), "does"),
        Decision::ScheduleRemove => (
            "schedule remove",
            command("restore"),
            "brings its skill back, without the schedule",
        ),
        // A decision that this function does not know.
        _ => return "`restore` does not undo the last decision".into(),
    };
    let undo = decided
        .names
        .iter()
        .fold(undo, |undo, name| undo.word(name));
    let in_folder = |undo: Command, folder: &PathBuf| {
        undo.word("--to").short_path(&word_of(folder, environment))
    };
    let undo = decided.folders.iter().fold(undo, in_folder);
    prose!(
        "`restore` does not undo the `{words}` of {}, which came last: {} {what}",
        names.join(", "),
        undo
    )
}
