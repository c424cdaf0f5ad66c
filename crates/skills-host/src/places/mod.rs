//! The clients on this machine, and their folders of skills.

mod agents;
mod found;

pub use agents::Agent;
pub use found::{Found, Machine, count};
