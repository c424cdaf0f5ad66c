//! Whether a file is still the one that was read.

use crate::disk::Stamp;
use std::fs::Metadata;
use std::time::{SystemTime, UNIX_EPOCH};

const NANOSECONDS: i64 = 1_000_000_000;

/// Whether what was read can be told from what is there later. It costs one system call a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Stamps {
    #[default]
    Skip,
    Take,
}

/// Seconds and nanoseconds since 1970.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment(i64, i64);

impl Moment {
    #[expect(
        clippy::disallowed_methods,
        reason = "what was written in the same tick as it was read must be read again"
    )]
    pub(crate) fn now() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.unwrap_or_default();
        let seconds = i64::try_from(now.as_secs()).unwrap_or(i64::MAX);
        Self(seconds, i64::from(now.subsec_nanos()))
    }
}

/// A file as it was when it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    stamp: Stamp,
    /// Whether any later change gives the file another stamp. Clocks of file systems have ticks; of
    /// what was written within one before it was read, that is not known.
    is_settled: bool,
}

impl Seen {
    /// A file that is read after `began`.
    pub(crate) fn new(metadata: &Metadata, began: Moment) -> Self {
        let stamp = Stamp::of(metadata);
        let (seconds, nanoseconds) = stamp.time();
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

    /// Whether the file is surely the same now.
    pub(crate) fn is_same(&self, now: &Metadata) -> bool {
        self.is_settled && self.stamp == Stamp::of(now)
    }

    /// Whether the file is surely another now.
    pub(crate) fn is_other(&self, now: &Self) -> bool {
        self.stamp != now.stamp
    }
}
