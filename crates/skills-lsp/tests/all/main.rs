//! Sessions with the server.

#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests")]

mod actions;
mod client;
mod features;
mod findings;
mod folders;
