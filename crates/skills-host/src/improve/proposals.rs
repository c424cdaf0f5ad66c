//! The changes that wait for a person: kept, listed, approved, rejected.

use crate::history::Projects;
use crate::improve::proposal::{Change, Proposal, Taken};
use crate::improve::record::{AttemptLog, AttemptRecord, Outcome};
use crate::improve::take::take;
use crate::install::Host;
use crate::install::difference::{FileDifference, between};
use crate::lock::read_lock;
use skills_format::Digest;
use skills_format::text::path::PathText as _;
use skills_store::files::copy::{is_there, list, make_folder, remove, rename, write_file};
use skills_store::files::data::DataFolder;
use skills_store::files::folder::Durable;
use skills_store::files::guard::Guard;
use skills_store::files::removal::{finish_removals, is_gone, remove_whole};
use skills_store::files::snapshot::Snapshot;
use skills_store::{Error, ErrorKind};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const FILE: &str = "proposal.json";
/// The folders with the skill before and after.
const OLD: &str = "old";
const NEW: &str = "new";

/// The folder of proposals.
#[derive(Clone, Debug)]
pub struct Proposals {
    root: PathBuf,
}

impl Proposals {
    /// The proposals in a folder of data.
    pub fn of(data: &DataFolder) -> Self {
        let root = data.proposals();
        Self { root }
    }

    /// The proposals, the oldest first.
    pub fn list(&self) -> Result<Vec<Proposal>, Error> {
        let mut all = Vec::new();
        for (name, path) in list(&self.root)? {
            if is_gone(&self.root, &name) {
                continue;
            }
            let text = fs::read(path.join(FILE)).ok();
            let proposal = text.and_then(|text| serde_json::from_slice::<Proposal>(&text).ok());
            all.extend(proposal.filter(|proposal| proposal.id == name));
        }
        all.sort_by(|a, b| (a.time, &a.id).cmp(&(b.time, &b.id)));
        Ok(all)
    }

    /// The proposal of an id, or of the beginning of an id.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`] when there is none, or when several ids begin so.
    pub fn get(&self, id: &str) -> Result<Proposal, Error> {
        let mut all = self.list()?;
        all.retain(|proposal| !id.is_empty() && proposal.id.starts_with(id));
        let what = match all.len() {
            1 => return Ok(all.remove(0)),
            0 => format!("there is no proposal '{}'", id.escape_debug()),
            _ => format!("the ids of several proposals begin with '{id}'"),
        };
        Err(Error::new(ErrorKind::NotFound, what)
            .help("`skills improve --list` shows the proposals"))
    }

    /// What a proposal changes.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Damaged`]: its files are not those that it was made with.
    pub fn difference(&self, proposal: &Proposal) -> Result<Vec<FileDifference>, Error> {
        let change = self.read(proposal)?;
        Ok(between(&change.old, &change.new))
    }

    /// Makes the change of a proposal: exactly the bytes that the proposal names.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] for a stale proposal, [`ErrorKind::Damaged`] for changed files of it.
    pub fn approve(
        &self,
        proposal: &Proposal,
        projects: Projects,
        host: Host<'_>,
    ) -> Result<Taken, Error> {
        let change = self.read(proposal)?;
        // A change that a killed process began is finished first.
        read_lock(&proposal.target, host.data)?;
        if proposal.is_stale() {
            let message = format!(
                "the proposal {} is stale: {} was changed since",
                proposal.id,
                proposal.place().shown()
            );
            return Err(Error::new(ErrorKind::Refused, message).help(format_args!(
                "reject it with `skills improve --reject {}`, and improve the skill again",
                proposal.id
            )));
        }
        let taken = take(&change, projects, host)?;
        let mut record = AttemptRecord::refused(&proposal.skill, "", host.clock.now());
        record.outcome = Outcome::Taken;
        record.summary.clone_from(&proposal.summary);
        record.errors.clone_from(&proposal.errors);
        record.cautions.clone_from(&proposal.cautions);
        record.target = Some(proposal.target.clone());
        record.before = Some(proposal.before.clone());
        record.after = Some(proposal.after.clone());
        record.proposal = Some(proposal.id.clone());
        record.commit.clone_from(&taken.commit);
        AttemptLog::of(host.data).write(&record)?;
        self.remove(&proposal.id)?;
        Ok(taken)
    }

