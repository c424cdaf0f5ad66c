//! Detects whether a file has changed since it was read.

use skills_format::disk::Stamp;
use std::fs::Metadata;
use std::time::{SystemTime, UNIX_EPOCH};

const SECOND: i128 = 1_000_000_000;

/// Returns the time in nanoseconds since 1970.
#[expect(
    clippy::disallowed_methods,
    reason = "a file that was written in the tick in which it was read must be read again"
)]
pub(crate) fn now() -> i128 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    i128::try_from(now.unwrap_or_default().as_nanos()).unwrap_or(i128::MAX)
}

/// The version of a file at the time of reading, or that there was none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    /// `None`: the file did not exist, or its version is unknown.
    stamp: Option<Stamp>,
    /// `true` if every later change gives the file another stamp. The clocks of file systems have ticks:
    /// two changes within one tick give the same stamp.
    is_settled: bool,
}

/// The versions of the files of a skill that say who may start it, and with which arguments: its `SKILL.md`,
/// `agents/openai.yaml` and `arguments.schema.json`.
pub(crate) type SeenSkill = [Seen; 3];

impl Seen {
    pub(crate) const ABSENT: Self = Self {
        stamp: None,
        is_settled: true,
    };

    pub(crate) const UNKNOWN: Self = Self {
        stamp: None,
        is_settled: false,
    };

    /// Records a file that is read after `began`.
    pub(crate) fn new(metadata: &Metadata, began: i128) -> Self {
        let stamp = Stamp::of(metadata);
        let (seconds, nanoseconds) = stamp.time();
        // Whole seconds suggest a file system without finer times; FAT stores times in steps of two
        // seconds.
        let tick = if nanoseconds == 0 {
            2 * SECOND
        } else {
            SECOND / 20
        };
        let written = i128::from(seconds) * SECOND + i128::from(nanoseconds);
        Self {
            stamp: Some(stamp),
            is_settled: began - written > tick,
        }
    }

    /// Returns whether the file has certainly not changed. `None`: there is no such file now.
    pub(crate) fn is_same(&self, now: Option<&Metadata>) -> bool {
        self.is_settled && self.stamp == now.map(Stamp::of)
    }

    /// Returns whether the file has certainly changed.
    pub(crate) fn has_changed(&self, now: &Self) -> bool {
        self.stamp != now.stamp || self.stamp.is_none() && self != now
    }
}
