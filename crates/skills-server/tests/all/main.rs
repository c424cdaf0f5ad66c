//! The tests of the public items, in one program, since linking a program takes a second or more.

mod client;
mod host;
mod hostile;
#[cfg(feature = "http")]
mod http;
#[cfg(feature = "watch")]
mod notices;
#[cfg(feature = "http")]
mod origins;
mod requirements;
#[cfg(feature = "http")]
mod sessions;
