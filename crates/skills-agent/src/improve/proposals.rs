//! The proposals: kept, listed, approved, rejected.

use crate::improve::proposal::{Change, Proposal, Taken};
use crate::improve::record::{AttemptLog, AttemptOutcome};
use crate::improve::take::take;
use skills_format::{Prose, command, prose};
use skills_host::files::copy::{is_there, list, make_folder, read_json, remove, replace_json};
use skills_host::files::data::DataFolder;
use skills_host::files::folder::Durable;
use skills_host::files::guard::Guard;
use skills_host::files::removal::{finish_removals, is_gone, remove_whole};
use skills_host::files::snapshot::Snapshot;
use skills_host::install::Host;
use skills_host::install::{FileDifference, between};
use skills_host::lock::read_lock;
use skills_store::{Error, ErrorKind};
use std::path::{Path, PathBuf};

const FILE: &str = "proposal.json";
/// The folders of the old and the new version.
const OLD: &str = "old";
const NEW: &str = "new";
/// The folder of all proposals.
#[derive(Clone, Debug)]
pub struct Proposals {
    root: PathBuf,
}

impl Proposals {
    /// Returns the proposals in a data folder.
    pub fn of(data: &DataFolder) -> Self {
        let root = data.proposals();
        Self { root }
    }

    /// Lists the proposals, the oldest first.
    pub fn list(&self) -> Result<Vec<Proposal>, Error> {
        let mut all = Vec::new();
        for (name, path) in list(&self.root)? {
            if is_gone(&self.root, &name)? {
                continue;
            }
            // A proposal that is being written, or that a killed process left, has no record yet.
            let proposal: Option<Proposal> = read_json(&path.join(FILE))?;
            all.extend(proposal.filter(|proposal| proposal.id == name));
        }
        all.sort_by(|a, b| (a.record.time, &a.id).cmp(&(b.record.time, &b.id)));
        Ok(all)
    }

    /// Finds a proposal by its id, or by a unique prefix of the id.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`] if no proposal or several proposals have the prefix.
    pub fn get(&self, id: &str) -> Result<Proposal, Error> {
        let mut all = self.list()?;
        all.retain(|proposal| !id.is_empty() && proposal.id.starts_with(id));
        let what = match all.len() {
            1 => return Ok(all.remove(0)),
            0 => format!("there is no proposal '{}'", id.escape_debug()),
            _ => format!("the ids of several proposals begin with '{id}'"),
        };
        Err(Error::new(ErrorKind::NotFound, what).help("`skills improve` shows the proposals"))
    }

    /// Returns the changes of a proposal.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Damaged`] if the files of the proposal have changed.
    pub fn difference(&self, proposal: &Proposal) -> Result<Vec<FileDifference>, Error> {
        let change = self.read(proposal)?;
        Ok(between(&change.old, &change.new))
    }

    /// Takes the change of a proposal: exactly the bytes that the proposal names.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] for a stale proposal, [`ErrorKind::Damaged`] if its files have changed.
    pub fn approve(&self, proposal: &Proposal, host: Host<'_>) -> Result<Taken, Error> {
        let change = self.read(proposal)?;
        // Reading the lock first finishes the change of a killed process.
        read_lock(proposal.target(), host.data)?;
        if proposal.is_stale() {
            let message = prose!(
                "the proposal {} is stale: {} was changed since",
                &proposal.id,
                &proposal.place()
            );
            return Err(Error::new(ErrorKind::Refused, message).help(reject(proposal)));
        }
        let taken = take(&change, host)?;
        let mut record = proposal.record.clone();
        record.time = host.clock.now();
        record.outcome = AttemptOutcome::Taken;
        record.proposal = Some(proposal.id.clone());
        record.commit.clone_from(&taken.commit);
        // The record before the removal: a kill in between leaves the proposal, and `finish` does both again.
        AttemptLog::of(host.data).write(&record)?;
        self.reject(proposal)?;
        Ok(taken)
    }

