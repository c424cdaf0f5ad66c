//! Locks that hold less than before: their skills are free.

use crate::review::locks::LockState;
use crate::review::side::Side;
use serde::Serialize;
use skills_format::join;

/// A lock that holds less in the new side than in the old side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LoweredLock {
    /// The path.
    pub path: String,
    /// The state in the new side.
    pub state: LockState,
    /// The skills that the lock names no more, and that are still there.
    pub skills: Vec<String>,
}

impl LoweredLock {
    /// Says what the lock no longer does.
    pub fn in_words(&self) -> String {
        match self.state {
            LockState::Held => format!("names no more: {}", self.skills.join(", ")),
            LockState::Older => "was lowered to a version without powers".to_owned(),
            LockState::Damaged => "cannot be read any more".to_owned(),
            LockState::Removed => "was removed".to_owned(),
            LockState::Unlocked => "asks for a lock no more, or allows what it reports".to_owned(),
        }
    }
}

/// Returns the locks that hold less than before.
pub fn lowered_locks(old: &Side, new: &Side) -> Vec<LoweredLock> {
    let held = old
        .locks
        .iter()
        .filter(|(_, lock)| lock.state == LockState::Held);
    let lowered = held.map(|(path, before)| {
        let now = new.locks.get(path);
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let is_there = |name: &str| {
            let place = join(folder, name);
            let mut skills = new.skills.iter();
            skills.any(|skill| skill.folder == place)
        };
        let mut skills = Vec::new();
        if let Some(now) = now.filter(|now| now.state == LockState::Held) {
            let gone = before.skills.difference(&now.skills);
            skills.extend(gone.filter(|name| is_there(name)).cloned());
        }
        LoweredLock {
            path: path.clone(),
            state: now.map_or(LockState::Removed, |now| now.state),
            skills,
        }
    });
    lowered
        .filter(|lock| lock.state != LockState::Held || !lock.skills.is_empty())
        .collect()
}
