//! A change that waits for the user's approval.

// The id of a proposal is a digest over the skill's name and both versions, so that the same change is kept once.

use crate::improve::candidate::RepairCandidate;
use crate::improve::record::AttemptRecord;
use serde::{Deserialize, Serialize};
use skills_format::{Digest, Prose};
use skills_host::files::snapshot::Snapshot;
use skills_host::install::Host;
use skills_host::lock::read_lock;
use skills_store::Error;
use std::path::{Path, PathBuf};

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
pub struct Proposal {
    version: u32,
    /// The id: the first digits of a digest over the skill's name and both versions.
    pub id: String,
    /// The attempt that proposed it.
    #[serde(flatten)]
    pub record: AttemptRecord,
    /// The fingerprint of the old version, which also covers links and executable bits.
    pub(crate) old: String,
    pub(crate) new: String,
}

/// The result of a change that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    ) -> Self {
        Self {
            proposal: Proposal {
                version: 1,
                id: String::new(),
                record: record.clone(),
                old: candidate.base.fingerprint().to_string(),
                new: result.fingerprint().to_string(),
            },
            old: candidate.base.clone(),
            new: result.clone(),
        }
    }
}

impl Proposal {
    /// Returns the folder of skills.
    pub fn target(&self) -> &Path {
        self.record.target.as_deref().unwrap_or(Path::new(""))
    }

    /// Returns the folder of the skill.
    pub fn place(&self) -> PathBuf {
        self.target().join(&self.record.skill)
    }

    /// Returns whether the skill has changed since the proposal.
    pub fn is_stale(&self) -> bool {
        // The new version is not stale: a killed process may have made the change.
        let now = self.now();
        ![&self.old, &self.new].contains(&&now)
    }

    /// Returns whether the change has already been made.
    pub(crate) fn is_made(&self, host: Host<'_>) -> Result<bool, Error> {
        read_lock(self.target(), host.data)?;
        Ok(self.now() == self.new)
    }

    /// Returns the fingerprint of the present skill. One that cannot be read is no version that is known.
    fn now(&self) -> String {
        let now = Snapshot::read(&self.place());
        now.map_or_else(|_| String::new(), |now| now.fingerprint().to_string())
    }

    /// Returns the nth id of the change. Another n is needed for the same change in another folder.
    pub(crate) fn nth_id(&self, n: u32) -> String {
        let Self { old, new, .. } = self;
        let skill = &self.record.skill;
        let id = Digest::of(format!("{skill}\n{old}\n{new}\n{n}").as_bytes()).to_string();
        let id = id.trim_start_matches("sha256:");
        id.get(..ID).unwrap_or(id).to_owned()
    }
}
