//! The time, which the caller supplies.

use jiff::Timestamp;

/// A clock.
pub trait Clock {
    /// The time now.
    fn now(&self) -> Timestamp;
}

/// A clock that stands still: tests hold it.
impl Clock for Timestamp {
    fn now(&self) -> Timestamp {
        *self
    }
}
