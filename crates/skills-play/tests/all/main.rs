//! The tests of the package's public items.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a test may read files, and fail"
)]

mod answers;
mod same;