    /// Finishes what a killed process began: the changes of a skill that are made and not committed.
    pub(crate) fn finish(&self, skill: &str, host: Host<'_>) -> Result<(), Error> {
        if is_there(&self.root) {
            let _guard = self.lock()?;
            self.sweep()?;
        }
        for proposal in self.list()? {
            if proposal.skill == skill && proposal.is_made(host)? {
                self.approve(&proposal, Projects::Leave, host)?;
            }
        }
        Ok(())
    }

    /// Removes a proposal.
    pub fn reject(&self, proposal: &Proposal) -> Result<(), Error> {
        self.remove(&proposal.id)
    }

    /// The digests that the proposals, and the changes that were taken, need in the store.
    pub fn kept(data: &DataFolder) -> Result<BTreeSet<Digest>, Error> {
        let mut kept = BTreeSet::new();
        for proposal in Self::of(data).list()? {
            let both = [&proposal.before, &proposal.after];
            kept.extend(both.into_iter().filter_map(|digest| Digest::parse(digest)));
        }
        for record in AttemptLog::of(data).list(None)? {
            kept.extend(record.digests());
        }
        Ok(kept)
    }

    /// Keeps a change, whole or not at all. The same change is kept once.
    pub(crate) fn keep(&self, change: &Change, host: Host<'_>) -> Result<Proposal, Error> {
        make_folder(&self.root)?;
        let _guard = self.lock()?;
        self.sweep()?;
        let mut proposal = change.proposal.clone();
        proposal.id = self.id_for(&proposal)?;
        let place = self.root.join(&proposal.id);
        remove(&place)?;
        let part = self.root.join(format!(".part-{}", proposal.id));
        let made = Self::write(change, &proposal, &part)
            .and_then(|()| host.data.store().put(&change.old))
            // Last: what comes after it could fail, and the proposal would be there all the same.
            .and_then(|_| rename(&part, &place));
        if made.is_err() {
            // The first error is reported. A full disk gets its room back.
            let _ = remove(&part);
        }
        made.map(|()| proposal)
    }

    fn write(change: &Change, proposal: &Proposal, part: &Path) -> Result<(), Error> {
        make_folder(part)?;
        change.old.write(&part.join(OLD), Durable::Yes)?;
        change.new.write(&part.join(NEW), Durable::Yes)?;
        let text = serde_json::to_vec_pretty(proposal).map_err(|error| {
            Error::new(ErrorKind::NotUtf8, format!("{}: {error}", part.shown()))
        })?;
        write_file(&part.join(FILE), &text, Durable::Yes).map(drop)
    }

    /// The id of a change: that of the same change, or one that no change has.
    fn id_for(&self, proposal: &Proposal) -> Result<String, Error> {
        let all = self.list()?;
        let is_free = |id: &String| {
            let other = all.iter().find(|other| other.id == *id);
            other.is_none_or(|other| other.target == proposal.target)
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

    fn remove(&self, id: &str) -> Result<(), Error> {
        let _guard = self.lock()?;
        remove_whole(&self.root, id)
    }

    /// Removes what a killed process left.
    fn sweep(&self) -> Result<(), Error> {
        finish_removals(&self.root)?;
        let all = list(&self.root)?;
        let mut parts = all.iter().filter(|(name, _)| name.starts_with(".part-"));
        parts.try_for_each(|(_, path)| remove(path))
    }

    fn lock(&self) -> Result<Guard, Error> {
        Guard::wait(&self.root.join(".lock"), &|_, _| {})
    }
}

fn changed(proposal: &Proposal, place: &Path) -> Error {
    let message = format!("{} was changed: it is not what was shown", place.shown());
    let help = format!(
        "reject it with `skills improve --reject {}`, and improve the skill again",
        proposal.id
    );
    Error::new(ErrorKind::Damaged, message).help(help)
}
