//! The last decisions that leave no operation, as `restore` reports them.

use crate::catalog::options::CatalogOptions;
use crate::commands::install::decided_place::{of_root, of_skills};
use crate::commands::install::operations::named;
use crate::commands::install::session::failure;
use crate::commands::install::target::word_of;
use crate::commands::schedule::site::Site;
use crate::commands::trust::target::folder_of;
use crate::environment::{Environment, SystemClock};
use crate::output::{Output, one_line};
use jiff::Timestamp;
use skills_format::text::command::Command;
use skills_format::{Prose, command, prose};
use skills_host::install::Pins;
use skills_runtime::Catalog;
use skills_runtime::source::TrustRecord;
use skills_store::files::clock::Clock as _;
use skills_store::files::data::DataFolder;
use skills_store::files::decided::{Decided, Decision, Recorded};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The command that undoes a decision.
pub(crate) struct Undo {
    pub(crate) command: Command,
    /// What the command does, after its name.
    what: Prose,
    /// The folder in which the command must run, if it is another one than the present folder.
    pub(crate) place: Option<PathBuf>,
}

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
    match decided.write(&data) {
        Ok(None) => {}
        Ok(Some(aside)) => output.warning(prose!(
            "the list of the earlier decisions was damaged, and is now {}: `restore` names only later decisions",
            aside.as_path()
        )),
        Err(error) => output.warning(prose!("`restore` will not name this: {}", &error)),
    }
}

/// Records that skills were enabled or disabled. Options can name another file than that of this machine: the command that
/// undoes the decision names it too.
pub(crate) fn of_catalog(
    decision: Decision,
    ids: Vec<String>,
    catalog: &Catalog,
    options: &CatalogOptions,
    environment: &Environment,
    output: &mut Output,
) {
    // An id that is disabled is enabled anywhere. Only an id that is known here is disabled.
    let is_enabled = decision == Decision::Enable;
    let place = is_enabled.then(|| of_skills(&ids, catalog, options, environment));
    let decided = decided(decision, ids)
        .with_options(options.absolute_words(environment))
        .at_place(place.flatten());
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
    let mut of_places: BTreeMap<Option<PathBuf>, Vec<(String, &TrustRecord)>> = BTreeMap::new();
    for skill in skills {
        // Trust is removed by a path from anywhere, and given only where the skill is read.
        let is_removed = decision == Decision::Untrust;
        let place = is_removed.then(|| of_root(&skill.1.root, options, environment));
        of_places.entry(place.flatten()).or_default().push(skill);
    }
    for (place, skills) in of_places {
        let (ids, records): (Vec<String>, Vec<&TrustRecord>) = skills.into_iter().unzip();
        let decided = decided(decision, ids)
            .in_folders(records.into_iter().map(folder_of).collect())
            .with_options(options.absolute_words(environment))
            .at_place(place);
        record(decided, environment, output);
    }
}

/// Reads the recorded decisions. What cannot be read is reported, and hides nothing else.
pub(crate) fn recorded(data: &DataFolder, output: &mut Output) -> Vec<Decided> {
    let read = Decided::read(data).unwrap_or_else(|error| {
        output.failure(&failure(&error));
        Recorded::default()
    });
    for damaged in &read.damaged {
        output.warning(damaged.report());
    }
    read.decisions
}

/// Returns the decisions that still hold and that something can undo, the latest first.
pub(crate) fn standing(
    all: Vec<Decided>,
    data: &DataFolder,
    environment: &Environment,
) -> Vec<Decided> {
    let mut standing = Decided::standing(all);
    let pins = Pins::of(data);
    for decided in &mut standing {
        keep_possible(decided, &pins);
    }
    standing.retain(|decided| {
        if decided.names.is_empty() {
            return false;
        }
        decided.decision != Decision::ScheduleRemove
            || is_in_trash(decided, data)
            || is_without_schedule(decided, environment)
    });
    standing
}

/// Removes the skills whose pin cannot be changed back: they were moved or uninstalled since.
fn keep_possible(decided: &mut Decided, pins: &Pins) {
    let is_pin = decided.decision == Decision::Pin;
    if !is_pin && decided.decision != Decision::Unpin || decided.folders.is_empty() {
        return;
    }
    let folders = decided.folders.clone();
    decided.names.retain(|name| {
        folders.iter().any(|folder| {
            // Pins that cannot be read are reported by `pin` and by `doctor`.
            let is_pinned = pins.names(folder).is_ok_and(|pinned| pinned.contains(name));
            is_pinned == is_pin && (is_pin || folder.join(name).is_dir())
        })
    });
}

/// Returns whether the skill of a removed schedule is in the trash.
fn is_in_trash(decided: &Decided, data: &DataFolder) -> bool {
    // A trash that cannot be read is reported by the list itself.
    let trash = data.trash().list().unwrap_or_default();
    let is_it = |record: &skills_store::files::trash::Record| {
        decided.names.contains(&record.name) && decided.folders.contains(&record.from)
    };
    trash.iter().any(|trashed| is_it(&trashed.record))
}

