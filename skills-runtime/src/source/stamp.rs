//! Detects whether a file has changed since it was read.

use skills_format::disk::Stamp;
use std::fs::Metadata;
use std::time::{SystemTime, UNIX_EPOCH};

const NANOSECONDS: i64 = 1_000_000_000;

/// A time in seconds and nanoseconds since 1970.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment(i64, i64);

impl Moment {
    #[expect(
        clippy::disallowed_methods,
        reason = "a file that was written in the tick in which it was read must be read again"
    )]
    pub(crate) fn now() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.unwrap_or_default();
        let seconds = i64::try_from(now.as_secs()).unwrap_or(i64::MAX);
        Self(seconds, i64::from(now.subsec_nanos()))
    }
}

/// The version of a file at the time of reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    stamp: Stamp,
    /// `true` if every later change gives the file another stamp. The clocks of file systems have ticks:
    /// two changes within one tick give the same stamp.
    is_settled: bool,
}

/// The version of a skill at the time of reading: of the files that say who may start it, and with which arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SeenSkill {
    /// The `SKILL.md`.
    pub(crate) file: Seen,
    /// The `agents/openai.yaml`.
    pub(crate) openai: SeenBeside,
    /// The `arguments.schema.json`.
    pub(crate) schema: SeenBeside,
}

/// The version of a file beside the `SKILL.md` at the time of reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SeenBeside {
    /// The skill has no such file.
    Absent,
    /// The file exists, and its version is unknown.
    Unknown,
    Version(Seen),
}

impl SeenSkill {
    /// Returns whether no file has changed, for certain. `None`: the skill has no such file now.
    pub(crate) fn is_same(
        &self,
        file: &Metadata,
        openai: Option<&Metadata>,
        schema: Option<&Metadata>,
    ) -> bool {
        self.openai.is_same(openai) && self.schema.is_same(schema) && self.file.is_same(file)
    }

    /// Returns whether the `SKILL.md` or the `arguments.schema.json` has certainly changed.
    pub(crate) fn has_changed(&self, now: &Self) -> bool {
        self.file.has_changed(&now.file) || self.schema.has_changed(now.schema)
    }
}

impl SeenBeside {
    fn is_same(self, now: Option<&Metadata>) -> bool {
        match (self, now) {
            (Self::Absent, None) => true,
            (Self::Version(seen), Some(now)) => seen.is_same(now),
            _ => false,
        }
    }

    fn has_changed(self, now: Self) -> bool {
        match (self, now) {
            (Self::Version(before), Self::Version(now)) => before.has_changed(&now),
            _ => self != now,
        }
    }
}

impl Seen {
    /// Records a file that is read after `began`.
    pub(crate) fn new(metadata: &Metadata, began: Moment) -> Self {
        let stamp = Stamp::of(metadata);
        let (seconds, nanoseconds) = stamp.time();
        // Whole seconds suggest a file system without finer times; FAT stores times in steps of two
        // seconds.
        let tick = if nanoseconds == 0 {
            2 * NANOSECONDS
        } else {
            NANOSECONDS / 20
        };
        let age = began
            .0
            .saturating_sub(seconds)
            .saturating_mul(NANOSECONDS)
            .saturating_add(began.1 - nanoseconds);
        Self {
            stamp,
            is_settled: age > tick,
        }
    }

    /// Returns whether the file has certainly not changed.
    pub(crate) fn is_same(&self, now: &Metadata) -> bool {
        self.is_settled && self.stamp == Stamp::of(now)
    }

    /// Returns whether the file has certainly changed.
    pub(crate) fn has_changed(&self, now: &Self) -> bool {
        self.stamp != now.stamp
    }
}
