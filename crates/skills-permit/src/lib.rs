//! Which tool calls the lists of a skill leave, and which they approve.
//!
//! A skill can name tools: `allowed-tools: Read Bash(git log:*)`, `disallowed-tools: Write`. A host asks two questions
//! before each call that its model makes:
//!
//! - Do the lists leave the call? `disallowed-tools` takes calls away, and in a host that reads `allowed-tools` as a limit
//!   that list does too: [`Rules::allows`], and [`Narrowed::allows`] for several skills.
//! - May the host skip its own question to the person? [`Rules::approves`], and [`Approved::admits`] for several skills.
//!
//! Both fail closed. An entry that does not parse names no tool, and a list with such an entry approves nothing. A call
//! that cannot be read with certainty is not approved, and a call that a rule of `disallowed-tools` may mean is taken away.
//!
//! ```
//! use skills_permit::{Rules, ToolKind};
//!
//! let rules = Rules::parse("Read Bash(git log:*)", "Bash(git push:*)");
//! assert!(rules.approves("run", ToolKind::Shell, "git log --since=monday"));
//! assert!(!rules.approves("run", ToolKind::Shell, "git log; rm -rf ."), "the gate asks");
//! assert!(!rules.allows("run", ToolKind::Shell, "cd x && git push"), "taken away");
//! ```
//!
//! Skills name tools as other programs do. [`Tools`] connects these names to the tools of a host by their kinds, and
//! [`ToolNames`] by a table.

#![deny(missing_docs)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod approved;
mod command_line;
mod harmless;
mod in_force;
mod kind;
mod known_names;
mod narrow;
mod pattern;
pub mod power;
mod tool_names;

pub use approved::{Approved, ApprovedRule};
pub use in_force::{InForce, Rules, Starter, approved, narrowed, taken_by, unknown};
pub use kind::{ToolKind, Tools};
pub use narrow::{Narrowed, NarrowedTool, narrow, not_here};
pub use pattern::is_taken;
pub use power::{Power, PowerKind, PowerPlace, Powers};
pub use skills_format::ToolRule;
pub use tool_names::{InvalidName, ToolNames};

#[cfg(feature = "serde")]
#[doc(hidden)]
pub use in_force::as_written;
