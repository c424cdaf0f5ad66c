//! A change that waits for a person.

// An id of a proposal is a digest over the skill's name and both versions, so the same change is kept once.

use crate::improve::candidate::Candidate;
use crate::improve::record::AttemptRecord;
use crate::install::Host;
use crate::lock::read_lock;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use skills_format::Digest;
use skills_store::Error;
use skills_store::files::copy::is_there;
use skills_store::files::lock::LockEntry;
use skills_store::files::relative_path;
use skills_store::files::snapshot::Snapshot;
use std::path::PathBuf;

/// How much of a digest is an id.
const ID: usize = 12;

/// A change of a skill, with both versions.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) proposal: Proposal,
    pub(crate) old: Snapshot,
    pub(crate) new: Snapshot,
}

/// What is known of a change that waits for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Proposal {
    version: u32,
    /// Its id: a part of a digest over the skill's name and both versions.
    pub id: String,
    /// The name of the skill.
    #[serde(deserialize_with = "relative_path::name")]
    pub skill: String,
    /// The folder of skills.
    pub target: PathBuf,
    /// When it was made.
    pub time: Timestamp,
    /// What was done, in a few words.
    pub summary: String,
    /// The errors of the trace, a line each.
    pub errors: Vec<String>,
    /// What a person looks at before the change is taken.
    pub cautions: Vec<String>,
    /// The digest of the skill before, as `skills show` prints it.
    pub before: String,
    /// The digest of the skill afterwards.
    pub after: String,
    /// The same over links and run bits too.
    pub(crate) old: String,
    pub(crate) new: String,
    /// The lock entry of a copy of a bundled skill. `None`: the skill is in the folder already.
    pub(crate) copied: Option<LockEntry>,
}

/// What came of a proposal that was approved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Taken {
    /// The commit. `None`: nothing was committed.
    pub commit: Option<String>,
    /// What a person should know beside it.
    pub note: Option<String>,
}

impl Change {
    pub(crate) fn new(
        candidate: &Candidate,
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
    /// The folder of the skill.
    pub fn place(&self) -> PathBuf {
        self.target.join(&self.skill)
    }

    /// Whether the skill is not what it was when the proposal was made.
    pub fn is_stale(&self) -> bool {
        let now = self.now();
        let is_old = match &now {
            None => self.copied.is_some(),
            Some(now) => self.copied.is_none() && *now == self.old,
        };
        // A process that was killed can have made the change.
        !is_old && now.as_ref() != Some(&self.new)
    }

    /// Whether the skill is already as the proposal makes it.
    pub(crate) fn is_made(&self, host: Host<'_>) -> Result<bool, Error> {
        read_lock(&self.target, host.data)?;
        Ok(self.now().as_ref() == Some(&self.new))
    }

    fn now(&self) -> Option<String> {
        let place = self.place();
        is_there(&place).then(|| {
            let now = Snapshot::read(&place);
            now.map_or_else(|_| String::new(), |now| now.fingerprint().to_string())
        })
    }

    /// The nth id of the change: a second one is needed for the same change of another folder.
    pub(crate) fn nth_id(&self, n: u32) -> String {
        let Self {
            skill, old, new, ..
        } = self;
        let id = Digest::of(format!("{skill}\n{old}\n{new}\n{n}").as_bytes()).to_string();
        let id = id.trim_start_matches("sha256:");
        id.get(..ID).unwrap_or(id).to_owned()
    }
}
