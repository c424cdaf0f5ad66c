//! Rolls a skill back to an earlier version, from its repository or from the store.

// Without a repository, `history` and `rollback` use the records of repairs and the store.

use crate::improve::proposal::Taken;
use crate::improve::record::{AttemptLog, AttemptOutcome, AttemptRecord};
use crate::improve::take::NOT_COMMITTED;
use skills_format::{Digest, SkillName, command, prose};
use skills_host::files::lock::{LockChange, LockEntry};
use skills_host::files::snapshot::Snapshot;
use skills_host::files::work::{Keep, SkillChange, Work};
use skills_host::history::{History, Version};
use skills_host::install::Host;
use skills_store::files::copy::is_there;
use skills_store::{Error, ErrorKind};
use std::path::Path;

/// The result of a rollback.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RolledBack {
    /// The present revision of the skill.
    pub revision: String,
    /// The digest of that revision.
    pub digest: String,
    /// The commit and a remark; `None` if the skill already had that revision.
    pub taken: Option<Taken>,
}

/// Lists the versions of one skill or of all skills of a folder, the latest first. Without a repository, lists the
/// versions that improvements left in the store.
///
/// # Errors
///
/// The errors of [`History::versions`].
pub fn versions(target: &Path, name: Option<&str>, host: Host<'_>) -> Result<Vec<Version>, Error> {
    match History::of(target, host.git, host.clock, host.observer) {
        Some(history) => history.versions(name),
        None => Ok(taken(target, name, host)?.iter().map(of_store).collect()),
    }
}

/// Restores an earlier version of a skill: a given revision, or the version before the last change.
///
/// The present version goes to the trash. In a repository, its local changes are committed first.
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
    let place = target.join(name);
    let now = is_there(&place)?
        .then(|| Snapshot::read(&place))
        .transpose()?;
    let wanted = match &history {
        Some(history) => {
            let mut wanted = of_repository(history, name, revision, now.as_ref())?;
            let is_made = wanted
                .as_ref()
                .is_some_and(|(_, version)| now.as_ref() == Some(version));
            let is_sought = wanted.is_some() || revision.is_none();
            if !is_made && is_sought {
                // Local changes get a commit of their own, so that they are not lost. It may be the last version now.
                let by_hand = history.record(&[name], &format!("by hand: {name}\n"));
                if by_hand.is_some() && revision.is_none() {
                    wanted = of_repository(history, name, revision, now.as_ref())?;
                }
            }
            wanted
        }
        None => of_records(target, name, revision, now.as_ref(), host)?,
    };
    let (revision, version) = wanted.ok_or_else(|| no_version(name, revision))?;
    let digest = version.digest().to_string();
    let short = revision.trim_start_matches("sha256:");
    let message = format!(
        "rollback({name}): to {}\n",
        short.get(..12).unwrap_or(short)
    );
    let record = || history.as_ref()?.record(&[name], &message);
    let mut taken = None;
    if now.as_ref() == Some(&version) {
        // A killed process may have skipped the commit.
        if let Some(commit) = record() {
            taken = Some(Taken {
                commit: Some(commit),
                note: None,
            });
        }
    } else {
        let entry = work.lock()?.skills.get(name).map(LockEntry::new);
        let before = match &history {
            // An uninstall took the entry too. It comes back with the files.
            Some(history) if now.is_none() && entry.is_none() => history.locked(&revision, name)?,
            _ => None,
        };
        let is_unlisted = now.is_none() && entry.is_none() && before.is_none();
        let trash = host.data.trash();
        let change = SkillChange {
            name,
            before: now.as_ref().map(Snapshot::seen),
            keep: if now.is_some() {
                Keep::InTrash
            } else {
                Keep::No
            },
            trash: trash.place(name, target, "rollback", entry, host.clock),
            lock: before.as_ref().map_or(LockChange::Keep, |before| {
                LockChange::Set(LockEntry::new(before))
            }),
            consumed: None,
        };
        if let Some(now) = &now {
            host.data.store().put(now)?;
        }
        work.put(&version, change)?;
        let note = match &history {
            None => Some(NOT_COMMITTED.into()),
            Some(_) => is_unlisted
                .then(|| "no lock names it: it counts as a skill that was made by hand".into()),
        };
        let commit = record();
        taken = Some(Taken { commit, note });
    }
    Ok(RolledBack {
        revision,
        digest,
        taken,
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

fn of_records(
    target: &Path,
    name: &str,
    revision: Option<&str>,
    now: Option<&Snapshot>,
    host: Host<'_>,
) -> Result<Wanted, Error> {
    let records = taken(target, Some(name), host)?;
    let here = now;
    let now = now.map(|now| now.digest().to_string());
    let mut digests = records
        .iter()
        .flat_map(|record| [&record.after, &record.before])
        .flatten();
    let wanted = if let Some(revision) = revision {
        digests.find(|digest| {
            let short = digest.trim_start_matches("sha256:");
            revision.len() >= 4 && (short.starts_with(revision) || **digest == revision)
        })
    } else {
        let last = records.iter().find(|record| record.after == now);
        last.and_then(|record| record.before.as_ref())
    };
    let Some(digest) = wanted.and_then(|digest| Digest::parse(digest)) else {
        return Ok(None);
    };
    let version = host.data.store().get(digest)?;
    Ok(version.map(|version| {
        // The store keeps only what the digest covers. Other files of the user stay.
        let version = match here {
            Some(here) => version.with(here.beside()),
            None => version,
        };
        (digest.to_string(), version)
    }))
}

/// Returns the changes of a folder that were taken, the latest first.
fn taken(target: &Path, name: Option<&str>, host: Host<'_>) -> Result<Vec<AttemptRecord>, Error> {
    let mut records = AttemptLog::of(host.data).list(name)?;
    records.retain(|record| {
        record.outcome == AttemptOutcome::Taken && record.target.as_deref() == Some(target)
    });
    Ok(records)
}

fn of_store(record: &AttemptRecord) -> Version {
    Version {
        revision: record.after.clone().unwrap_or_default(),
        time: record.time,
        author: String::new(),
        subject: format!("improve({}): {}", record.skill, record.summary),
        body: record.errors.join("\n"),
        skills: vec![record.skill.clone()],
    }
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
