//! Takes a change: exchanges the folders in one step, then commits.

use crate::history::{History, Place, Projects};
use crate::improve::proposal::{Change, Proposal, Taken};
use crate::install::Host;
use crate::install::temporary::Temporary;
use crate::lock::{SkillsFolder, to_entry};
use skills_format::{Prose, command, prose};
use skills_store::files::copy::is_there;
use skills_store::files::lock::LockChange;
use skills_store::files::snapshot::Snapshot;
use skills_store::files::work::{Keep, SkillChange};
use skills_store::{Error, ErrorKind};
use std::path::Path;

/// Takes a change: from exactly the old version to exactly the new version.
pub(crate) fn take(change: &Change, projects: Projects, host: Host<'_>) -> Result<Taken, Error> {
    let Proposal { skill, target, .. } = &change.proposal;
    let waiting = |path: &Path, holder: &str| host.observer.waiting(path, holder);
    let work = SkillsFolder::open(target, host.data, &waiting)?;
    let was_outside = matches!(Place::of(target), Place::Outside);
    let history = history(target, projects, MissingRepository::Make, &work, host)?;
    let done = is_done(change)?;
    if !done {
        if let Some(history) = &history {
            record(history, skill, &format!("by hand: {skill}\n"), host);
        }
        // Both versions before the exchange: a rollback without a repository finds them only in the store.
        host.data.store().put(&change.old)?;
        host.data.store().put(&change.new)?;
        put(change, &work, host)?;
    }
    let note = match &history {
        None => Some(not_committed(target)),
        Some(_) if was_outside => Some(prose!(
            "a git repository was made in {}, with this change as its first commit; {} shows it",
            target,
            command("history").word(skill).word("--to").path(target)
        )),
        Some(_) => None,
    };
    let commit = history.and_then(|history| record(&history, skill, &message(change), host));
    // The folder is locked until after the commit, which could otherwise hold another process's change.
    drop(work);
    Ok(Taken { commit, note })
}

/// Returns whether a killed process has already made the change.
fn is_done(change: &Change) -> Result<bool, Error> {
    let place = change.proposal.place();
    Ok(is_there(&place)? && Snapshot::read(&place)? == change.new)
}

fn put(change: &Change, work: &SkillsFolder, host: Host<'_>) -> Result<(), Error> {
    let Proposal {
        skill,
        target,
        copied,
        ..
    } = &change.proposal;
    let entry = work.lock()?.skills.get(skill).map(to_entry);
    let trash = host.data.trash();
    let trash = trash.place(skill, target, "improve", entry, host.clock);
    let (before, keep, lock) = match copied {
        // The place is free, and the lock records the origin of the copy.
        Some(entry) => (None, Keep::No, LockChange::Set(entry.clone())),
        None => (Some(change.old.seen()), Keep::InTrash, LockChange::Keep),
    };
    let put = SkillChange {
        name: skill,
        before,
        keep,
        trash,
        lock,
        consumed: None,
    };
    work.put(&change.new, put)
}

/// The option to make a repository if there is none.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum MissingRepository {
    Make,
    Leave,
}

/// Opens the history of a folder of skills. A repository is never made inside another one.
pub(crate) fn history<'h>(
    target: &Path,
    projects: Projects,
    repository: MissingRepository,
    work: &SkillsFolder,
    host: Host<'h>,
) -> Result<Option<History<'h>>, Error> {
    match Place::of(target) {
        Place::Own => History::of(target, host.git, host.clock, host.observer),
        Place::Inside(root) if projects == Projects::Commit => {
            History::inside(target, &root, host.git, host.clock, host.observer).map(Some)
        }
        Place::Inside(_) => Ok(None),
        Place::Outside if repository == MissingRepository::Leave => Ok(None),
        Place::Outside => {
            let temporary = Temporary::make(&host.data.temporary(), host.observer)?;
            let part = temporary.path().join("repository");
            let skills = work.skills();
            let made = History::make(skills, &part, host.git, host.clock, host.observer);
            match made {
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
    }
}

/// Commits the present state of a skill. A failure of git is reported, and the change itself stays.
pub(crate) fn record(
    history: &History<'_>,
    skill: &str,
    message: &str,
    host: Host<'_>,
) -> Option<String> {
    history.commit(&[skill], message).unwrap_or_else(|error| {
        let help = error.remedy_or("commit it with git");
        host.observer
            .warning(&format!("{error:#}; it is not committed: {help}"));
        None
    })
}

/// Explains why nothing was committed.
pub(crate) fn not_committed(target: &Path) -> Prose {
    match Place::of(target) {
        Place::Inside(root) => prose!(
            "not committed: the folder lies in the repository {}; --in-project commits it there",
            &root
        ),
        _ => "not committed: there is no repository".into(),
    }
}

/// Returns the message of the commit, with the errors.
fn message(change: &Change) -> String {
    let Proposal {
        skill,
        summary,
        errors,
        ..
    } = &change.proposal;
    let errors: Vec<String> = errors.iter().map(|error| format!("- {error}\n")).collect();
    format!(
        "improve({skill}): {summary}\n\nErrors of the run:\n\n{}",
        errors.concat()
    )
}
