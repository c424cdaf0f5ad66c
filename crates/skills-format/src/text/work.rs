//! Counts the bytes that searches look at, so that tests can compare the counts of a text and of a longer text.

/// Counts bytes. Does nothing outside of tests.
pub(crate) fn done(bytes: usize) {
    #[cfg(test)]
    tests::DONE.set(tests::DONE.get() + bytes);
    let _ = bytes;
}

#[cfg(test)]
pub(crate) mod tests {
    use std::cell::Cell;

    thread_local! {
        pub(super) static DONE: Cell<usize> = const { Cell::new(0) };
    }

    /// Returns the number of bytes that a call looks at.
    pub(crate) fn of<T>(call: impl FnOnce() -> T) -> usize {
        let before = DONE.get();
        call();
        DONE.get() - before
    }
}
