//! A change that waits for the user's approval.

// The id of a proposal is a digest over the skill's name and both versions, so that the same change is kept once.

use crate::improve::candidate::RepairCandidate;
use crate::improve::record::AttemptRecord;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use skills_format::{Digest, Prose};
use skills_host::files::lock::LockEntry;
use skills_host::files::relative_path;
use skills_host::files::snapshot::Snapshot;
use skills_host::install::Host;
use skills_host::lock::read_lock;
use skills_store::Error;
use skills_store::files::copy::is_there;
use std::path::PathBuf;

/// Number of hex digits of an id.
const ID: usize = 12;

/// A change of a skill, with both versions.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) proposal: Proposal,
    pub(crate) old: Snapshot,
    pub(crate) new: Snapshot,
}

/// A proposed change, without its files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Proposal {
    version: u32,
    /// The id: the first digits of a digest over the skill's name and both versions.
    pub id: String,
    /// The name of the skill.
    #[serde(deserialize_with = "relative_path::name")]
    pub skill: String,
    /// The folder of skills.
    pub target: PathBuf,
    /// The time of the proposal.
    pub time: Timestamp,
    /// A short summary of the change.
    pub summary: String,
    /// The errors of the trace, one line each.
    pub errors: Vec<String>,
    /// The reasons for the user to look at the change first.
    pub cautions: Vec<String>,
    /// The digest of the old version, as `skills show` prints it.
    pub before: String,
    /// The digest of the new version.
    pub after: String,
    /// The fingerprint of the old version, which also covers links and executable bits.
    pub(crate) old: String,
    pub(crate) new: String,
    /// The lock entry for a copy of a bundled skill; `None` if the skill exists in the folder.
    pub(crate) copied: Option<LockEntry>,
}

/// The result of a change that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Taken {
    /// The commit; `None` if nothing was committed.
    pub commit: Option<String>,
    /// A further remark.
    pub note: Option<Prose>,
}

impl Change {
    pub(crate) fn new(
        candidate: &RepairCandidate,
        result: &Snapshot,
        record: &AttemptRecord,
        time: Timestamp,
    ) -> Self {
        let (old, new) = (candidate.base.fingerprint(), result.fingerprint());
        Self {
            proposal: Proposal {
                version: 1,
                id: String::new(),
                skill: candidate.name.clone(),
                target: candidate.target.clone(),
                time,
                summary: record.summary.clone(),
                errors: record.errors.clone(),
                cautions: record.cautions.clone(),
                before: candidate.base.digest().to_string(),
                after: result.digest().to_string(),
                old: old.to_string(),
                new: new.to_string(),
                copied: candidate.copied.clone(),
            },
            old: candidate.base.clone(),
            new: result.clone(),
        }
    }
}

impl Proposal {
    /// Returns the folder of the skill.
    pub fn place(&self) -> PathBuf {
        self.target.join(&self.skill)
    }

    /// Returns whether the skill has changed since the proposal.
    pub fn is_stale(&self) -> bool {
        let now = self.now();
        let is_old = match &now {
            None => self.copied.is_some(),
            Some(now) => self.copied.is_none() && *now == self.old,
        };
        // The new version is not stale: a killed process may have made the change.
        !is_old && now.as_ref() != Some(&self.new)
    }

    /// Returns whether the change has already been made.
    pub(crate) fn is_made(&self, host: Host<'_>) -> Result<bool, Error> {
        read_lock(&self.target, host.data)?;
        Ok(self.now().as_ref() == Some(&self.new))
    }

    fn now(&self) -> Option<String> {
        let place = self.place();
        // A skill that cannot be read is no version that is known: the proposal is stale, and not made.
        let now =
            is_there(&place).and_then(|there| there.then(|| Snapshot::read(&place)).transpose());
        match now {
            Ok(now) => now.map(|now| now.fingerprint().to_string()),
            Err(_) => Some(String::new()),
        }
    }

    /// Returns the nth id of the change. Another n is needed for the same change in another folder.
    pub(crate) fn nth_id(&self, n: u32) -> String {
        let Self {
            skill, old, new, ..
        } = self;
        let id = Digest::of(format!("{skill}\n{old}\n{new}\n{n}").as_bytes()).to_string();
        let id = id.trim_start_matches("sha256:");
        id.get(..ID).unwrap_or(id).to_owned()
    }
}
