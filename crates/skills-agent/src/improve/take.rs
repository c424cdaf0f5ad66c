//! Takes a change: exchanges the folders in one step, then commits.

use crate::improve::proposal::{Change, Taken};
use crate::improve::record::AttemptRecord;
use skills_format::disk::resolve;
use skills_format::{command, prose};
use skills_host::files::copy::is_there;
use skills_host::files::lock::{LockChange, LockEntry};
use skills_host::files::snapshot::Snapshot;
use skills_host::files::work::{Keep, SkillChange, Work};
use skills_host::history::History;
use skills_host::install::Host;
use skills_host::install::Temporary;
use skills_store::{Error, ErrorKind};
use std::path::Path;

/// Takes a change: from exactly the old version to exactly the new version.
pub(crate) fn take(change: &Change, host: Host<'_>) -> Result<Taken, Error> {
    let (skill, target) = (&change.proposal.record.skill, change.proposal.target());
    let waiting = |path: &Path, holder: &str| host.observer.waiting(path, holder);
    let work = Work::open(target, host.data, &waiting)?;
    let mut history = History::of(target, host.git, host.clock, host.observer);
    let is_new = history.is_none();
    if is_new {
        history = new_history(&work, host)?;
    }
    if !is_done(change)? {
        if let Some(history) = &history {
            history.record(&[skill], &format!("by hand: {skill}\n"));
        }
        let (old, new) = (&change.old, &change.new);
        put(
            &work,
            (skill, "improve"),
            Some(old),
            new,
            LockChange::Keep,
            host,
        )?;
    }
    let note = match &history {
        None => Some(NOT_COMMITTED.into()),
        Some(_) if is_new => Some(prose!(
            "created a git repository in {}, with this change as its last commit; {} shows it",
            target,
            command("improve history")
                .word(skill)
                .word("--to")
                .path(target)
        )),
        Some(_) => None,
    };
    let commit = history.and_then(|history| history.record(&[skill], &message(change)));
    // The folder is locked until after the commit, which could otherwise hold another process's change.
    drop(work);
    Ok(Taken { commit, note })
}

/// Returns whether a killed process has already made the change.
fn is_done(change: &Change) -> Result<bool, Error> {
    let place = change.proposal.place();
    Ok(is_there(&place)? && Snapshot::read(&place)? == change.new)
}

/// Puts a version of a skill into place. The present one goes to the trash.
pub(crate) fn put(
    work: &Work,
    (name, why): (&str, &str),
    now: Option<&Snapshot>,
    new: &Snapshot,
    lock: LockChange,
    host: Host<'_>,
) -> Result<(), Error> {
    let entry = work.lock()?.skills.get(name).map(LockEntry::new);
    let trash = host.data.trash();
    let change = SkillChange {
        name,
        before: now.map(Snapshot::seen),
        keep: now.map_or(Keep::No, |_| Keep::InTrash),
        trash: trash.place(name, work.target(), why, entry, host.clock),
        lock,
        consumed: None,
    };
    work.put(new, change)
}

/// The note of a change that no commit holds.
const NOT_COMMITTED: &str =
    "not committed: only your own folders, outside of other repositories, are committed";

/// Makes a repository in a person's own folder of skills, unless the folder is inside another repository.
fn new_history<'h>(work: &Work, host: Host<'h>) -> Result<Option<History<'h>>, Error> {
    let folder = work.skills().path();
    let real = resolve(folder).unwrap_or_else(|_| folder.to_owned());
    let mut above = real.ancestors();
    if !host.git.is_own(folder) || above.any(|above| above.join(".git").symlink_metadata().is_ok())
    {
        return Ok(None);
    }
    let temporary = Temporary::make(&host.data.temporary(), host.observer)?;
    let part = temporary.path().join("repository");
    match History::make(work.skills(), &part, host.git, host.clock, host.observer) {
        // A missing or failing git does not prevent the change.
        Err(error) if error.kind() == ErrorKind::Program => {
            let help = error.remedy_or("make a repository with `git init`");
            host.observer
                .warning(&format!("{error:#}; the change is not committed: {help}"));
            Ok(None)
        }
        made => made,
    }
}

/// Returns the message of the commit, with the errors.
fn message(change: &Change) -> String {
    let AttemptRecord {
        skill,
        summary,
        errors,
        ..
    } = &change.proposal.record;
    let errors: Vec<String> = errors.iter().map(|error| format!("- {error}\n")).collect();
    format!(
        "improve({skill}): {summary}\n\nErrors of the run:\n\n{}",
        errors.concat()
    )
}
