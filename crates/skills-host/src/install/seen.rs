//! The lock as a plan saw it, compared with the lock under the exclusive hold of the folder.

use skills_repository::{Lock, Locked};
use skills_store::{Error, ErrorKind};
use std::collections::{BTreeMap, BTreeSet};

/// The entries of the planned skills, as the plan saw them.
#[derive(Clone, Debug)]
pub(crate) struct SeenLock {
    /// The entry of each skill that changes; `None` if the lock did not name the skill.
    pub(crate) entries: BTreeMap<String, Option<Locked>>,
    pub(crate) pins: Heed,
}

/// The treatment of pinned skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heed {
    /// A pinned skill stays: the plan passed over every skill that was pinned.
    Pins,
    /// The person named the skill, pinned or not.
    Nothing,
}

impl SeenLock {
    /// Fails for a skill that another process uninstalled, moved, updated or pinned since the plan. Its files alone do not
    /// show that: a removed skill looks like a missing one, which an update puts back. `lock` and `pinned` are read under the
    /// hold of the folder, and `planned` is the entry that the plan writes.
    pub(crate) fn check(
        &self,
        name: &str,
        planned: Option<&Locked>,
        lock: &Lock,
        pinned: &BTreeSet<String>,
    ) -> Result<(), Error> {
        let now = lock.skills.get(name);
        let before = self.entries.get(name);
        let why = match (before.map(Option::as_ref), now) {
            _ if self.pins == Heed::Pins && pinned.contains(name) => "it was pinned meanwhile",
            // Another process brought the same version. Whether the files are the same, their comparison shows.
            (_, Some(now)) if planned == Some(now) => return Ok(()),
            (Some(Some(_)), None) => "it was uninstalled or moved meanwhile",
            (Some(None), Some(_)) => "it was installed meanwhile",
            (Some(Some(before)), Some(now)) if !is_same(before, now) => "it was updated meanwhile",
            _ => return Ok(()),
        };
        Err(Error::new(ErrorKind::Refused, why)
            .help("run the same command again, if you still want the change"))
    }
}

/// Returns whether two entries name one version of one source. The powers of an old entry can be filled in meanwhile.
fn is_same(one: &Locked, other: &Locked) -> bool {
    one.is_same(other) && one.provenance == other.provenance
}