/// Returns whether the skill of a removed schedule is back, without its schedule.
fn is_without_schedule(decided: &Decided, environment: &Environment) -> bool {
    let (Some(name), Some(folder)) = (decided.names.first(), decided.folders.first()) else {
        return false;
    };
    let scheduler = Site::scheduler_of(folder, environment);
    let stored = scheduler.and_then(|scheduler| scheduler.file().read().ok());
    let is_scheduled = stored.is_some_and(|stored| stored.value.contains_key(name.as_str()));
    folder.join(name).is_dir() && !is_scheduled
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
pub(crate) fn undo(decided: &Decided, environment: &Environment) -> Option<Undo> {
    let is_here = |place: &&PathBuf| environment.bases().project.contains(place);
    let place = decided.place.as_ref().filter(|place| !is_here(place));
    let place = place.cloned();
    let there = Environment {
        working_folder: place.clone().or_else(|| environment.working_folder.clone()),
        ..environment.clone()
    };
    let (command, what) = command_of(decided, environment, &there)?;
    Some(Undo {
        command,
        what,
        place,
    })
}

/// Returns the command that undoes a decision, and what it does. Paths are those from the folder in which the command runs.
fn command_of(
    decided: &Decided,
    environment: &Environment,
    there: &Environment,
) -> Option<(Command, Prose)> {
    let Decided { names, folders, .. } = decided;
    let is_trust = matches!(decided.decision, Decision::Trust | Decision::Untrust);
    if names.is_empty() || is_trust && folders.is_empty() {
        return None;
    }
    let mut options: Vec<&String> = decided.options.iter().collect();
    let mut does = Prose::from("does");
    let of_names = |undo: Command| names.iter().fold(undo, |undo, name| undo.word(name));
    let of_folders = |undo: Command, is_meant: fn(&PathBuf) -> bool| {
        let folders = folders.iter().filter(|folder| is_meant(folder));
        let paths = folders.map(|folder| there.shown(folder));
        paths.fold(undo, |undo, path| undo.short_path(&path))
    };
    let in_folders = |undo: Command| {
        let in_folder =
            |undo: Command, folder: &PathBuf| undo.word("--to").short_path(&word_of(folder, there));
        folders.iter().fold(undo, in_folder)
    };
    let undo = match decided.decision {
        Decision::Disable => of_names(command("enable")),
        Decision::Enable => of_names(command("disable")),
        Decision::Pin => in_folders(of_names(command("unpin"))),
        Decision::Unpin => in_folders(of_names(command("pin"))),
        Decision::Trust => of_folders(command("trust --remove"), |_| true),
        Decision::Untrust if !folders.iter().any(|folder| folder.is_dir()) => return None,
        Decision::Untrust => {
            // The skill can have changed since: the person looks at it again.
            does = "trusts it as it is now".into();
            of_folders(command("trust"), |folder| folder.is_dir())
        }
        Decision::ScheduleAdd => of_names(command("schedule remove")),
        Decision::ScheduleSet if options.is_empty() => {
            does = "removes the schedule, and its skill goes to the trash".into();
            of_names(command("schedule remove"))
        }
        Decision::ScheduleSet => {
            if let Some(at) = past(&mut options) {
                does = prose!("sets the rest: its time before, {at}, is past");
            }
            if options.is_empty() {
                return None;
            }
            of_names(command("schedule set"))
        }
        Decision::ScheduleRemove => {
            let is_past = past(&mut options).is_some();
            let words = std::mem::take(&mut options);
            let set = words
                .iter()
                .fold(of_names(command("schedule set")), |set, word| {
                    set.word(word)
                });
            let has_times = !words.is_empty() && !is_past;
            if is_without_schedule(decided, environment) && has_times {
                does = "brings its schedule back".into();
                return Some((set, does));
            }
            does = if has_times {
                // The second command works only after the first.
                let list = command("restore --list");
                prose!(
                    "brings its skill back; {} then names the command for its schedule",
                    list
                )
            } else if is_past {
                "brings its skill back; the time of its schedule is past".into()
            } else {
                "brings its skill back, without the schedule".into()
            };
            in_folders(of_names(command("restore")))
        }
        // A decision that this function does not know.
        _ => return None,
    };
    Some((
        options.into_iter().fold(undo, |undo, word| undo.word(word)),
        does,
    ))
}

/// Removes a time that is past from the options of a schedule, with its zone: no schedule can be set to it. Returns the time.
fn past(options: &mut Vec<&String>) -> Option<String> {
    let option = options.iter().position(|word| *word == "--at")?;
    let at = String::clone(options.get(option.saturating_add(1))?);
    let is_past = at
        .parse::<Timestamp>()
        .is_ok_and(|at| at <= SystemClock.now());
    if !is_past {
        return None;
    }
    for name in ["--at", "--timezone"] {
        if let Some(option) = options.iter().position(|word| *word == name) {
            options.drain(option..options.len().min(option.saturating_add(2)));
        }
    }
    Some(at)
}

/// Says that `restore` does not undo a decision, and which command does.
pub(crate) fn stays(decided: &Decided, is_last: bool, environment: &Environment) -> Prose {
    let names: Vec<&String> = decided.names.iter().collect();
    let (word, names) = (word(decided.decision), one_line(&named(&names)));
    let when = if is_last { ", which came last" } else { "" };
    let stays = prose!("`restore` does not undo the `{word}` of {names}{when}");
    match undo(decided, environment) {
        Some(Undo {
            command,
            what,
            place: None,
        }) => prose!("{}: {} {}", stays, command, what),
        Some(Undo {
            command,
            what,
            place: Some(place),
        }) if place.is_dir() => {
            let place = one_line(&environment.shown(&place));
            prose!("{}: in {place}, {} {}", stays, command, what)
        }
        Some(Undo { place, .. }) => {
            let place = place.map(|place| one_line(&environment.shown(&place)));
            let place = place.unwrap_or_default();
            prose!("{}: it was read in {place}, which is gone", stays)
        }
        None => match past(&mut decided.options.iter().collect()) {
            Some(at) => {
                let names = decided.names.iter();
                let show = names.fold(command("schedule show"), |show, name| show.word(name));
                prose!(
                    "{}: its time before, {at}, is past; {} shows its time now",
                    stays,
                    show
                )
            }
            None if decided.decision == Decision::Untrust => {
                prose!("{}: its folder is gone", stays)
            }
            None => stays,
        },
    }
}
