//! Reads, checks and explains [Agent Skills](https://agentskills.io): folders with a `SKILL.md`.

mod diagnostic;
mod name;
mod span;
#[cfg(feature = "yaml")]
pub mod yaml;

pub use diagnostic::{Diagnostic, Edit, Fix, Severity};
pub use name::{MAX_NAME, NameError, SkillName, nfc};
pub use span::{Position, Span};
