//! Counts steps of this thread. Tests use the counts to prove that no step is done twice.

use std::cell::Cell;

thread_local! {
    /// The look-ups of ids.
    pub(crate) static LOOK_UPS: Cell<usize> = const { Cell::new(0) };
    /// The searches for near matches.
    pub(crate) static SEARCHES: Cell<usize> = const { Cell::new(0) };
}