    /// Finishes the work of a killed process: changes of a skill that were made and not committed or recorded.
    pub(crate) fn finish(&self, skill: &str, host: Host<'_>) -> Result<(), Error> {
        if is_there(&self.root)? {
            let _guard = self.lock()?;
            self.sweep()?;
        }
        for proposal in self.list()? {
            if proposal.record.skill == skill && proposal.is_made(host)? {
                self.approve(&proposal, host)?;
            }
        }
        Ok(())
    }

    /// Removes a proposal.
    pub fn reject(&self, proposal: &Proposal) -> Result<(), Error> {
        let _guard = self.lock()?;
        remove_whole(&self.root, &proposal.id)
    }

    /// Keeps a change, completely or not at all. The same change is kept once.
    pub(crate) fn keep(&self, change: &Change) -> Result<Proposal, Error> {
        make_folder(&self.root)?;
        let _guard = self.lock()?;
        self.sweep()?;
        let mut proposal = change.proposal.clone();
        proposal.id = self.id_for(&proposal)?;
        let place = self.root.join(&proposal.id);
        if is_there(&place)? {
            remove_whole(&self.root, &proposal.id)?;
        }
        let old = change.old.write(&place.join(OLD), Durable::Yes);
        let kept = old
            .and_then(|()| change.new.write(&place.join(NEW), Durable::Yes))
            // The record last: a folder without one is no proposal.
            .and_then(|()| replace_json(&place.join(FILE), &proposal));
        if kept.is_err() {
            // The first error is reported. On a full disk this frees the space.
            let _ = remove(&place);
        }
        kept.map(|()| proposal)
    }

    /// Returns the id of a change: an existing id for the same change, else a free id.
    fn id_for(&self, proposal: &Proposal) -> Result<String, Error> {
        let all = self.list()?;
        let is_free = |id: &String| {
            let other = all.iter().find(|other| other.id == *id);
            other.is_none_or(|other| other.target() == proposal.target())
        };
        Ok((1..=u32::MAX)
            .map(|n| proposal.nth_id(n))
            .find(is_free)
            .unwrap_or_default())
    }

    fn read(&self, proposal: &Proposal) -> Result<Change, Error> {
        let place = self.root.join(&proposal.id);
        let version = |folder: &str, expected: &String| {
            let snapshot = Snapshot::read(&place.join(folder))?;
            if snapshot.fingerprint().to_string() == *expected {
                return Ok(snapshot);
            }
            Err(changed(proposal, &place))
        };
        Ok(Change {
            old: version(OLD, &proposal.old)?,
            new: version(NEW, &proposal.new)?,
            proposal: proposal.clone(),
        })
    }

    /// Removes what a killed process has left.
    fn sweep(&self) -> Result<(), Error> {
        finish_removals(&self.root)?;
        for (_, path) in list(&self.root)? {
            if path.is_dir() && !is_there(&path.join(FILE))? {
                remove(&path)?;
            }
        }
        Ok(())
    }

    fn lock(&self) -> Result<Guard, Error> {
        Guard::wait(&self.root.join(".lock"), &|_, _| {})
    }
}

fn changed(proposal: &Proposal, place: &Path) -> Error {
    let message = prose!("{} was changed: it is not what was shown", place);
    Error::new(ErrorKind::Damaged, message).help(reject(proposal))
}

fn reject(proposal: &Proposal) -> Prose {
    let reject = command("improve --reject").word(&proposal.id);
    prose!("reject it with {}, and improve the skill again", reject)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_proposal_is_not_listed() -> Result<(), Error> {
        let Ok(folder) = tempfile::tempdir() else {
            panic!("no temporary folder");
        };
        let proposals = Proposals::of(&DataFolder::new(folder.path()));
        let place = proposals.root.join("0123456789ab");
        make_folder(&place.join(NEW))?;
        assert!(proposals.list()?.is_empty());
        std::fs::write(place.join(FILE), "").map_err(|error| Error::io(&place, "", error))?;
        assert_eq!(
            proposals.list().map_err(|error| error.kind()).err(),
            Some(ErrorKind::Damaged)
        );
        Ok(())
    }
}
