//! Rolls a skill back to an earlier version, from the repository of its folder.

use crate::improve::proposal::Taken;
use crate::improve::take::put;
use skills_format::{SkillName, command, prose};
use skills_host::files::copy::is_there;
use skills_host::files::lock::{LockChange, LockEntry};
use skills_host::files::snapshot::Snapshot;
use skills_host::files::work::Work;
use skills_host::history::{History, Version};
use skills_host::install::Host;
use skills_store::{Error, ErrorKind};
use std::path::Path;

/// The result of a rollback.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RolledBack {
    /// The present revision of the skill.
    pub revision: String,
    /// The digest of that revision.
    pub digest: String,
    /// The commit and a remark; `None` if the skill already had that revision.
    pub taken: Option<Taken>,
}

/// Lists the versions of one skill or of all skills of a folder, the latest first: its commits. A folder that is not the
/// person's own repository has none.
///
/// # Errors
///
/// The errors of [`History::versions`].
pub fn versions(target: &Path, name: Option<&str>, host: Host<'_>) -> Result<Vec<Version>, Error> {
    let history = History::of(target, host.git, host.clock, host.observer);
    history.map_or_else(|| Ok(Vec::new()), |history| history.versions(name))
}

/// Restores an earlier version of a skill: a given revision, or the version before the last change.
///
/// The present version goes to the trash. Its local changes are committed first.
///
/// # Errors
///
/// [`ErrorKind::NotFound`] if the skill or the version does not exist.
pub fn rollback(
    target: &Path,
    name: &str,
    revision: Option<&str>,
    host: Host<'_>,
) -> Result<RolledBack, Error> {
    if SkillName::new(name).is_err() || !is_there(target)? {
        return Err(unknown(target, name));
    }
    let waiting = |path: &Path, holder: &str| host.observer.waiting(path, holder);
    let work = Work::open(target, host.data, &waiting)?;
    let history = History::of(target, host.git, host.clock, host.observer);
    let history = history.ok_or_else(|| no_history(target, name))?;
    let place = target.join(name);
    let now = is_there(&place)?
        .then(|| Snapshot::read(&place))
        .transpose()?;
    let mut wanted = of_repository(&history, name, revision, now.as_ref())?;
    let is_made = wanted
        .as_ref()
        .is_some_and(|(_, version)| now.as_ref() == Some(version));
    if !is_made && (wanted.is_some() || revision.is_none()) {
        // Local changes get a commit of their own, so that they are not lost. It may be the last version now.
        let by_hand = history.record(&[name], &format!("by hand: {name}\n"));
        if by_hand.is_some() && revision.is_none() {
            wanted = of_repository(&history, name, revision, now.as_ref())?;
        }
    }
    let (revision, version) = wanted.ok_or_else(|| no_version(name, revision))?;
    let digest = version.digest().to_string();
    let short = revision.get(..12).unwrap_or(&revision);
    let message = format!("rollback({name}): to {short}\n");
    if now.as_ref() == Some(&version) {
        // A killed process may have skipped the commit.
        let commit = history.record(&[name], &message);
        return Ok(RolledBack {
            revision,
            digest,
            taken: commit.map(|commit| Taken {
                commit: Some(commit),
                note: None,
            }),
        });
    }
    let is_listed = now.is_some() || work.lock()?.skills.contains_key(name);
    // An uninstall took the entry too. It comes back with the files.
    let before = if is_listed {
        None
    } else {
        history.locked(&revision, name)?
    };
    let is_unlisted = !is_listed && before.is_none();
    let lock = before.map_or(LockChange::Keep, |it| LockChange::Set(LockEntry::new(&it)));
    put(
        &work,
        (name, "rollback"),
        now.as_ref(),
        &version,
        lock,
        host,
    )?;
    let note =
        is_unlisted.then(|| "no lock names it: it counts as a skill that was made by hand".into());
    let commit = history.record(&[name], &message);
    Ok(RolledBack {
        revision,
        digest,
        taken: Some(Taken { commit, note }),
    })
}

type Wanted = Option<(String, Snapshot)>;

fn of_repository(
    history: &History<'_>,
    name: &str,
    revision: Option<&str>,
    now: Option<&Snapshot>,
) -> Result<Wanted, Error> {
    let commit = if let Some(revision) = revision {
        history.commit_of(revision)?
    } else {
        history.version_before(name)?
    };
    let Some(commit) = commit else {
        return Ok(None);
    };
    let Some(mut version) = history.snapshot(&commit, name)? else {
        return Ok(None);
    };
    if let Some(now) = now {
        keep_ignored(history, name, now, &mut version)?;
    }
    Ok(Some((commit, version)))
}

/// Keeps ignored files, which are in no version.
fn keep_ignored(
    history: &History<'_>,
    name: &str,
    now: &Snapshot,
    version: &mut Snapshot,
) -> Result<(), Error> {
    let ignored = history.ignored(name)?;
    for (path, entry) in &now.entries {
        if ignored.iter().any(|ignored| ignored == &**path) {
            version.entries.insert(path.clone(), entry.clone());
        }
    }
    // The version can have a link where an ignored file now has its folder.
    if let Some(why) = version.conflict() {
        let message = format!("that version of {name} conflicts with the folder: {why}");
        return Err(Error::new(ErrorKind::Refused, message)
            .help("git ignores one of the two: move it away, then run the same command again"));
    }
    Ok(())
}

fn no_history(target: &Path, name: &str) -> Error {
    let message = prose!("{} has no history", target);
    Error::new(ErrorKind::NotFound, message).help(prose!(
        "{} brings back what the last change replaced",
        command("restore").word(name).word("--to").path(target)
    ))
}

fn unknown(target: &Path, name: &str) -> Error {
    let name = name.escape_debug();
    let message = prose!("there is no skill '{name}' in {}", target);
    Error::new(ErrorKind::NotFound, message).help("`skills list` shows the skills")
}

fn no_version(name: &str, revision: Option<&str>) -> Error {
    let message = match revision {
        Some(revision) => format!("'{}' is not a version of {name}", revision.escape_debug()),
        None => format!("there is no earlier version of {name}"),
    };
    Error::new(ErrorKind::NotFound, message).help(prose!(
        "{} shows the versions",
        command("improve history").word(name)
    ))
}
