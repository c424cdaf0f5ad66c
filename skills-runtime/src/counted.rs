//! Counts steps of this thread. Tests use the counts to prove that no step is done twice.

use std::cell::Cell;

thread_local! {
    /// The look-ups of names and aliases in catalogs.
    pub(crate) static LOOK_UPS: Cell<usize> = const { Cell::new(0) };
}
