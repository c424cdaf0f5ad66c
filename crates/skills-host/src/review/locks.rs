//! Whether lock files hold what their skills may do.

use serde::Serialize;
use skills_compiler::{LOCK_FILE, Lock};
use skills_format::{RuleId, Severity};
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
            Ok(lock) => Self {
                state: if lock.holds_powers() {
                    LockState::Held
                } else {
                    LockState::Older
                },
                skills: lock.skills.into_keys().collect(),
            },
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
