//! The tests of what the package offers, in one program: linking a program takes a second or more.

mod client;
mod host;
mod hostile;
#[cfg(feature = "http")]
mod http;
mod manifest;
mod requirements;
