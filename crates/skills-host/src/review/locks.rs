//! The locks of two versions: a lock that holds less than before frees its skills.

use crate::review::side::Side;
use serde::Serialize;
use skills_compiler::{LOCK_FILE, Lock};
use skills_format::{RuleId, Severity, join};
use skills_lint::{Config, rules};
use std::collections::BTreeSet;

/// A `skills.lock`, or a `skills.toml` that can ask for one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReviewedLock {
    /// Whether the file holds skills to their powers.
    pub state: LockState,
    /// The skills that a `skills.lock` names.
    pub skills: BTreeSet<String>,
}

/// Whether a lock file holds what its skills may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum LockState {
    /// The lock holds powers, or the options ask for a lock.
    Held,
    /// The lock has a version without powers.
    Older,
    /// The lock cannot be read.
    Damaged,
    /// The file is not there.
    Removed,
    /// The options ask for no lock, or allow what a lock reports.
    Unlocked,
}

impl ReviewedLock {
    /// Reads a `skills.lock` or a `skills.toml`.
    pub(super) fn of(path: &str, bytes: &[u8]) -> Self {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Self::damaged();
        };
        if path.rsplit('/').next() != Some(LOCK_FILE) {
            let (config, _) = Config::parse(path, text);
            let is_error = |rule: RuleId| {
                let rule = rules::find(rule.as_str());
                rule.is_some_and(|rule| config.severity(rule) == Some(Severity::Error))
            };
            let is_held =
                config.locked && is_error(RuleId::LockStale) && is_error(RuleId::PowersWidened);
            return Self {
                state: if is_held {
                    LockState::Held
                } else {
                    LockState::Unlocked
                },
                skills: BTreeSet::new(),
            };
        }
        match Lock::parse(text) {
            Ok(lock) => {
                let is_held = lock.skills.values().all(|skill| skill.powers.is_some());
                Self {
                    state: if is_held {
                        LockState::Held
                    } else {
                        LockState::Older
                    },
                    skills: lock.skills.into_keys().collect(),
                }
            }
            Err(error) if error.newer => Self {
                state: LockState::Held,
                skills: BTreeSet::new(),
            },
            Err(_) => Self::damaged(),
        }
    }

    pub(super) fn damaged() -> Self {
        Self {
            state: LockState::Damaged,
            skills: BTreeSet::new(),
        }
    }
}

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
