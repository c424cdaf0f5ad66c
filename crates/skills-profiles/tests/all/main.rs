//! What holds for every profile.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]

mod examples;
mod facts;
mod host;
mod ways;
