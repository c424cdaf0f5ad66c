//! The clock, which the caller supplies.

use jiff::Timestamp;

/// A clock.
pub trait Clock {
    /// Returns the present time.
    fn now(&self) -> Timestamp;
}

/// A fixed clock, for tests.
impl Clock for Timestamp {
    fn now(&self) -> Timestamp {
        *self
    }
}
